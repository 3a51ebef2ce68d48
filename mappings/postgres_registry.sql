-- The versions of the index. Names are never reused, so a query on a version's tables cannot read another version.
-- fields names the bits of present in its rows.
CREATE TABLE IF NOT EXISTS index_versions (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE GENERATED ALWAYS AS ('v' || number::text) STORED,
  active boolean NOT NULL DEFAULT false,
  fields text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX IF NOT EXISTS index_versions_active ON index_versions (active) WHERE active;

-- search_in_stages runs the statements of a search in order until it has enough documents, and counts. For each
-- statement
--   stages has its stage, or null for a count. The statement of a stage gets the documents found so far as $1, and the
--     number still missing as $2;
--   within has the positions of earlier counts whose documents include those of the statement;
--   unless has the positions of earlier counts that make this count unnecessary once one of them reaches count_to.
-- It skips a statement without planning it if a count in within shows that it finds only the known documents, or if
-- unless makes it unnecessary. If apart is true, each stage may find the documents of earlier ones again. A count is
-- returned as the id of stage -1.
CREATE OR REPLACE FUNCTION search_in_stages(statements text[], stages integer[], within text[], unless text[],
  known integer, enough integer, count_to integer, apart boolean)
RETURNS TABLE (stage bigint, id bigint, place bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
  seen bigint[] := '{}';
  counts bigint[] := '{}';
  last bigint := -1;
  most bigint;
  other integer;
BEGIN
  FOR i IN 1 .. cardinality(statements) LOOP
    stage := stages[i];
    id := NULL;
    FOREACH other IN ARRAY within[i]::integer[] LOOP
      id := LEAST(id, counts[other]);
    END LOOP;
    IF stage IS NULL THEN
      most := NULL;
      FOREACH other IN ARRAY unless[i]::integer[] LOOP
        most := GREATEST(most, counts[other]);
      END LOOP;
      IF most >= count_to THEN
        counts := counts || NULL::bigint;
        id := 0;
      ELSE
        IF id IS NULL OR id > known THEN
          EXECUTE statements[i] INTO id;
        END IF;
        counts := counts || id;
      END IF;
      stage := -1;
      RETURN NEXT;
    ELSIF id IS NULL OR id > known THEN
      IF apart AND stage <> last THEN
        seen := '{}';
      END IF;
      last := stage;
      IF cardinality(seen) < enough THEN
        FOR id, place IN EXECUTE statements[i] USING seen, enough - cardinality(seen) LOOP
          seen := seen || id;
          RETURN NEXT;
        END LOOP;
      END IF;
    END IF;
  END LOOP;
END $$;
