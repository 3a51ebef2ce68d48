-- The records that people were merged of. A person of one record has none here: the
-- record is the row. The id of a person is that of one of the records, and the ids of
-- the others keep meaning the person.
alter table people add column merged_hash bytea;
create table person_records (
    id        bigint primary key,
    person_id bigint not null references people on delete cascade,
    record    jsonb not null,
    as_of     timestamptz not null,
    trail     jsonb
);
create index person_records_person on person_records (person_id);

-- Pairs of people who may be one, and what was decided about pairs of records.
create table duplicates (
    low        bigint not null,
    high       bigint not null check (low < high),
    score      double precision not null default 0,
    reasons    text[] not null default '{}',
    found_at   timestamptz not null default now(),
    -- Null until somebody decides.
    together   boolean,
    decided_at timestamptz,
    decided_by text,
    primary key (low, high)
);
create index duplicates_high on duplicates (high);
create index duplicates_open on duplicates (score desc, low, high) where together is null;

-- Rows that went from a person to the one that it became part of.
create table moved_rows (
    id         bigint generated always as identity primary key,
    from_id    bigint not null,
    to_id      bigint not null,
    table_name text not null,
    -- The row as it was, and whether the other person had one already.
    row        jsonb not null,
    existed    boolean not null
);
create index moved_rows_from on moved_rows (from_id);
create index moved_rows_to on moved_rows (to_id);

create trigger erased after delete on person_records
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
