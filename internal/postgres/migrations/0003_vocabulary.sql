-- What words the people and companies of the directory have, and how many
-- people have each: what prompts are read with. Terms are compared byte by byte.

create table vocabulary (
    term   text collate "C" not null,
    kind   text collate "C" not null,
    people integer not null,
    primary key (term, kind)
) with (fillfactor = 85);

-- Under which keys the misspellings of a term are found; one row a term.
create table vocabulary_spelling (
    term text collate "C" primary key,
    keys integer[] not null
);
-- Without a list of pending entries, which every look-up would have to read.
create index vocabulary_spelling_keys on vocabulary_spelling using gin (keys) with (fastupdate = off);

-- The same, being rebuilt by a reindex, which swaps the two by their names.
create table vocabulary_next (
    term   text collate "C" not null,
    kind   text collate "C" not null,
    people integer not null,
    primary key (term, kind)
) with (fillfactor = 85);
create table vocabulary_spelling_next (
    term text collate "C" primary key,
    keys integer[] not null
);
create index vocabulary_spelling_next_keys on vocabulary_spelling_next using gin (keys) with (fastupdate = off);

-- True for a record that was stored for the first time: it is counted once.
alter table outbox add column fresh boolean not null default false;

-- The vocabulary comes from all records: have the next drainer read them.
delete from settings where key = 'index_built';
