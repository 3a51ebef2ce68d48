-- The schema of a dataset. Names are unqualified: search_path chooses the schema.


-- Records of companies and people.

-- Kith gives out ids far above those that load files count up to, so that a line with an id does not mean another
-- record.
create sequence person_id start 1099511627776;
create sequence company_id start 1099511627776;
-- Versions of people and companies come from one sequence, under the writers' lock: a later commit has a higher one.
create sequence record_version;

-- The owner of a record is everyone (''), an app (app:1) or a user (user:1). A profile has one record for each owner at
-- most.
create table companies (
    id         bigint primary key check (id > 0),
    owner      text not null default '',
    social_key text,
    domain_key text,
    name_key   text not null,
    record     jsonb not null,
    hash       bytea not null,
    rank       bigint not null,
    version    bigint not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint companies_profile unique (social_key, owner) deferrable
);
create index companies_domain on companies (domain_key) where domain_key is not null;
create index companies_name on companies (name_key);
create index companies_owner on companies (owner) where owner <> '';
create index companies_version on companies (version);

create table people (
    id               bigint primary key check (id > 0),
    owner            text not null default '',
    social_key       text,
    social_id        text,
    email            text,
    -- The record, with a job's company as its id only. If packed has the record, then what statements read of it.
    record           jsonb not null,
    -- The compressed record; null if compression would save nothing.
    packed           bytea,
    hash             bytea not null,
    -- The hash of the records that this one was merged from; null if there is one.
    merged_hash      bytea,
    rank             bigint not null,
    version          bigint not null,
    company_ids      bigint[] not null,
    created_at       timestamptz not null default now(),
    updated_at       timestamptz not null default now(),
    -- The day of the fresh data that was merged last; null if none was.
    as_of            timestamptz,
    -- The days of the fields, and the jobs and schools as each source had them. Null if all of the record is of as_of.
    trail            jsonb,
    refreshed_at     timestamptz,
    refresh_asked_at timestamptz,
    constraint people_profile unique (social_key, owner)
);
alter table people alter column packed set storage external;
create index people_social_id on people (social_id);
create index people_email on people (email) where email is not null;
create index people_company_ids on people using gin (company_ids);
create index people_owner on people (owner) where owner <> '';
create index people_version on people (version);
-- People by rank are read without their records.
create index people_rank on people (id) include (rank);
-- Refreshes begin with the longest time since an attempt.
create index people_stale on people ((coalesce(greatest(refreshed_at, refresh_asked_at), created_at)));

-- Identifiers of a person beside the first e-mail address and the profile.
create table person_identifiers (
    person_id bigint not null references people on delete cascade,
    -- 1 profile, 2 e-mail address, 3 source and the id there.
    kind      smallint not null,
    value     text not null,
    primary key (kind, value, person_id)
);
create index person_identifiers_person on person_identifiers (person_id);

-- The records that people were merged from. A person of one record has none here: the record is the row. The id of a
-- person is that of one of the records, and the ids of the others still mean the person.
create table person_records (
    id        bigint primary key,
    person_id bigint not null references people on delete cascade,
    record    jsonb not null,
    as_of     timestamptz not null,
    trail     jsonb
);
create index person_records_person on person_records (person_id);

-- Blocking keys: records are compared with those that share one. A key is the hash of a name together with a company, a
-- school or a city, and of the owner.
create table person_blocks (
    key       bigint not null,
    person_id bigint not null
);
create index person_blocks_key on person_blocks (key);
create index person_blocks_person on person_blocks (person_id);

-- Times of people at companies and schools whose first day is known. They change in the transaction of the record. A
-- last day of null means that the time goes on.
create table tenures (
    person_id  bigint not null,
    company_id bigint not null,
    from_day   integer not null,
    to_day     integer,
    owner      text not null default ''
);
create index tenures_person on tenures (person_id);
create index tenures_company on tenures (company_id) include (person_id, from_day, to_day, owner);

create table studies (
    person_id bigint not null,
    school    text collate "C" not null,
    from_day  integer not null,
    to_day    integer,
    owner     text not null default ''
);
create index studies_person on studies (person_id);
create index studies_school on studies (school) include (person_id, from_day, to_day, owner);

-- Pairs of people who may be one, and decisions about pairs of records.
create table duplicates (
    low        bigint not null,
    high       bigint not null check (low < high),
    score      double precision not null default 0,
    reasons    text[] not null default '{}',
    found_at   timestamptz not null default now(),
    -- Null until somebody decides.
    together   boolean,
    decided_at timestamptz,
    decided_by text,
    primary key (low, high)
);
create index duplicates_high on duplicates (high);
create index duplicates_open on duplicates (score desc, low, high) where together is null;

-- Rows that a merge moved from one person to another.
create table moved_rows (
    id         bigint generated always as identity primary key,
    from_id    bigint not null,
    to_id      bigint not null,
    table_name text not null,
    -- The row before the merge, and whether the other person had one already.
    row        jsonb not null,
    existed    boolean not null
);
create index moved_rows_from on moved_rows (from_id);
create index moved_rows_to on moved_rows (to_id);
create index moved_rows_user on moved_rows (((row ->> 'user_id')::bigint));


-- The index: what it lacks and how far it follows the records.

create table outbox (
    seq       bigserial primary key,
    -- 1 people, 2 companies.
    kind      smallint not null,
    id        bigint not null,
    -- Whether the record was stored for the first time: the vocabulary counts it once.
    fresh     boolean not null default false,
    queued_at timestamptz not null default now()
);
create index outbox_fresh on outbox (id) where fresh;

-- Records that the engine refused. A reindex and a change of the record try them again.
create table outbox_failed (
    kind      smallint not null,
    id        bigint not null,
    reason    text not null,
    failed_at timestamptz not null default now(),
    primary key (kind, id)
);

-- Records deleted since the last reindex, so that one under way does not bring them back.
create table deleted (
    kind       smallint not null,
    id         bigint not null,
    deleted_at timestamptz not null default now(),
    primary key (kind, id)
);

-- Searches see every record up to the version, with all that follows from it.
create table index_level (
    one     boolean primary key default true check (one),
    -- Rises when an index is built.
    built   bigint not null default 0,
    version bigint not null default 0
);
insert into index_level default values;

-- Marks of an index that follows these records. The first one is that of an index without a mark.
create table index_marks (
    number bigint primary key generated always as identity,
    mark   text not null unique
);
insert into index_marks (mark) values ('');

-- The vocabulary has the terms of records, and how many people have each. Prompts are read with it. Terms are compared
-- byte by byte.
create table vocabulary (
    term   text collate "C" not null,
    kind   text collate "C" not null,
    owner  text collate "C" not null default '',
    people integer not null,
    -- The term as a record writes it; null if that is the term itself.
    text   text,
    primary key (term, kind, owner)
) with (fillfactor = 85);
-- Terms by the words inside them, and by their beginnings.
create index vocabulary_words on vocabulary using gin (array_to_tsvector(string_to_array(term, ' ')))
    with (fastupdate = off) where term like '% %';

-- Keys under which misspellings of a term are found.
create table vocabulary_spelling (
    term text collate "C" primary key,
    keys integer[] not null
);
-- Each look-up would have to read a list of pending entries.
create index vocabulary_spelling_keys on vocabulary_spelling using gin (keys) with (fastupdate = off);

-- A reindex builds the vocabulary here, and swaps the tables by their names.
create table vocabulary_next (
    term   text collate "C" not null,
    kind   text collate "C" not null,
    owner  text collate "C" not null default '',
    people integer not null,
    text   text,
    primary key (term, kind, owner)
) with (fillfactor = 85);
create index vocabulary_next_words on vocabulary_next using gin (array_to_tsvector(string_to_array(term, ' ')))
    with (fastupdate = off) where term like '% %';
create table vocabulary_spelling_next (
    term text collate "C" primary key,
    keys integer[] not null
);
create index vocabulary_spelling_next_keys on vocabulary_spelling_next using gin (keys) with (fastupdate = off);


-- The server.

create table settings (
    key   text primary key,
    value jsonb not null
);

-- Processes on one database share the rates of users and apps, and the list of processes. Neither has to outlive a
-- crash.
create unlogged table rate_buckets (
    -- A hash of the user or app.
    key     bytea primary key,
    tokens  float8 not null,
    -- The tokens of the last grant.
    granted integer not null,
    at      timestamptz not null
) with (fillfactor = 50);

create unlogged table processes (
    id         text primary key,
    host       text not null,
    pid        integer not null,
    version    text not null,
    settings   jsonb not null,
    started_at timestamptz not null,
    seen_at    timestamptz not null
);


-- Apps, users and their credentials. Secrets are stored as SHA-256 hashes.

create table apps (
    id              bigint generated always as identity primary key,
    name            text not null unique,
    created_at      timestamptz not null default now(),
    -- Rises when a user of the app changes sharing or identity, and when a team gets or loses a member.
    sharing_version bigint not null default 0
);

create table app_keys (
    hash         bytea primary key check (length(hash) = 32),
    id           bigint generated always as identity unique,
    app_id       bigint not null references apps on delete cascade,
    name         text not null,
    scopes       text[] not null,
    created_at   timestamptz not null default now(),
    expires_at   timestamptz,
    last_used_at timestamptz
);
create index app_keys_app on app_keys (app_id);
create unique index app_keys_name on app_keys (app_id, name);

create table users (
    id                 bigint generated always as identity primary key,
    app_id             bigint not null references apps on delete cascade,
    external_id        text not null,
    email              text not null,
    name               text not null default '',
    -- The user's own person, if known otherwise than by the e-mail address: addresses in the demo are masked.
    person_id          bigint references people on delete set null,
    created_at         timestamptz not null,
    -- A disabled user gets no tokens, and nothing is sent for them.
    disabled_at        timestamptz,
    sharing            text not null default 'none' check (sharing in ('none', 'team', 'community')),
    -- Rises with every change of what is derived from relationships and sharing, for the user or for others.
    network_version    bigint not null default 0,
    network_updated_at timestamptz,
    -- Rises when anything that the user shared is withdrawn.
    withdrawn          bigint not null default 0,
    -- Whether a user of the demo was given its sequences.
    sequences_given    boolean not null default false,
    unique (app_id, external_id)
);
create index users_person on users (person_id) where person_id is not null;
create index users_sharing on users (app_id, lower(email)) where sharing <> 'none';

create table tokens (
    hash       bytea primary key check (length(hash) = 32),
    id         bigint generated always as identity unique,
    user_id    bigint not null references users on delete cascade,
    -- A token ends with the key that issued it.
    key_id     bigint references app_keys (id) on delete cascade,
    -- The scopes of the key, or fewer.
    scopes     text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    -- A published token, which callers cannot revoke.
    fixed      boolean not null default false,
    -- A session of a browser is a token in a cookie.
    session    boolean not null default false,
    -- The name of the browser when the session began.
    agent      text not null default '',
    -- The last use of a session, to the minute.
    used_at    timestamptz
);
create index tokens_user on tokens (user_id, expires_at);
create index tokens_key on tokens (key_id);

-- Links that begin a session. The use of a link deletes it.
create table signin_links (
    hash       bytea primary key check (length(hash) = 32),
    user_id    bigint not null references users on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null
);
create index signin_links_user on signin_links (user_id);

-- First answers to requests with an idempotency key, committed with the change. The id is a hash of the caller, the
-- request and the key, which is the client's own text and may name anybody.
create table idempotency_keys (
    id           bytea primary key check (length(id) = 32),
    fingerprint  bytea not null,
    -- The sealed answer; null after the erasure of a person whom it may name.
    answer       bytea,
    -- True if the answer certainly names no person of the dataset.
    about_nobody boolean not null,
    expires_at   timestamptz not null,
    -- A hash of the caller, and the size of the answer: what is kept for one caller is bounded.
    owner        bytea not null,
    size         integer not null
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
create index idempotency_keys_owner on idempotency_keys (owner) include (expires_at, size);

-- Owners of records. A row outlives its app or user, so that the records stay hidden until they left the index.
create table owners (
    key     text primary key,
    app_id  bigint references apps on delete set null,
    user_id bigint references users on delete set null
);
create index owners_app on owners (app_id);
create index owners_user on owners (user_id);

-- Records are deleted with their owner.
create function drop_owned() returns trigger language plpgsql as $$
declare
    gone text := tg_argv[0] || ':' || old.id;
    ids  bigint[];
begin
    if not exists (select from owners where key = gone) then
        return null;
    end if;
    with p as (delete from people where owner = gone returning id) select array_agg(id) into ids from p;
    delete from person_blocks where person_id = any(ids);
    delete from tenures where owner = gone;
    delete from studies where owner = gone;
    delete from companies where owner = gone;
    delete from vocabulary where owner = gone;
    insert into deleted (kind, id) select 1, unnest(ids) on conflict (kind, id) do update set deleted_at = now();
    insert into outbox (kind, id) select 1, unnest(ids);
    return null;
end $$;
create trigger drop_owned after delete on users for each row execute function drop_owned('user');
create trigger drop_owned after delete on apps for each row execute function drop_owned('app');

create function drop_moved() returns trigger language plpgsql as $$
begin
    delete from moved_rows where (row ->> 'user_id')::bigint = old.id;
    return null;
end $$;
create trigger drop_moved after delete on users for each row execute function drop_moved();


-- Imports: files of users, and the records that they brought.

create table imports (
    number      bigint generated always as identity primary key,
    id          text not null unique,
    user_id     bigint not null references users on delete cascade,
    -- An import is being deleted until all is gone that it alone brought.
    status      text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'deleting')),
    -- How to read the files.
    options     jsonb not null,
    -- In percent.
    progress    smallint not null default 0,
    attempts    smallint not null default 0,
    -- Whether its people count against the user's quota.
    charged     boolean not null default false,
    report      jsonb,
    code        text not null default '',
    message     text not null default '',
    created_at  timestamptz not null default now(),
    finished_at timestamptz
);
create index imports_user on imports (user_id, number desc);
create index imports_open on imports (number) where status in ('queued', 'running', 'deleting');

-- The records that only imports have, for each of these imports. A record that has another source as well has no row.
create table import_records (
    import_id bigint not null references imports on delete cascade,
    -- As in the outbox.
    kind      smallint not null,
    record_id bigint not null,
    primary key (kind, record_id, import_id)
);
create index import_records_import on import_records (import_id, kind, record_id);

-- The imports of a row that two sources have: null if one of them is no import.
create function joint(a bigint[], b bigint[]) returns bigint[] language sql immutable as $$
    select case when a is null or b is null then null else array(select distinct unnest(a || b) order by 1) end
$$;
-- The imports of several rows together; null if any of them has another source.
create aggregate jointly (bigint[]) (sfunc = joint, stype = bigint[], initcond = '{}');


-- The networks of users.

-- A relationship is known by its person: a number of its own would tell each user how many relationships others have.
create table relationships (
    user_id    bigint not null references users on delete cascade,
    person_id  bigint not null references people on delete cascade,
    score      double precision not null check (score between 0 and 10),
    -- The score as it was given, if contacts and times together made another one of it.
    given      double precision check (given between 0 and 10),
    -- Bit i is kind i of the list in package network.
    kinds      smallint not null,
    -- The first day on which the relationship is known.
    since      integer,
    -- The imports that have the relationship; null if it has another source as well.
    imports    bigint[],
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (user_id, person_id)
);
create index relationships_list on relationships (user_id, score desc, person_id);
create index relationships_person on relationships (person_id);

-- A relationship may be deleted, also with its person. What was derived from it ends at once.
create function relationships_ended() returns trigger language plpgsql as $$
begin
    update users set network_version = network_version + 1, withdrawn = withdrawn + 1
    where id in (select user_id from ended);
    return null;
end $$;
create trigger relationships_ended after delete on relationships
    referencing old table as ended for each statement execute function relationships_ended();

-- How often users and people were in contact: nothing of what was said.
create table contacts (
    user_id   bigint not null references users on delete cascade,
    person_id bigint not null references people on delete cascade,
    -- The position of the kind in the list of package network.
    kind      smallint not null,
    -- Months since the year 0: files that overlap agree on a month.
    month     integer not null,
    outgoing  bigint not null check (outgoing >= 0),
    incoming  bigint not null check (incoming >= 0),
    first_day integer not null,
    last_day  integer not null check (last_day >= first_day),
    -- As in relationships.
    imports   bigint[],
    primary key (user_id, person_id, kind, month)
);
create index contacts_person on contacts (person_id);

-- Mail between users and addresses of nobody they know. It moves to contacts as soon as a person has the address: with
-- mail in both directions Kith stores one, and files may name one.
create table correspondence (
    user_id   bigint not null references users on delete cascade,
    email     text not null,
    -- As in contacts.
    month     integer not null,
    name      text not null,
    outgoing  bigint not null check (outgoing >= 0),
    incoming  bigint not null check (incoming >= 0),
    first_day integer not null,
    last_day  integer not null check (last_day >= first_day),
    -- As in relationships.
    imports   bigint[],
    primary key (user_id, email, month)
);
create index correspondence_email on correspondence (email);

-- Addresses in a user's files of people whose record is everyone's: they are the user's alone.
create table known_addresses (
    user_id   bigint not null references users on delete cascade,
    person_id bigint not null references people on delete cascade,
    email     text not null,
    -- As in relationships.
    imports   bigint[],
    primary key (user_id, email, person_id)
);
create index known_addresses_person on known_addresses (person_id);

create table teams (
    id         bigint generated always as identity primary key,
    app_id     bigint not null references apps on delete cascade,
    name       text not null,
    created_at timestamptz not null default now(),
    unique (app_id, name)
);

create table team_members (
    team_id bigint not null references teams on delete cascade,
    user_id bigint not null references users on delete cascade,
    primary key (team_id, user_id)
);
create index team_members_user on team_members (user_id);

-- The people within reach of a user when a walk through a search began.
create table circles (
    user_id  bigint not null references users on delete cascade,
    id       text collate "C" not null,
    -- Compressed sets.
    data     bytea not null,
    saved_at timestamptz not null default now(),
    primary key (user_id, id)
);
alter table circles alter column data set storage external;

create function sharing_changed() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        update apps set sharing_version = sharing_version + 1 where id = old.app_id;
    else
        update apps set sharing_version = sharing_version + 1 where id = new.app_id;
    end if;
    return null;
end $$;
create trigger users_sharing_begun after insert on users for each row
    when (new.sharing <> 'none') execute function sharing_changed();
create trigger users_sharing_changed after update of sharing, email, person_id on users for each row
    when ((old.sharing <> 'none' or new.sharing <> 'none')
        and (old.sharing, old.email, old.person_id) is distinct from (new.sharing, new.email, new.person_id))
    execute function sharing_changed();
create trigger users_sharing_ended after delete on users for each row
    when (old.sharing <> 'none') execute function sharing_changed();

create function team_members_changed() returns trigger language plpgsql as $$
begin
    update apps set sharing_version = sharing_version + 1
    where id in (select u.app_id from changed c join users u on u.id = c.user_id);
    return null;
end $$;
create trigger team_members_joined after insert on team_members
    referencing new table as changed for each statement execute function team_members_changed();
create trigger team_members_left after delete on team_members
    referencing old table as changed for each statement execute function team_members_changed();

-- The network of a new user of the demo. Other datasets have no rows here.
create table demo_contacts (
    person_id bigint primary key references people on delete cascade,
    score     double precision not null,
    kinds     smallint not null
);
create table demo_teams (
    team_id bigint primary key references teams on delete cascade
);

create function demo_welcome(newcomer bigint) returns void language sql as $$
    insert into relationships (user_id, person_id, score, kinds)
    select newcomer, person_id, score, kinds from demo_contacts on conflict do nothing;
    insert into team_members (team_id, user_id) select team_id, newcomer from demo_teams on conflict do nothing;
    update users set network_version = network_version + 1, network_updated_at = now()
    where id = newcomer and exists (select from demo_contacts);
$$;
create function users_joined() returns trigger language plpgsql as $$
begin
    if new.person_id is null and exists (select from demo_contacts) then
        perform demo_welcome(new.id);
    end if;
    return null;
end $$;
create trigger users_joined after insert on users for each row execute function users_joined();


-- Lists and saved searches of users.

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

create table saved_searches (
    id           bigint generated always as identity primary key,
    user_id      bigint not null references users on delete cascade,
    name         text not null,
    -- A body of POST /v2/people/search.
    request      jsonb not null,
    -- The matches when the user last looked, and those reported to webhooks since.
    seen         bigint[] not null,
    told         bigint[] not null default '{}',
    created_at   timestamptz not null default now(),
    seen_at      timestamptz not null default now(),
    -- When new matches were last reported to webhooks, and the version of the records then.
    evaluated_at timestamptz not null default now(),
    version      bigint not null default 0,
    -- Why the search failed; empty if it did not.
    failure      text not null default ''
);
create index saved_searches_user on saved_searches (user_id, id);
create index saved_searches_due on saved_searches (evaluated_at);


-- Refresh jobs: one row for each person that a user asked to refresh. The work is a row of river_job, which several
-- jobs may share. Status and error are copied from there when it ends.
create table jobs (
    id          text collate "C" primary key,
    user_id     bigint not null references users on delete cascade,
    kind        text not null,
    work_id     bigint,
    -- The person; null after an erasure, and when the job expires.
    social_key  text,
    social_url  text,
    created_at  timestamptz not null default now(),
    finished_at timestamptz,
    status      text check (status in ('succeeded', 'failed', 'canceled')),
    -- Why it failed, as in river_job: CODE: message.
    error       text,
    expired     boolean not null default false,
    check ((finished_at is null) = (status is null))
);
create index jobs_work on jobs (work_id) where finished_at is null;
create index jobs_open on jobs (user_id, social_key) where finished_at is null;
create index jobs_social on jobs (social_key) where social_key is not null;
create index jobs_created on jobs (created_at);
-- For the deletion of a user.
create index jobs_user on jobs (user_id);


-- Outreach. Every key begins with the user, so a look-up never reads the rows of other users.

-- The mail servers that send for users, numbered for each user.
create table integrations (
    user_id         bigint not null references users on delete cascade,
    id              bigint not null check (id > 0),
    host            text not null,
    port            integer not null,
    security        text not null check (security in ('starttls', 'tls', 'none')),
    username        text not null,
    -- Sealed; empty if there is none.
    password        text not null,
    from_address    text not null,
    from_name       text not null,
    zone            text not null,
    window_start    integer not null,
    window_end      integer not null,
    per_hour        integer not null,
    per_day         integer not null,
    gap_seconds     integer not null,
    -- Whether opened e-mails and followed links are recorded.
    track_opens     boolean not null default false,
    track_clicks    boolean not null default false,
    -- Signs feedback about e-mails; sealed.
    feedback_secret text not null default '',
    deleted         boolean not null default false,
    created_at      timestamptz not null,
    primary key (user_id, id)
);

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
    -- Counts, which triggers keep.
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

-- The last segments of the identifiers of introducers, in lower case. An introducer who may be a person shares one with
-- the person.
create function introducer_keys(introducers jsonb) returns text[] language sql immutable parallel safe as $$
    select coalesce(array_agg(ltrim(regexp_replace(rtrim(regexp_replace(
        lower(btrim(i ->> 'social_identifier')), '[?#].*$', ''), '/'), '^.*/', ''), '@')), '{}')
    from jsonb_array_elements(introducers) i
$$;
create index leads_introducers on leads using gin (introducer_keys(introducers)) where introducers <> '[]';

create table emails (
    user_id        bigint not null,
    id             bigint generated always as identity,
    sequence_id    bigint not null,
    lead_id        bigint not null,
    -- The position of the e-mail in a load file; null for others.
    loaded         integer,
    status         text not null check (status in ('draft', 'scheduled', 'sending', 'sent', 'failed', 'canceled')),
    subject        text not null,
    from_address   text not null,
    to_address     text not null,
    content        jsonb,
    message_id     text not null default '',
    integration_id bigint,
    in_thread      boolean not null default false,
    -- The first e-mail of the thread; null for itself.
    root           bigint,
    created_at     timestamptz not null,
    scheduled_at   timestamptz,
    -- When delivery looks at it next.
    due_at         timestamptz,
    claimed_at     timestamptz,
    -- How often a mail server asked to try again later, which is bounded.
    deferrals      integer not null default 0,
    failure        text not null default '',
    sent_at        timestamptz,
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
create index emails_due on emails (due_at) where status = 'scheduled';
create index emails_sending on emails (claimed_at) where status = 'sending';
create index emails_claimed on emails (user_id, integration_id, claimed_at) where claimed_at is not null;
create index emails_message on emails (user_id, message_id) where message_id <> '';
create index emails_to on emails (lower(to_address)) where to_address <> '';

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

-- Every change of a state, with who and when. row_id is the id of the row that changed, of the kind of subject.
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
    id         bigint generated always as identity primary key,
    app_id     bigint not null references apps on delete cascade,
    -- The user who suppressed the address, who alone sees it, while it counts for the whole app. A deleted user leaves
    -- it behind, so the column refers to no row.
    user_id    bigint not null,
    address    text not null,
    reason     text not null,
    created_at timestamptz not null default now(),
    unique (app_id, address, user_id)
);
create index suppressions_address on suppressions (address);

-- Triggers keep the counts of sequences by statement, from the rows before and after it. They also count when people
-- are deleted, and their leads with them.
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
create trigger leads_inserted after insert on leads
    referencing new table as after for each statement execute function count_leads();
create trigger leads_updated after update on leads
    referencing old table as before new table as after for each statement execute function count_leads();
create trigger leads_deleted after delete on leads
    referencing old table as before for each statement execute function count_leads();

create function count_emails() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        update sequences s set sent = s.sent + d.sent, opened = s.opened + d.opened, replied = s.replied + d.replied,
            clicked = s.clicked + d.clicked, forwarded = s.forwarded + d.forwarded
        from (select user_id, sequence_id, sum(sign * (status = 'sent')::int) as sent,
                  sum(sign * (status = 'sent' and opened_at is not null)::int) as opened,
                  sum(sign * (status = 'sent' and replied_at is not null)::int) as replied,
                  sum(sign * (status = 'sent' and clicked_at is not null)::int) as clicked,
                  sum(sign * (status = 'sent' and forwarded_at is not null)::int) as forwarded
              from (select *, 1 as sign from after) c group by 1, 2) d
        where s.user_id = d.user_id and s.id = d.sequence_id
            and (d.sent, d.opened, d.replied, d.clicked, d.forwarded) <> (0, 0, 0, 0, 0);
    elsif tg_op = 'DELETE' then
        update sequences s set sent = s.sent + d.sent, opened = s.opened + d.opened, replied = s.replied + d.replied,
            clicked = s.clicked + d.clicked, forwarded = s.forwarded + d.forwarded
        from (select user_id, sequence_id, sum(sign * (status = 'sent')::int) as sent,
                  sum(sign * (status = 'sent' and opened_at is not null)::int) as opened,
                  sum(sign * (status = 'sent' and replied_at is not null)::int) as replied,
                  sum(sign * (status = 'sent' and clicked_at is not null)::int) as clicked,
                  sum(sign * (status = 'sent' and forwarded_at is not null)::int) as forwarded
              from (select *, -1 as sign from before) c group by 1, 2) d
        where s.user_id = d.user_id and s.id = d.sequence_id
            and (d.sent, d.opened, d.replied, d.clicked, d.forwarded) <> (0, 0, 0, 0, 0);
    else
        update sequences s set sent = s.sent + d.sent, opened = s.opened + d.opened, replied = s.replied + d.replied,
            clicked = s.clicked + d.clicked, forwarded = s.forwarded + d.forwarded
        from (select user_id, sequence_id, sum(sign * (status = 'sent')::int) as sent,
                  sum(sign * (status = 'sent' and opened_at is not null)::int) as opened,
                  sum(sign * (status = 'sent' and replied_at is not null)::int) as replied,
                  sum(sign * (status = 'sent' and clicked_at is not null)::int) as clicked,
                  sum(sign * (status = 'sent' and forwarded_at is not null)::int) as forwarded
              from (select *, 1 as sign from after union all select *, -1 from before) c group by 1, 2) d
        where s.user_id = d.user_id and s.id = d.sequence_id
            and (d.sent, d.opened, d.replied, d.clicked, d.forwarded) <> (0, 0, 0, 0, 0);
    end if;
    return null;
end $$;
create trigger emails_inserted after insert on emails
    referencing new table as after for each statement execute function count_emails();
create trigger emails_updated after update on emails
    referencing old table as before new table as after for each statement execute function count_emails();
create trigger emails_deleted after delete on emails
    referencing old table as before for each statement execute function count_emails();


-- Webhooks, and the events that each has yet to be sent.

create table webhooks (
    app_id        bigint not null references apps on delete cascade,
    id            bigint not null,
    -- A webhook with a user gets the events of this user, one without those of all users of its app.
    user_id       bigint references users on delete cascade,
    url           text not null,
    -- Sealed.
    secret        text not null,
    created_at    timestamptz not null default now(),
    -- Since when the webhook takes no events, and why.
    failing_since timestamptz,
    failure       text not null default '',
    primary key (app_id, id)
);
create index webhooks_user on webhooks (user_id) where user_id is not null;

create table webhook_events (
    id         bigint generated always as identity primary key,
    app_id     bigint not null,
    webhook_id bigint not null,
    user_id    bigint not null,
    -- The event is about one of these.
    history_id bigint,
    job_id     text collate "C" references jobs on delete cascade,
    list_id    bigint references lists on delete cascade,
    search_id  bigint references saved_searches on delete cascade,
    -- Further members of events of lists and searches.
    person_id  bigint references people on delete cascade,
    detail     jsonb,
    at         timestamptz,
    attempts   integer not null default 0,
    next_at    timestamptz not null default now(),
    foreign key (app_id, webhook_id) references webhooks on delete cascade,
    foreign key (user_id, history_id) references outreach_history on delete cascade,
    constraint webhook_events_subject check (num_nonnulls(history_id, job_id, list_id, search_id) = 1)
);
-- Events are read by webhook, so that none waits for the backlog of another.
create index webhook_events_due on webhook_events (app_id, webhook_id, next_at, id);
create index webhook_events_history on webhook_events (user_id, history_id);
create index webhook_events_job on webhook_events (job_id) where job_id is not null;
create index webhook_events_list on webhook_events (list_id) where list_id is not null;
create index webhook_events_person on webhook_events (person_id) where person_id is not null;
create index webhook_events_search on webhook_events (search_id) where search_id is not null;

-- Triggers write events in the transaction of the change. What a canceled erasure puts back has been announced before.
create function announce_history() returns trigger language plpgsql as $$
begin
    if current_setting('kith.restoring', true) = 'on' then
        return null;
    end if;
    insert into webhook_events (app_id, webhook_id, user_id, history_id)
    select w.app_id, w.id, a.user_id, a.id from added a join users u on u.id = a.user_id
    join webhooks w on w.app_id = u.app_id and (w.user_id is null or w.user_id = u.id);
    return null;
end $$;
create trigger outreach_history_announced after insert on outreach_history
    referencing new table as added for each statement execute function announce_history();

-- A webhook gets the jobs that end after it was added, even if their end is noticed later.
create function announce_job() returns trigger language plpgsql as $$
begin
    insert into webhook_events (app_id, webhook_id, user_id, job_id)
    select w.app_id, w.id, u.id, new.id from users u
    join webhooks w on w.app_id = u.app_id and (w.user_id is null or w.user_id = u.id)
    where u.id = new.user_id and w.created_at <= new.finished_at;
    return null;
end $$;
create trigger jobs_announced after update on jobs for each row
    when (old.finished_at is null and new.finished_at is not null) execute function announce_job();


-- Privacy.

-- Keyed hashes of the profile URLs and addresses of erased people, who are not stored again.
create table suppressed (
    hash       bytea primary key check (length(hash) = 32),
    created_at timestamptz not null default now()
);

-- What was done about the data of a person: the subject is a keyed hash.
create table privacy_audit (
    id         bigint generated always as identity primary key,
    action     text not null check (action in ('forget', 'export')),
    subject    bytea not null,
    -- The name of an app, or the operator.
    actor      text not null,
    found      boolean not null,
    created_at timestamptz not null default now()
);

-- Erasures that can be canceled. An erasure deletes a person from all tables at once. What it deleted is kept here,
-- sealed, until the erasure is final.
create table erasures (
    id          bigint generated always as identity primary key,
    -- The name of an app, or the operator; app_id is null then.
    actor       text not null,
    app_id      bigint references apps on delete set null,
    -- The keyed hashes that keep the person out, and those of them that were new.
    marks       bytea[] not null,
    added       bytea[] not null,
    created_at  timestamptz not null default now(),
    final_at    timestamptz not null,
    canceled_at timestamptz,
    -- Null once the erasure is final or canceled.
    archive     bytea
);
create index erasures_final on erasures (final_at) where archive is not null;
create index erasures_app on erasures (app_id, created_at);
create index erasures_marks on erasures using gin (marks);

-- Rows before and after an erasure, within its transaction.
create unlogged table erased_rows (
    seq        bigint generated always as identity,
    table_name text not null,
    -- Null if the erasure inserted the row.
    before     jsonb,
    -- Null if the erasure deleted the row.
    after      jsonb
);

create function keep_erased() returns trigger language plpgsql as $$
begin
    insert into erased_rows (table_name, before, after)
    values (tg_table_name, case when tg_op <> 'INSERT' then to_jsonb(old) end,
        case when tg_op <> 'DELETE' then to_jsonb(new) end);
    return null;
end $$;

create trigger erased after update or delete on people
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after delete on person_identifiers
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after delete on person_records
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after delete on person_blocks
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after delete on tenures
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after delete on studies
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after update or delete on relationships
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after delete on contacts
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after delete on correspondence
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after delete on known_addresses
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after delete on list_people
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after update or delete on leads
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after update or delete on emails
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after update or delete on activities
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after update or delete on outreach_history
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after insert or update or delete on suppressions
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();

-- put_back undoes changes: deletions first, of owners before what they own, then the rest, the last first. A row whose
-- owner has been deleted stays away, and a column that was changed since stays as it is.
create function put_back(rows jsonb) returns void language plpgsql as $$
declare
    r    record;
    sets text;
    same text;
begin
    for r in select * from jsonb_to_recordset(rows) as r (seq bigint, table_name text, before jsonb, after jsonb)
        order by after is not null, array_position(array['people', 'leads', 'emails'], table_name), seq desc loop
        begin
            if r.before is null then
                execute format('delete from %I t where to_jsonb(t) = $1', r.table_name) using r.after;
                continue;
            end if;
            if r.after is null then
                execute format('insert into %1$I overriding system value
                        select * from jsonb_populate_record(null::%1$I, $1) on conflict do nothing', r.table_name)
                    using r.before;
                continue;
            end if;
            select string_agg(format('%1$I = b.%1$I', key), ', '),
                    string_agg(format('t.%1$I is not distinct from a.%1$I', key), ' and ')
                into sets, same from jsonb_each(r.before) where value is distinct from r.after -> key;
            continue when sets is null;
            execute format('update %1$I t set %2$s from jsonb_populate_record(null::%1$I, $1) b,
                    jsonb_populate_record(null::%1$I, $2) a
                    where t.user_id = b.user_id and t.id = b.id and %3$s', r.table_name, sets, same)
                using r.before, r.after;
        exception when foreign_key_violation then
            null;
        end;
    end loop;
end $$;


-- The audit: what was done to credentials, users and people's data, and by whom. Each entry has the keyed hash of the
-- one before it, so one that is changed or removed later shows. Kith computes the hashes.

create table audit (
    seq     bigint primary key,
    at      timestamptz not null,
    -- The operator, an app with its key, or a user of an app.
    actor   text not null,
    app_id  bigint,
    action  text not null,
    -- The object of the action; a person is a keyed hash.
    subject text not null,
    detail  jsonb not null default '{}',
    prev    bytea not null,
    hash    bytea not null
);
create index audit_app on audit (app_id, seq);

create function keep_audit() returns trigger language plpgsql as $$
begin
    raise exception 'entries of the audit are neither changed nor deleted';
end $$;
create trigger audit_kept before update or delete on audit for each row execute function keep_audit();
create trigger audit_whole before truncate on audit for each statement execute function keep_audit();
