-- Since when a webhook takes no events, and why.
alter table webhooks add column failing_since timestamptz, add column failure text not null default '';
