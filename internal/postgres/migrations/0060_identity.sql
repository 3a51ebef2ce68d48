-- People without a profile URL, and the marks that a person has beside the first
-- address and the profile.
alter table people alter column social_key drop not null;
alter table people alter column social_id drop not null;
-- The name as it is compared among records of one person; null where it has one word.
alter table people add column name_key text;
create index people_name_key on people (name_key) where name_key is not null;

create table person_identifiers (
    person_id bigint not null references people on delete cascade,
    -- 1 profile, 2 e-mail address, 3 source and the id there.
    kind      smallint not null,
    value     text not null,
    primary key (kind, value, person_id)
);
create index person_identifiers_person on person_identifiers (person_id);

create trigger erased after delete on person_identifiers
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
