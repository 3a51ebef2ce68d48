"""DuckDB: columns that are scanned. Its package lacks the extension for full text, which has no phrases anyway."""

import pathlib

import duckdb

from systems.sql import JOB, Database

TABLES = """
CREATE TABLE people AS SELECT id, rank, name, city, country, CAST(began AS DATE) AS began, skills,
  ' ' || headline || ' . ' || about || ' ' AS texts, record FROM loaded;
CREATE TABLE jobs AS {jobs};
CREATE TABLE studies AS SELECT person, s.* FROM (SELECT id AS person, unnest(studies) AS s FROM loaded);
CREATE VIEW now AS SELECT * FROM jobs WHERE current;
CREATE VIEW past AS SELECT * FROM jobs WHERE NOT current;
"""


class DuckDB(Database):
    name = "DuckDB"
    key = "duckdb"
    is_library = True

    def load(self, folder: pathlib.Path) -> None:
        self.db = duckdb.connect(str(self.folder / "people.duckdb"))
        self.db.execute("SET preserve_insertion_order = false")
        self.db.execute(f"CREATE TEMP VIEW loaded AS SELECT * FROM read_json('{folder / 'rows.ndjson'}')")
        jobs = " UNION ALL ".join(
            f"SELECT id AS person, {current} AS current, ' ' || j.title || ' ' AS title, "
            + ", ".join(f"j.{c} AS {c}" for c in JOB[1:]) + f" FROM (SELECT id, unnest({name}) AS j FROM loaded)"
            for name, current in (("now", "true"), ("past", "false")))
        self.db.execute(TABLES.format(jobs=jobs))
        self.db.execute("CHECKPOINT")

    def query(self, statement: str) -> list[tuple]:
        return self.db.execute(statement).fetchall()
