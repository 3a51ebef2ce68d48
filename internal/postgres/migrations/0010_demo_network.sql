-- The person who a user is, where it is known otherwise than by the e-mail
-- address: addresses in the demo are masked.
alter table users add column person_id bigint references people on delete set null;
create index users_person on users (person_id) where person_id is not null;

-- What a new user of the demo knows. In a live directory the tables are empty.
create table demo_contacts (
    person_id bigint primary key references people on delete cascade,
    score     double precision not null,
    kinds     smallint not null
);
create table demo_teams (
    team_id bigint primary key references teams on delete cascade
);

-- Every user of the demo begins with a copy.
create function demo_welcome(newcomer bigint) returns void language sql as $$
    insert into relationships (user_id, person_id, score, kinds) select newcomer, person_id, score, kinds from demo_contacts on conflict do nothing;
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
