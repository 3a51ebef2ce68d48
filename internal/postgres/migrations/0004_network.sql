-- Relationships of users, what users share, and teams. A user's version rises
-- with every change of what is derived from these for the user or for others.

alter table users
    add column sharing text not null default 'none' check (sharing in ('none', 'team', 'community')),
    add column network_version bigint not null default 0,
    add column network_updated_at timestamptz;

create table relationships (
    id         bigint generated always as identity primary key,
    user_id    bigint not null references users on delete cascade,
    person_id  bigint not null references people on delete cascade,
    score      double precision not null check (score between 0 and 10),
    -- Bit i is kind i of the list in package network.
    kinds      smallint not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (user_id, person_id)
);
create index relationships_list on relationships (user_id, score desc, id);
create index relationships_person on relationships (person_id);

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
