-- What belongs to a user or an app is found without reading everything, so that deleting an app of many users takes no
-- longer among millions of people. A reindex makes the index of the next vocabulary.
create index vocabulary_owner on vocabulary (owner) where owner <> '';

-- Indexes on an owner leave out the records of everyone; a statement has to say so to use them.
create or replace function drop_owned() returns trigger language plpgsql as $$
declare
    gone text := tg_argv[0] || ':' || old.id;
    ids  bigint[];
begin
    if not exists (select from owners where key = gone) then
        return null;
    end if;
    with p as (delete from people where owner = gone and owner <> '' returning id) select array_agg(id) into ids from p;
    delete from person_blocks where person_id = any(ids);
    delete from tenures where person_id = any(ids);
    delete from studies where person_id = any(ids);
    delete from companies where owner = gone and owner <> '';
    delete from vocabulary where owner = gone and owner <> '';
    insert into deleted (kind, id) select 1, unnest(ids) on conflict (kind, id) do update set deleted_at = now();
    insert into outbox (kind, id) select 1, unnest(ids);
    return null;
end $$;
