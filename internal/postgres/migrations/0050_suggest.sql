-- What is completed from the vocabulary.

-- How a record writes the term; null in rows from before, until the next reindex.
alter table vocabulary add column text text;
alter table vocabulary_next add column text text;

-- Terms by the words inside them, by their beginnings too.
create index vocabulary_words on vocabulary using gin (array_to_tsvector(string_to_array(term, ' ')))
    with (fastupdate = off) where term like '% %';
create index vocabulary_next_words on vocabulary_next using gin (array_to_tsvector(string_to_array(term, ' ')))
    with (fastupdate = off) where term like '% %';
