-- The recently written people, by transaction. Processes use it to update their caches of people. Writers delete old
-- rows.

CREATE TABLE IF NOT EXISTS people_written_{{v}} (
  tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ids bigint[] NOT NULL
);
CREATE INDEX IF NOT EXISTS people_written_{{v}}_tx ON people_written_{{v}} (tx);
