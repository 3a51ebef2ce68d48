-- Secret keys have a name, scopes, an end and a last use; an app may have several.
-- Keys of before keep what they could do, but for erasing people for all apps.
alter table app_keys
    add column id           bigint generated always as identity unique,
    add column name         text not null default 'first',
    add column scopes       text[] not null
        default '{search,relationships,outreach:read,outreach:write,outreach:send,enrich,refresh,tokens}',
    add column expires_at   timestamptz,
    add column last_used_at timestamptz;
alter table app_keys alter column scopes drop default, alter column name drop default;
create unique index app_keys_name on app_keys (app_id, name);

-- A token has the scopes of the key that issued it, or fewer, and ends with the key.
alter table tokens
    add column id     bigint generated always as identity unique,
    add column key_id bigint references app_keys (id) on delete cascade,
    add column scopes text[] not null default '{search,relationships,outreach:read,outreach:write,outreach:send,enrich,refresh}';
alter table tokens alter column scopes drop default;
create index tokens_key on tokens (key_id);

-- A user who is disabled gets no tokens, and nothing is sent for them.
alter table users add column disabled_at timestamptz;
