-- Integrations: the mail servers that send for users, numbered for each user;
-- and what delivery keeps of e-mails.

create table integrations (
    user_id      bigint not null references users on delete cascade,
    id           bigint not null check (id > 0),
    host         text not null,
    port         integer not null,
    security     text not null check (security in ('starttls', 'tls', 'none')),
    username     text not null,
    -- Sealed; '' is none.
    password     text not null,
    from_address text not null,
    from_name    text not null,
    zone         text not null,
    window_start integer not null,
    window_end   integer not null,
    per_hour     integer not null,
    per_day      integer not null,
    gap_seconds  integer not null,
    deleted      boolean not null default false,
    created_at   timestamptz not null,
    primary key (user_id, id)
);

alter table emails
    -- When delivery looks at it next.
    add column due_at timestamptz,
    add column claimed_at timestamptz,
    add column message_id text not null default '';
update emails set due_at = scheduled_at;
drop index emails_due;
create index emails_due on emails (due_at) where status = 'scheduled';
create index emails_sending on emails (claimed_at) where status = 'sending';
create index emails_claimed on emails (user_id, integration_id, claimed_at) where claimed_at is not null;
