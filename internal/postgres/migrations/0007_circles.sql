-- Who is within reach of users, as walks through their searches began with it,
-- and what tells that it changed.

-- Rises when anything that a user shared is withdrawn.
alter table users add column withdrawn bigint not null default 0;
create index users_sharing on users (app_id) where sharing <> 'none';

-- Which people were written since.
create index people_version on people (version);

create table circles (
    user_id  bigint not null references users on delete cascade,
    id       text collate "C" not null,
    data     bytea not null,
    saved_at timestamptz not null default now(),
    primary key (user_id, id)
);
-- The sets are compressed already.
alter table circles alter column data set storage external;

-- Who was where is read without the rows.
drop index tenures_company;
create index tenures_company on tenures (company_id) include (person_id, from_day, to_day);
drop index studies_school;
create index studies_school on studies (school) include (person_id, from_day, to_day);
-- People by rank are read without their records.
create index people_rank on people (id) include (rank);

-- A relationship ends by itself, with its person, or not at all; in each case
-- what was derived from it ends at once.
create function relationships_ended() returns trigger language plpgsql as $$
begin
    update users set network_version = network_version + 1, withdrawn = withdrawn + 1
    where id in (select user_id from ended);
    return null;
end $$;
create trigger relationships_ended after delete on relationships
    referencing old table as ended for each statement execute function relationships_ended();
