-- Files that users hand over, and what they brought.

create table imports (
    number      bigint generated always as identity primary key,
    id          text not null unique,
    user_id     bigint not null references users on delete cascade,
    -- Deleting lasts until all is gone that the import alone brought.
    status      text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'deleting')),
    -- How the files are read.
    options     jsonb not null,
    -- In percent.
    progress    smallint not null default 0,
    attempts    smallint not null default 0,
    -- Whether its people are taken off the quota of the user.
    charged     boolean not null default false,
    report      jsonb,
    code        text not null default '',
    message     text not null default '',
    created_at  timestamptz not null default now(),
    finished_at timestamptz
);
create index imports_user on imports (user_id, number desc);

-- The records of people and companies that only imports brought, by each that tells them.
-- A record that anybody else tells has none.
create table import_records (
    import_id bigint not null references imports on delete cascade,
    -- As in the outbox.
    kind      smallint not null,
    record_id bigint not null,
    primary key (kind, record_id, import_id)
);
create index import_records_import on import_records (import_id, kind, record_id);

-- The imports that tell a row; null where anybody else does.
alter table relationships add column imports bigint[];
alter table contacts add column imports bigint[];
alter table known_addresses add column imports bigint[];

create function joint(a bigint[], b bigint[]) returns bigint[] language sql immutable as $$
    select case when a is null or b is null then null else array(select distinct unnest(a || b) order by 1) end
$$;
