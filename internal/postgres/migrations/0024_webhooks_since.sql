-- A webhook is told of jobs that end from when it was added on: those that ended before
-- may be looked at only later.
create or replace function announce_job() returns trigger language plpgsql as $$
begin
    insert into webhook_events (app_id, webhook_id, user_id, job_id)
    select w.app_id, w.id, u.id, new.id from users u join webhooks w on w.app_id = u.app_id
    where u.id = new.user_id and w.created_at <= new.finished_at;
    return null;
end $$;
