-- Ids that kith gives out begin far above those that load files count up to: a
-- line with an id must not mean a record that kith has given this id meanwhile.
select setval('person_id', 1099511627776, false) where (select last_value from person_id) < 1099511627776;
select setval('company_id', 1099511627776, false) where (select last_value from company_id) < 1099511627776;
