-- A relationship is known by its person: a number of its own, counted over all
-- users, would tell each user how many relationships others have.
alter table relationships drop column id;
alter table relationships add primary key (user_id, person_id);
alter table relationships drop constraint relationships_user_id_person_id_key;
create index relationships_list on relationships (user_id, score desc, person_id);
