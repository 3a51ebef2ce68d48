-- A webhook of a user is told of what is theirs alone; one without a user is told of all users of its app.
alter table webhooks add column user_id bigint references users on delete cascade;
create index webhooks_user on webhooks (user_id) where user_id is not null;

create or replace function announce_history() returns trigger language plpgsql as $$
begin
    if current_setting('kith.restoring', true) = 'on' then
        return null;
    end if;
    insert into webhook_events (app_id, webhook_id, user_id, history_id)
    select w.app_id, w.id, a.user_id, a.id from added a join users u on u.id = a.user_id
    join webhooks w on w.app_id = u.app_id and (w.user_id is null or w.user_id = u.id);
    return null;
end $$;

create or replace function announce_job() returns trigger language plpgsql as $$
begin
    insert into webhook_events (app_id, webhook_id, user_id, job_id)
    select w.app_id, w.id, u.id, new.id from users u
    join webhooks w on w.app_id = u.app_id and (w.user_id is null or w.user_id = u.id)
    where u.id = new.user_id and w.created_at <= new.finished_at;
    return null;
end $$;
