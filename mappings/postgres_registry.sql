-- The versions of the index. A name is never given twice, so a query that
-- names a version's tables can never read those of another.
-- fields are the fields that the bitmaps of its rows are about, bit by bit; null for a
-- version that an earlier Kith made, whose terms are texts and not hashes. shingled tells whether the terms of its documents have shingles among them: those
-- of versions that an earlier Kith made have not.
CREATE TABLE IF NOT EXISTS index_versions (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE GENERATED ALWAYS AS ('v' || number::text) STORED,
  active boolean NOT NULL DEFAULT false,
  shingled boolean NOT NULL DEFAULT false,
  fields text[],
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX IF NOT EXISTS index_versions_active ON index_versions (active) WHERE active;

-- search_in_stages runs the statements of a search in stages, one after the other, until enough documents are found,
-- and counts. Each element of asked has
--   sql: a statement; of a stage it takes as $1 who was found before, and as $2 how many more are wanted;
--   stage: the number of its stage; null of a count;
--   within: the counts, by their place among the counts before, of documents that those of this statement are among.
-- No statement is run, or planned, that can find nobody but the first known documents, as a count in within tells.
-- Where the stages are apart, each is answered for itself. A count comes as the id of a stage of -1.
CREATE OR REPLACE FUNCTION search_in_stages(asked json, known integer, enough integer, apart boolean)
RETURNS TABLE (stage bigint, id bigint, place bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
  one json;
  seen bigint[] := '{}';
  counts bigint[] := '{}';
  last bigint := -1;
BEGIN
  FOR one IN SELECT json_array_elements(asked) LOOP
    stage := one ->> 'stage';
    id := (SELECT min(counts[w::integer + 1]) FROM json_array_elements_text(one -> 'within') w);
    IF stage IS NULL THEN
      IF id IS NULL OR id > known THEN
        EXECUTE one ->> 'sql' INTO id;
      END IF;
      counts := counts || id;
      stage := -1;
      RETURN NEXT;
    ELSIF id IS NULL OR id > known THEN
      IF apart AND stage <> last THEN
        seen := '{}';
      END IF;
      last := stage;
      IF cardinality(seen) < enough THEN
        FOR id, place IN EXECUTE one ->> 'sql' USING seen, enough - cardinality(seen) LOOP
          seen := seen || id;
          RETURN NEXT;
        END LOOP;
      END IF;
    END IF;
  END LOOP;
END $$;
