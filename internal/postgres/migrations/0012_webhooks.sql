-- Addresses that apps want to be told at what happens in outreach, and what
-- they have yet to be told. The trigger sees every entry of a history, in the
-- transaction that made it.

create table webhooks (
    app_id     bigint not null references apps on delete cascade,
    id         bigint not null,
    url        text not null,
    -- Sealed.
    secret     text not null,
    created_at timestamptz not null default now(),
    primary key (app_id, id)
);

create table webhook_events (
    id         bigint generated always as identity primary key,
    app_id     bigint not null,
    webhook_id bigint not null,
    user_id    bigint not null,
    history_id bigint not null,
    attempts   integer not null default 0,
    next_at    timestamptz not null default now(),
    foreign key (app_id, webhook_id) references webhooks on delete cascade,
    foreign key (user_id, history_id) references outreach_history on delete cascade
);
create index webhook_events_next on webhook_events (next_at);
create index webhook_events_history on webhook_events (user_id, history_id);

create function announce_history() returns trigger language plpgsql as $$
begin
    insert into webhook_events (app_id, webhook_id, user_id, history_id)
    select w.app_id, w.id, a.user_id, a.id from added a join users u on u.id = a.user_id join webhooks w on w.app_id = u.app_id;
    return null;
end $$;
create trigger outreach_history_announced after insert on outreach_history
    referencing new table as added for each statement execute function announce_history();
