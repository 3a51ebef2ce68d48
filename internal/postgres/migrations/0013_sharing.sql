-- Whose shares count for a user is worked out only where it may have changed.

-- Rises when a user of the app changes whom it shares with, or who it is, and
-- when a team gets or loses a member.
alter table apps add column sharing_version bigint not null default 0;

drop index users_sharing;
create index users_sharing on users (app_id, lower(email)) where sharing <> 'none';

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
