-- Erasures that can be cancelled. A person who is to be forgotten leaves all tables
-- at once; what left them is kept here, sealed, until the erasure is final.
create table erasures (
    id          bigint generated always as identity primary key,
    -- Who asked for it: an app by its name, or the operator; app_id is null then.
    actor       text not null,
    app_id      bigint references apps on delete set null,
    -- The keyed hashes that keep the person out, and those of them that were new.
    marks       bytea[] not null,
    added       bytea[] not null,
    created_at  timestamptz not null default now(),
    final_at    timestamptz not null,
    canceled_at timestamptz,
    -- Gone once the erasure is final or cancelled.
    archive     bytea
);
create index erasures_final on erasures (final_at) where archive is not null;
create index erasures_app on erasures (app_id, created_at);
create index erasures_marks on erasures using gin (marks);

-- Rows as they were before an erasure, within its transaction.
create unlogged table erased_rows (
    seq        bigint generated always as identity,
    table_name text not null,
    -- Null where the erasure made the row, and where it deleted it.
    before     jsonb,
    after      jsonb
);

create function keep_erased() returns trigger language plpgsql as $$
begin
    insert into erased_rows (table_name, before, after)
    values (tg_table_name, case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end);
    return null;
end $$;

create trigger erased after update or delete on people
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after update or delete on relationships
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
create trigger erased after delete on tenures
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
create trigger erased after delete on studies
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();

-- put_back undoes changes: deletions first, of owners before what they own, then the
-- rest, the last first. A row whose owner has gone meanwhile stays away, and a column that
-- was changed since stays as it is.
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
                execute format('insert into %1$I overriding system value select * from jsonb_populate_record(null::%1$I, $1) on conflict do nothing', r.table_name)
                    using r.before;
                continue;
            end if;
            select string_agg(format('%1$I = b.%1$I', key), ', '), string_agg(format('t.%1$I is not distinct from a.%1$I', key), ' and ')
                into sets, same from jsonb_each(r.before) where value is distinct from r.after -> key;
            continue when sets is null;
            execute format('update %1$I t set %2$s from jsonb_populate_record(null::%1$I, $1) b, jsonb_populate_record(null::%1$I, $2) a
                    where t.user_id = b.user_id and t.id = b.id and %3$s', r.table_name, sets, same)
                using r.before, r.after;
        exception when foreign_key_violation then
            null;
        end;
    end loop;
end $$;

-- What is put back in a history has been announced before.
create or replace function announce_history() returns trigger language plpgsql as $$
begin
    if current_setting('kith.restoring', true) = 'on' then
        return null;
    end if;
    insert into webhook_events (app_id, webhook_id, user_id, history_id)
    select w.app_id, w.id, a.user_id, a.id from added a join users u on u.id = a.user_id join webhooks w on w.app_id = u.app_id;
    return null;
end $$;
