-- The marks that the index may have which follows these records. The first is
-- that of an index which was given none yet.
create table index_marks (
    number bigint primary key generated always as identity,
    mark   text not null unique
);
insert into index_marks (mark) values ('');
