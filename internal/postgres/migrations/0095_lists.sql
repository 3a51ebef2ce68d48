-- Lists of people, and searches that users keep.

create table lists (
    id         bigint generated always as identity primary key,
    user_id    bigint not null references users on delete cascade,
    name       text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
create index lists_user on lists (user_id, id);

create table list_people (
    list_id   bigint not null references lists on delete cascade,
    person_id bigint not null references people on delete cascade,
    -- The order in which people were added.
    seq       bigint generated always as identity,
    added_at  timestamptz not null default now(),
    primary key (list_id, person_id)
);
create index list_people_order on list_people (list_id, seq);
create index list_people_person on list_people (person_id);

create trigger erased after delete on list_people
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();

create table saved_searches (
    id           bigint generated always as identity primary key,
    user_id      bigint not null references users on delete cascade,
    name         text not null,
    -- What is searched for, as a body of POST /v2/people/search.
    request      jsonb not null,
    -- The people who matched when the user last looked, and those of whom webhooks have
    -- been told since.
    seen         bigint[] not null,
    told         bigint[] not null default '{}',
    created_at   timestamptz not null default now(),
    seen_at      timestamptz not null default now(),
    -- When webhooks were last told of new matches, and with which version of the records.
    evaluated_at timestamptz not null default now(),
    version      bigint not null default 0,
    -- Why it could not be searched for; empty where it could.
    failure      text not null default ''
);
create index saved_searches_user on saved_searches (user_id, id);
create index saved_searches_due on saved_searches (evaluated_at);

-- What webhooks are told beside histories and jobs.
alter table webhook_events
    add column list_id   bigint references lists on delete cascade,
    add column person_id bigint references people on delete cascade,
    add column search_id bigint references saved_searches on delete cascade,
    add column detail    jsonb,
    add column at        timestamptz,
    drop constraint webhook_events_subject,
    add constraint webhook_events_subject check (num_nonnulls(history_id, job_id, list_id, search_id) = 1);
create index webhook_events_list on webhook_events (list_id) where list_id is not null;
create index webhook_events_person on webhook_events (person_id) where person_id is not null;
create index webhook_events_search on webhook_events (search_id) where search_id is not null;
