-- Apps, their secret keys, their users and the users' tokens. Secrets are kept
-- as SHA-256 hashes only.

create table apps (
    id         bigint generated always as identity primary key,
    name       text not null unique,
    created_at timestamptz not null default now()
);

create table app_keys (
    hash       bytea primary key check (length(hash) = 32),
    app_id     bigint not null references apps on delete cascade,
    created_at timestamptz not null default now()
);
create index app_keys_app on app_keys (app_id);

create table users (
    id          bigint generated always as identity primary key,
    app_id      bigint not null references apps on delete cascade,
    external_id text not null,
    email       text not null,
    name        text not null default '',
    created_at  timestamptz not null,
    unique (app_id, external_id)
);

create table tokens (
    hash       bytea primary key check (length(hash) = 32),
    user_id    bigint not null references users on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    -- A published token, which callers cannot revoke.
    fixed      boolean not null default false
);
create index tokens_user on tokens (user_id, expires_at);

-- First answers to writing requests that had an idempotency key. The scope is
-- a hash of the credential and the route; the answer is sealed, because it may
-- hold a token, and null while the first request is still at work.
create table idempotency_keys (
    scope         bytea not null,
    key           text not null,
    fingerprint   bytea not null,
    answer        text,
    claimed_until timestamptz not null,
    expires_at    timestamptz not null,
    primary key (scope, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
