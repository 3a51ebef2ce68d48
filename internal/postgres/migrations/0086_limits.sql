-- What processes on one database share: the rates of users and apps, and who is at work
-- with which settings. None of it has to outlive a crash.

create unlogged table rate_buckets (
    -- A hash of whose bucket it is.
    key     bytea primary key,
    tokens  float8 not null,
    -- How many the last one who asked was given.
    granted integer not null,
    at      timestamptz not null
) with (fillfactor = 50);

create unlogged table processes (
    id         text primary key,
    host       text not null,
    pid        integer not null,
    version    text not null,
    settings   jsonb not null,
    started_at timestamptz not null,
    seen_at    timestamptz not null
);
