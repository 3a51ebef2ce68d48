-- Blocking keys: who may be one person is looked for among those who share one. A key is the
-- hash of a name together with a company, a school or a city, and of the owner.
create table person_blocks (
    key       bigint not null,
    person_id bigint not null
);
create index person_blocks_key on person_blocks (key);
create index person_blocks_person on person_blocks (person_id);

create trigger erased after delete on person_blocks
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();

-- Names alone are no longer looked up.
alter table people drop column if exists name_key;
do $$ begin
    if to_regclass('person_identifiers') is not null then
        delete from person_identifiers where kind = 4;
    end if;
end $$;

-- Records go with their owner.
create or replace function drop_owned() returns trigger language plpgsql as $$
declare
    gone text := tg_argv[0] || ':' || old.id;
    ids  bigint[];
begin
    if not exists (select from owners where key = gone) then
        return null;
    end if;
    with p as (delete from people where owner = gone returning id) select array_agg(id) into ids from p;
    delete from person_blocks where person_id = any(ids);
    delete from tenures where owner = gone;
    delete from studies where owner = gone;
    delete from companies where owner = gone;
    delete from vocabulary where owner = gone;
    insert into deleted (kind, id) select 1, unnest(ids) on conflict (kind, id) do update set deleted_at = now();
    insert into outbox (kind, id) select 1, unnest(ids);
    return null;
end $$;
