-- What was done to credentials, users and people's data, and by whom. Each entry has the
-- hash of the one before it, so one that is changed or taken out later shows.
create table audit (
    seq     bigint primary key,
    at      timestamptz not null,
    -- Who did it: the operator, an app with its key, or a user of an app.
    actor   text not null,
    app_id  bigint,
    action  text not null,
    -- Whom or what it was done to; a person is a keyed hash.
    subject text not null,
    detail  jsonb not null default '{}',
    prev    bytea not null,
    hash    bytea not null
);
create index audit_app on audit (app_id, seq);

-- What is hashed of an entry.
create function audit_text(e audit) returns text language sql immutable as $$
    select concat_ws(chr(31), e.seq::text, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), e.actor, coalesce(e.app_id::text, ''),
        e.action, e.subject, e.detail::text, encode(e.prev, 'hex'))
$$;

-- Entries take turns until their transactions end, so an entry is the last thing that a
-- transaction does, but for keeping answers.
create function append_audit() returns trigger language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtext('kith audit'), hashtext(tg_table_schema));
    select coalesce(max(seq), 0) + 1 into new.seq from audit;
    select coalesce((select hash from audit where seq = new.seq - 1), '\x') into new.prev;
    new.at := clock_timestamp();
    new.hash := sha256(convert_to(audit_text(new), 'UTF8'));
    return new;
end $$;
create trigger audit_appended before insert on audit for each row execute function append_audit();

create function keep_audit() returns trigger language plpgsql as $$
begin
    raise exception 'entries of the audit are neither changed nor deleted';
end $$;
create trigger audit_kept before update or delete on audit for each row execute function keep_audit();
create trigger audit_whole before truncate on audit for each statement execute function keep_audit();
