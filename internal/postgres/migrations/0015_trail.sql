-- What the merging of fresh data remembers beside the record: the days of the
-- fields, and the jobs and schools as they were told. Null where all of the
-- record is of the day as_of.
alter table people add column trail jsonb;
