-- Sessions of browsers, and the links that begin them. A session is a token that travels
-- in a cookie.

alter table tokens
    add column session boolean not null default false,
    -- What the browser said that it is when the session began.
    add column agent   text not null default '',
    -- When a session was last used, exact to the minute.
    add column used_at timestamptz;

-- A link is deleted by its use.
create table signin_links (
    hash       bytea primary key check (length(hash) = 32),
    user_id    bigint not null references users on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null
);
create index signin_links_user on signin_links (user_id);
