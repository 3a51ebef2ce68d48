-- Who was written of late, and by which transaction: what a process keeps of
-- people in memory is brought level by it. Writers delete what is old.

CREATE TABLE IF NOT EXISTS people_written_{{v}} (
  tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ids bigint[] NOT NULL
);
CREATE INDEX IF NOT EXISTS people_written_{{v}}_tx ON people_written_{{v}} (tx);
