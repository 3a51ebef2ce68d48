-- What integrations note of opened e-mails and followed links; and webhooks are
-- told of jobs that end.

alter table integrations
    add column track_opens boolean not null default false,
    add column track_clicks boolean not null default false;

alter table webhook_events
    alter column history_id drop not null,
    add column job_id text collate "C" references jobs on delete cascade,
    add constraint webhook_events_subject check (num_nonnulls(history_id, job_id) = 1);
create index webhook_events_job on webhook_events (job_id) where job_id is not null;

-- In the transaction that ends a job, whatever ends it.
create function announce_job() returns trigger language plpgsql as $$
begin
    insert into webhook_events (app_id, webhook_id, user_id, job_id)
    select w.app_id, w.id, u.id, new.id from users u join webhooks w on w.app_id = u.app_id where u.id = new.user_id;
    return null;
end $$;
create trigger jobs_announced after update on jobs for each row
    when (old.finished_at is null and new.finished_at is not null) execute function announce_job();
