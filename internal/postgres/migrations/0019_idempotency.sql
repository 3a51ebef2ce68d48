-- First answers to writing requests that had an idempotency key, anew: keys
-- belong to users and apps, no longer to their tokens, so what was kept is of no
-- use any more. The id is a hash of whose key it is, the request and the key,
-- which is the client's own text and may name anybody. The answer is sealed; it
-- is null while the first request is at work, where its process ended before it
-- did, and once somebody was forgotten whom it may name. about_nobody is true
-- where it names no person of the directory for sure.
drop table idempotency_keys;
create table idempotency_keys (
    id            bytea primary key check (length(id) = 32),
    fingerprint   bytea not null,
    answer        text,
    about_nobody  boolean not null,
    claimed_until timestamptz not null,
    expires_at    timestamptz not null
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
