-- What was noted of a merge goes with the user whose it is.
create index moved_rows_user on moved_rows (((row ->> 'user_id')::bigint));

create function drop_moved() returns trigger language plpgsql as $$
begin
    delete from moved_rows where (row ->> 'user_id')::bigint = old.id;
    return null;
end $$;
create trigger drop_moved after delete on users for each row execute function drop_moved();
