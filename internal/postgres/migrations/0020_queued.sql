-- When a change was queued: how far the index is behind.
alter table outbox add column queued_at timestamptz not null default now();
