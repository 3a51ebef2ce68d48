-- With its owner, a company also leaves the index.
create or replace function drop_owned() returns trigger language plpgsql as $$
declare
    gone        text := tg_argv[0] || ':' || old.id;
    people_ids  bigint[];
    company_ids bigint[];
begin
    if not exists (select from owners where key = gone) then
        return null;
    end if;
    with p as (delete from people where owner = gone and owner <> '' returning id)
        select array_agg(id) into people_ids from p;
    with c as (delete from companies where owner = gone and owner <> '' returning id)
        select array_agg(id) into company_ids from c;
    delete from person_blocks where person_id = any(people_ids);
    delete from tenures where person_id = any(people_ids);
    delete from studies where person_id = any(people_ids);
    delete from vocabulary where owner = gone and owner <> '';
    insert into deleted (kind, id) select 1, unnest(people_ids) union all select 2, unnest(company_ids)
        on conflict (kind, id) do update set deleted_at = now();
    insert into outbox (kind, id) select 1, unnest(people_ids) union all select 2, unnest(company_ids);
    return null;
end $$;
