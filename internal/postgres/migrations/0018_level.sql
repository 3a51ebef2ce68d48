-- How far the index has followed the records: of every record up to a version
-- all that follows from it is visible to searches.

create table index_level (
    one     boolean primary key default true check (one),
    -- Rises whenever an index was built anew.
    built   bigint not null default 0,
    version bigint not null default 0
);
insert into index_level default values;
create index companies_version on companies (version);
