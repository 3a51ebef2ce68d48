-- Events are looked for webhook by webhook, so that none waits behind the backlog
-- of another.
create index webhook_events_due on webhook_events (app_id, webhook_id, next_at, id);
drop index webhook_events_next;
