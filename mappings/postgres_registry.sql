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
