-- How often users and people were in contact, and what relationships are made of:
-- nothing of what was said.

create table contacts (
    user_id   bigint not null references users on delete cascade,
    person_id bigint not null references people on delete cascade,
    -- The place of the kind in the list of package network.
    kind      smallint not null,
    -- Months since the year 0: files that overlap say the same of a month.
    month     integer not null,
    outgoing  bigint not null check (outgoing >= 0),
    incoming  bigint not null check (incoming >= 0),
    first_day integer not null,
    last_day  integer not null check (last_day >= first_day),
    primary key (user_id, person_id, kind, month)
);
create index contacts_person on contacts (person_id);

-- What was given as the score of a relationship, where contacts and times together
-- made another of it; since which day it is known to be there.
alter table relationships
    add column given double precision check (given between 0 and 10),
    add column since integer;

create trigger erased after delete on contacts
    for each row when (current_setting('kith.erasing', true) = 'on') execute function keep_erased();
