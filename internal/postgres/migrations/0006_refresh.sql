-- Fresh data: of which day a record is, when it was last asked for and got,
-- the jobs that callers follow, who is not to be stored again, and what was
-- done about the data of one person.

alter table people
    -- The day of the data that was last merged in; null where none was.
    add column as_of timestamptz,
    add column refreshed_at timestamptz,
    add column refresh_asked_at timestamptz;
-- Whose turn it is to be refreshed: the longest without an attempt come first.
create index people_stale on people ((coalesce(greatest(refreshed_at, refresh_asked_at), created_at)));

-- One row for each person that a user asked to be refreshed. The work itself
-- is a row of river_job, which several of these may share; status and error
-- are copied from there when it has ended.
create table jobs (
    id            text collate "C" primary key,
    user_id       bigint not null references users on delete cascade,
    kind          text not null,
    work_id       bigint,
    -- Whom it is about; gone when the person is forgotten or the job expires.
    social_key    text,
    social_url    text,
    created_at    timestamptz not null default now(),
    finished_at   timestamptz,
    status        text check (status in ('succeeded', 'failed', 'canceled')),
    -- Why it failed, as river_job has it: CODE: message.
    error         text,
    expired       boolean not null default false,
    check ((finished_at is null) = (status is null))
);
create index jobs_work on jobs (work_id) where finished_at is null;
create index jobs_open on jobs (user_id, social_key) where finished_at is null;
create index jobs_social on jobs (social_key) where social_key is not null;
create index jobs_created on jobs (created_at);

-- Keyed hashes of the profile URLs and addresses of people who are forgotten.
create table suppressed (
    hash       bytea primary key check (length(hash) = 32),
    created_at timestamptz not null default now()
);

-- What was done about the data of a person: the subject is a keyed hash.
create table privacy_audit (
    id         bigint generated always as identity primary key,
    action     text not null check (action in ('forget', 'export')),
    subject    bytea not null,
    -- Who had it done: an app by its name, or the operator.
    actor      text not null,
    found      boolean not null,
    created_at timestamptz not null default now()
);
