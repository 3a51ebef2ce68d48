-- The versions of the index. A name is never given twice, so a query that
-- names a version's tables can never read those of another.
-- shingled tells whether the terms of its documents have shingles among them: those
-- of versions that an earlier Kith made have not.
CREATE TABLE IF NOT EXISTS index_versions (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE GENERATED ALWAYS AS ('v' || number::text) STORED,
  active boolean NOT NULL DEFAULT false,
  shingled boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX IF NOT EXISTS index_versions_active ON index_versions (active) WHERE active;
