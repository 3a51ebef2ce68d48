-- Whose records are: everyone's ('', from the operator's loads), an app's (app:1) or a
-- user's (user:1). One profile has a record for each owner at most.

-- Who brought records of their own. A row outlives its app or user, so that what was
-- theirs stays hidden until it is gone from the index.
create table owners (
    key     text primary key,
    app_id  bigint references apps on delete set null,
    user_id bigint references users on delete set null
);
create index owners_app on owners (app_id);
create index owners_user on owners (user_id);

alter table people add column owner text not null default '';
alter table people drop constraint people_social_key_key;
alter table people add constraint people_profile unique (social_key, owner);
create index people_owner on people (owner) where owner <> '';

alter table companies add column owner text not null default '';
alter table companies drop constraint companies_social_key_key;
alter table companies add constraint companies_profile unique (social_key, owner) deferrable;
create index companies_owner on companies (owner) where owner <> '';

-- Who was where is read without the rows.
alter table tenures add column owner text not null default '';
alter table studies add column owner text not null default '';
drop index tenures_company;
create index tenures_company on tenures (company_id) include (person_id, from_day, to_day, owner);
drop index studies_school;
create index studies_school on studies (school) include (person_id, from_day, to_day, owner);

-- The words of records are known to those who see the records.
alter table vocabulary add column owner text collate "C" not null default '';
alter table vocabulary drop constraint vocabulary_pkey, add primary key (term, kind, owner);
alter table vocabulary_next add column owner text collate "C" not null default '';
alter table vocabulary_next drop constraint vocabulary_next_pkey, add primary key (term, kind, owner);

-- Records go with their owner.
create function drop_owned() returns trigger language plpgsql as $$
declare
    gone text := tg_argv[0] || ':' || old.id;
    ids  bigint[];
begin
    if not exists (select from owners where key = gone) then
        return null;
    end if;
    with p as (delete from people where owner = gone returning id) select array_agg(id) into ids from p;
    delete from tenures where owner = gone;
    delete from studies where owner = gone;
    delete from companies where owner = gone;
    delete from vocabulary where owner = gone;
    insert into deleted (kind, id) select 1, unnest(ids) on conflict (kind, id) do update set deleted_at = now();
    insert into outbox (kind, id) select 1, unnest(ids);
    return null;
end $$;
create trigger drop_owned after delete on users for each row execute function drop_owned('user');
create trigger drop_owned after delete on apps for each row execute function drop_owned('app');
