-- People and companies, the queue of what the index has yet to hear of, and
-- settings. Names are unqualified: the schema is chosen by search_path.

create sequence person_id;
create sequence company_id;
-- Versions of people and companies come from one sequence and are given out
-- under the writers' lock, so a later commit always has the higher version.
create sequence record_version;

create table companies (
    id         bigint primary key check (id > 0),
    social_key text unique deferrable,
    domain_key text,
    name_key   text not null,
    record     jsonb not null,
    hash       bytea not null,
    rank       bigint not null,
    version    bigint not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
create index companies_domain on companies (domain_key) where domain_key is not null;
create index companies_name on companies (name_key);

create table people (
    id          bigint primary key check (id > 0),
    social_key  text not null unique,
    social_id   text not null,
    email       text,
    -- A job's company is kept as its id only; readers fill in the rest.
    record      jsonb not null,
    hash        bytea not null,
    rank        bigint not null,
    version     bigint not null,
    company_ids bigint[] not null,
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now()
);
create index people_social_id on people (social_id);
create index people_email on people (email) where email is not null;
create index people_company_ids on people using gin (company_ids);

create table outbox (
    seq  bigserial primary key,
    kind smallint not null,
    id   bigint not null
);

-- Records that the engine refused; they are tried again by a reindex and when
-- the record changes.
create table outbox_failed (
    kind      smallint not null,
    id        bigint not null,
    reason    text not null,
    failed_at timestamptz not null default now(),
    primary key (kind, id)
);

-- What was deleted since the last reindex, so that a reindex under way does
-- not bring it back.
create table deleted (
    kind       smallint not null,
    id         bigint not null,
    deleted_at timestamptz not null default now(),
    primary key (kind, id)
);

create table settings (
    key   text primary key,
    value jsonb not null
);
