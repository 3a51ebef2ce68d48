-- Who of an app's users brought a suppression about: they alone see it, while it counts for the whole app. Null is one
-- from before. A user who is gone leaves it behind, so the column refers to no row.
alter table suppressions
    drop constraint suppressions_pkey,
    add column id bigint generated always as identity primary key,
    add column user_id bigint;
create unique index suppressions_of_user on suppressions (app_id, address, coalesce(user_id, 0));
