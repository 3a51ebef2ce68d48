-- When people were at companies and schools, as far as the first day is known:
-- what people are found by who were there together. They follow the records in
-- the same transaction. An open end means that it goes on.

create table tenures (
    person_id  bigint not null,
    company_id bigint not null,
    from_day   integer not null,
    to_day     integer
);
create index tenures_person on tenures (person_id);
create index tenures_company on tenures (company_id);

create table studies (
    person_id bigint not null,
    school    text collate "C" not null,
    from_day  integer not null,
    to_day    integer
);
create index studies_person on studies (person_id);
create index studies_school on studies (school);
