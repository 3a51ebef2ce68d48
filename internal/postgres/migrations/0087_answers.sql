-- Whose keys they are, by a hash, and how large the answers are, so that what is kept for
-- one owner is bounded. Keys of before count for nobody; they end within a day.
alter table idempotency_keys add column owner bytea, add column size integer not null default 0;
create index idempotency_keys_owner on idempotency_keys (owner) include (expires_at, size);
