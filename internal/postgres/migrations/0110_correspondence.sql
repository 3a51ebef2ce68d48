-- Mail between users and addresses of nobody they know. It moves to contacts as soon as a person has the address: with
-- mail in both directions Kith stores one, and files may name one.
create table correspondence (
    user_id   bigint not null references users on delete cascade,
    email     text not null,
    -- As in contacts.
    month     integer not null,
    name      text not null,
    outgoing  bigint not null check (outgoing >= 0),
    incoming  bigint not null check (incoming >= 0),
    first_day integer not null,
    last_day  integer not null check (last_day >= first_day),
    imports   bigint[],
    primary key (user_id, email, month)
);
create index correspondence_email on correspondence (email);

create trigger erased after delete on correspondence
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();

-- The imports of several rows together; null if any of them has another source.
create aggregate jointly (bigint[]) (sfunc = joint, stype = bigint[], initcond = '{}');
