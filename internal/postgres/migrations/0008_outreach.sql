-- Sequences of e-mails, their leads, e-mails and activities. Every key begins
-- with the user, so that a row of another user's is not even met on the way to
-- finding none.

-- Whether a user of the demo was given its sequences.
alter table users add column sequences_given boolean not null default false;

create table sequences (
    user_id      bigint not null references users on delete cascade,
    id           bigint generated always as identity,
    name         text not null,
    description  text not null,
    status       text not null check (status in ('draft', 'active', 'paused', 'finished')),
    instructions text not null,
    templates    jsonb not null,
    created_at   timestamptz not null,
    updated_at   timestamptz not null default now(),
    -- What a sequence amounts to, kept by the triggers below.
    leads        integer not null default 0,
    active_leads integer not null default 0,
    sent         integer not null default 0,
    opened       integer not null default 0,
    replied      integer not null default 0,
    clicked      integer not null default 0,
    forwarded    integer not null default 0,
    primary key (user_id, id),
    unique (user_id, name)
);

create table leads (
    user_id          bigint not null,
    id               bigint generated always as identity,
    sequence_id      bigint not null,
    person_id        bigint not null references people on delete cascade,
    status           text not null check (status in ('active', 'not_started', 'pending', 'finished', 'deleted')),
    next_followup_at timestamptz,
    introducers      jsonb not null default '[]',
    stage            integer not null default 0,
    latest_update    text not null default '',
    latest_update_at timestamptz,
    created_at       timestamptz not null,
    primary key (user_id, id),
    foreign key (user_id, sequence_id) references sequences on delete cascade,
    unique (user_id, sequence_id, person_id)
);
create index leads_list on leads (user_id, sequence_id, id);
create index leads_status on leads (user_id, sequence_id, status, id);
create index leads_person on leads (person_id);

create table emails (
    user_id        bigint not null,
    id             bigint generated always as identity,
    sequence_id    bigint not null,
    lead_id        bigint not null,
    -- Where the e-mail stood in a load file; null for others.
    loaded         integer,
    status         text not null check (status in ('draft', 'scheduled', 'sending', 'sent', 'failed', 'canceled')),
    subject        text not null,
    from_address   text not null,
    to_address     text not null,
    content        jsonb,
    scheduled_at   timestamptz,
    sent_at        timestamptz,
    created_at     timestamptz not null,
    integration_id bigint,
    in_thread      boolean not null default false,
    -- The e-mail that began the thread; null is this one.
    root           bigint,
    failure        text not null default '',
    opened_at      timestamptz,
    clicked_at     timestamptz,
    replied_at     timestamptz,
    forwarded_at   timestamptz,
    bounced_at     timestamptz,
    primary key (user_id, id),
    foreign key (user_id, lead_id) references leads on delete cascade,
    unique (user_id, lead_id, loaded)
);
create index emails_list on emails (user_id, sequence_id, id);
create index emails_status on emails (user_id, sequence_id, status, id);
create index emails_lead on emails (user_id, lead_id, id);
create index emails_due on emails (scheduled_at) where status in ('scheduled', 'sending');

create table activities (
    user_id      bigint not null,
    id           bigint generated always as identity,
    sequence_id  bigint not null,
    lead_id      bigint not null,
    email_id     bigint,
    type         text not null,
    decision     text not null check (decision in ('pending', 'approved', 'rejected')),
    confirmed_at timestamptz,
    confidence   double precision,
    note         text not null default '',
    prompt       text not null default '',
    created_at   timestamptz not null,
    primary key (user_id, id),
    foreign key (user_id, lead_id) references leads on delete cascade,
    foreign key (user_id, email_id) references emails on delete cascade
);
create index activities_decision on activities (user_id, decision, id);
create index activities_lead on activities (user_id, lead_id, id);
create index activities_email on activities (user_id, email_id);

-- Every change of a state, with who and when. row_id is the number of what
-- moved, among its kind.
create table outreach_history (
    user_id     bigint not null,
    id          bigint generated always as identity,
    sequence_id bigint not null,
    lead_id     bigint,
    subject     text not null,
    row_id      bigint not null,
    from_state  text not null,
    to_state    text not null,
    reason      text not null,
    moved_by    text not null,
    moved_at    timestamptz not null,
    primary key (user_id, id),
    foreign key (user_id, sequence_id) references sequences on delete cascade,
    foreign key (user_id, lead_id) references leads on delete cascade
);
create index outreach_history_lead on outreach_history (user_id, lead_id, id);
create index outreach_history_sequence on outreach_history (user_id, sequence_id);

-- Addresses that an app must not write to.
create table suppressions (
    app_id     bigint not null references apps on delete cascade,
    address    text not null,
    reason     text not null,
    created_at timestamptz not null default now(),
    primary key (app_id, address)
);

-- The counts are kept by statement, from what a statement took away and what
-- it put there, whatever it was: also where people are deleted and their leads
-- with them.
create function count_leads() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        update sequences s set leads = s.leads + d.leads, active_leads = s.active_leads + d.active_leads
        from (select user_id, sequence_id, sum(sign * (status <> 'deleted')::int) as leads,
                  sum(sign * (status = 'active')::int) as active_leads
              from (select *, 1 as sign from after) c group by 1, 2) d
        where s.user_id = d.user_id and s.id = d.sequence_id and (d.leads, d.active_leads) <> (0, 0);
    elsif tg_op = 'DELETE' then
        update sequences s set leads = s.leads + d.leads, active_leads = s.active_leads + d.active_leads
        from (select user_id, sequence_id, sum(sign * (status <> 'deleted')::int) as leads,
                  sum(sign * (status = 'active')::int) as active_leads
              from (select *, -1 as sign from before) c group by 1, 2) d
        where s.user_id = d.user_id and s.id = d.sequence_id and (d.leads, d.active_leads) <> (0, 0);
    else
        update sequences s set leads = s.leads + d.leads, active_leads = s.active_leads + d.active_leads
        from (select user_id, sequence_id, sum(sign * (status <> 'deleted')::int) as leads,
                  sum(sign * (status = 'active')::int) as active_leads
              from (select *, 1 as sign from after union all select *, -1 from before) c group by 1, 2) d
        where s.user_id = d.user_id and s.id = d.sequence_id and (d.leads, d.active_leads) <> (0, 0);
    end if;
    return null;
end $$;
create trigger leads_inserted after insert on leads referencing new table as after for each statement execute function count_leads();
create trigger leads_updated after update on leads referencing old table as before new table as after for each statement execute function count_leads();
create trigger leads_deleted after delete on leads referencing old table as before for each statement execute function count_leads();

create function count_emails() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        update sequences s set sent = s.sent + d.sent, opened = s.opened + d.opened, replied = s.replied + d.replied, clicked = s.clicked + d.clicked, forwarded = s.forwarded + d.forwarded
        from (select user_id, sequence_id, sum(sign * (status = 'sent')::int) as sent,
                  sum(sign * (status = 'sent' and opened_at is not null)::int) as opened,
                  sum(sign * (status = 'sent' and replied_at is not null)::int) as replied,
                  sum(sign * (status = 'sent' and clicked_at is not null)::int) as clicked,
                  sum(sign * (status = 'sent' and forwarded_at is not null)::int) as forwarded
              from (select *, 1 as sign from after) c group by 1, 2) d
        where s.user_id = d.user_id and s.id = d.sequence_id and (d.sent, d.opened, d.replied, d.clicked, d.forwarded) <> (0, 0, 0, 0, 0);
    elsif tg_op = 'DELETE' then
        update sequences s set sent = s.sent + d.sent, opened = s.opened + d.opened, replied = s.replied + d.replied, clicked = s.clicked + d.clicked, forwarded = s.forwarded + d.forwarded
        from (select user_id, sequence_id, sum(sign * (status = 'sent')::int) as sent,
                  sum(sign * (status = 'sent' and opened_at is not null)::int) as opened,
                  sum(sign * (status = 'sent' and replied_at is not null)::int) as replied,
                  sum(sign * (status = 'sent' and clicked_at is not null)::int) as clicked,
                  sum(sign * (status = 'sent' and forwarded_at is not null)::int) as forwarded
              from (select *, -1 as sign from before) c group by 1, 2) d
        where s.user_id = d.user_id and s.id = d.sequence_id and (d.sent, d.opened, d.replied, d.clicked, d.forwarded) <> (0, 0, 0, 0, 0);
    else
        update sequences s set sent = s.sent + d.sent, opened = s.opened + d.opened, replied = s.replied + d.replied, clicked = s.clicked + d.clicked, forwarded = s.forwarded + d.forwarded
        from (select user_id, sequence_id, sum(sign * (status = 'sent')::int) as sent,
                  sum(sign * (status = 'sent' and opened_at is not null)::int) as opened,
                  sum(sign * (status = 'sent' and replied_at is not null)::int) as replied,
                  sum(sign * (status = 'sent' and clicked_at is not null)::int) as clicked,
                  sum(sign * (status = 'sent' and forwarded_at is not null)::int) as forwarded
              from (select *, 1 as sign from after union all select *, -1 from before) c group by 1, 2) d
        where s.user_id = d.user_id and s.id = d.sequence_id and (d.sent, d.opened, d.replied, d.clicked, d.forwarded) <> (0, 0, 0, 0, 0);
    end if;
    return null;
end $$;
create trigger emails_inserted after insert on emails referencing new table as after for each statement execute function count_emails();
create trigger emails_updated after update on emails referencing old table as before new table as after for each statement execute function count_emails();
create trigger emails_deleted after delete on emails referencing old table as before for each statement execute function count_emails();
