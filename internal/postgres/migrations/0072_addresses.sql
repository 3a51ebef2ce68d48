-- Addresses that a user's files have of people whose record is everyone's: they are the
-- user's alone.
create table known_addresses (
    user_id   bigint not null references users on delete cascade,
    person_id bigint not null references people on delete cascade,
    email     text not null,
    primary key (user_id, email, person_id)
);
create index known_addresses_person on known_addresses (person_id);

create trigger erased after delete on known_addresses
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
