"""SQLite with FTS5: full-text indexes on titles, names (trigrams) and texts, b-trees on the rest."""

import pathlib
import sqlite3

import people
from systems.sql import JOB, STUDY, Database

TABLES = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;
CREATE TABLE people (id INTEGER PRIMARY KEY, rank INTEGER, name TEXT, city TEXT, country TEXT, began TEXT, record TEXT);
CREATE TABLE jobs (job INTEGER PRIMARY KEY, person INTEGER, current INTEGER,
  company TEXT, industry TEXT, size INTEGER, founded INTEGER, stage TEXT);
CREATE TABLE studies (person INTEGER, school TEXT, degree TEXT, field TEXT, ended INTEGER);
CREATE TABLE skills (skill TEXT, person INTEGER, PRIMARY KEY (skill, person)) WITHOUT ROWID;
CREATE VIRTUAL TABLE titles USING fts5(title, content='');
CREATE VIRTUAL TABLE names USING fts5(name, content='', tokenize='trigram');
CREATE VIRTUAL TABLE texts USING fts5(headline, about, content='');
CREATE VIEW now AS SELECT * FROM jobs WHERE current;
CREATE VIEW past AS SELECT * FROM jobs WHERE NOT current;
"""

INDEXES = """
CREATE UNIQUE INDEX people_rank ON people (rank);
CREATE INDEX people_name ON people (name);
CREATE INDEX people_city ON people (city, rank);
CREATE INDEX people_country ON people (country, rank);
CREATE INDEX jobs_person ON jobs (person);
CREATE INDEX jobs_company ON jobs (company, current);
CREATE INDEX studies_school ON studies (school);
CREATE INDEX studies_field ON studies (field, ended);
ANALYZE;
"""


class SQLite(Database):
    name = "SQLite FTS5"
    key = "sqlite"
    is_library = True

    def load(self, folder: pathlib.Path) -> None:
        self.db = sqlite3.connect(self.folder / "people.db", isolation_level=None)
        self.db.create_function("similarity", 2, similarity, deterministic=True)
        self.db.executescript(TABLES)
        self.db.execute("BEGIN")
        for row in people.rows(folder):
            self.insert(row)
        self.db.execute("COMMIT")
        self.db.executescript(INDEXES)

    def insert(self, row: dict) -> None:
        run, person = self.db.execute, row["id"]
        run("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, ?)",
            [row[c] for c in ("id", "rank", "name", "city", "country", "began", "record")])
        run("INSERT INTO names (rowid, name) VALUES (?, ?)", [person, row["name"]])
        run("INSERT INTO texts (rowid, headline, about) VALUES (?, ?, ?)", [person, row["headline"], row["about"]])
        for current, jobs in ((1, row["now"]), (0, row["past"])):
            for job in jobs:
                made = run("INSERT INTO jobs VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
                           [person, current, *(job[c] for c in JOB[1:])])
                run("INSERT INTO titles (rowid, title) VALUES (?, ?)", [made.lastrowid, job["title"]])
        self.db.executemany("INSERT INTO studies VALUES (?, ?, ?, ?, ?)",
                            [[person, *(s[c] for c in STUDY)] for s in row["studies"]])
        self.db.executemany("INSERT OR IGNORE INTO skills VALUES (?, ?)", [[s, person] for s in row["skills"]])

    def query(self, statement: str) -> list[tuple]:
        return self.db.execute(statement).fetchall()


def similarity(a: str, b: str) -> float:
    """The share of trigrams that two names have in common."""
    one, other = ({text[i:i + 3] for i in range(len(text) - 2)} for text in (a, b))
    return len(one & other) / max(len(one | other), 1)
