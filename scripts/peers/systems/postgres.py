"""Postgres without Kith: programs and settings of Kith's own server, plain tables with GIN and b-tree indexes."""

import os
import pathlib
import signal
import subprocess
import time

import psycopg

import people
from systems.sql import JOB, STUDY, Database

TABLES = """
CREATE EXTENSION pg_trgm;
CREATE TABLE people (id bigint, rank bigint, name text, headline text, about text, city text, country text, began date,
  skills text[], record text,
  texts tsvector GENERATED ALWAYS AS (to_tsvector('simple', headline || ' . ' || about)) STORED);
CREATE TABLE jobs (person bigint, current boolean, words text, company text, industry text, size int, founded int,
  stage text, title tsvector GENERATED ALWAYS AS (to_tsvector('simple', words)) STORED);
CREATE TABLE studies (person bigint, school text, degree text, field text, ended int);
CREATE VIEW now AS SELECT * FROM jobs WHERE current;
CREATE VIEW past AS SELECT * FROM jobs WHERE NOT current;
"""

INDEXES = """
ALTER TABLE people ADD PRIMARY KEY (id);
CREATE UNIQUE INDEX ON people (rank);
CREATE INDEX ON people (name);
CREATE INDEX ON people (city, rank);
CREATE INDEX ON people (country, rank);
CREATE INDEX ON people USING gin (skills);
CREATE INDEX ON people USING gin (texts);
CREATE INDEX ON people USING gin (name gin_trgm_ops);
CREATE INDEX ON jobs (person);
CREATE INDEX ON jobs (company);
CREATE INDEX ON jobs USING gin (title);
CREATE INDEX ON studies (school);
CREATE INDEX ON studies (field, ended);
"""

PERSON = ("id", "rank", "name", "headline", "about", "city", "country", "began", "skills", "record")
# Settings that belong to one server, not to Kith.
OWN = ("listen_addresses", "unix_socket_directories", "unix_socket_permissions", "port", "hba_file")


class Postgres(Database):
    name = "Postgres"
    key = "postgres"
    server = None

    def start(self) -> None:
        """Starts a server like the running one of Kith on Postgres, as the same user."""
        program, settings, owner = kiths_server(self.folder.parent / "kith-on-postgres")
        data, run = self.folder / "data", self.folder / "run"
        for path in (self.folder, data, run):
            path.mkdir()
            os.chown(path, owner.st_uid, owner.st_gid)
        data.chmod(0o700)
        self.owner = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []} if os.geteuid() == 0 else {}
        self.log = open(self.folder / "postgres.log", "w", encoding="utf-8")
        subprocess.run([program.with_name("initdb"), "-D", data, "-U", "peers", "-A", "trust", "-E", "UTF8",
                        "--locale", "C", "--no-sync"], check=True, cwd="/", stdout=self.log, stderr=self.log,
                       **self.owner)
        arguments = [word for setting in settings for word in ("-c", setting)]
        self.server = subprocess.Popen(
            [program, "-D", data, "-c", "listen_addresses=", "-c", f"unix_socket_directories={run}", *arguments],
            cwd="/", stdout=self.log, stderr=self.log, start_new_session=True, **self.owner)
        self.connect(run)

    def connect(self, run: pathlib.Path) -> None:
        while True:
            try:
                self.db = psycopg.connect(host=str(run), user="peers", dbname="postgres", autocommit=True)
                return
            except psycopg.OperationalError:
                if self.server.poll() is not None:
                    raise
                time.sleep(0.1)

    def stored(self) -> list[pathlib.Path]:
        return [self.folder / "data"]

    def load(self, folder: pathlib.Path) -> None:
        self.db.execute(TABLES)
        self.copy(f"people ({', '.join(PERSON)})", ([row[c] for c in PERSON] for row in people.rows(folder)))
        self.copy("jobs (person, current, words, " + ", ".join(JOB[1:]) + ")", (
            [row["id"], current, *(job[c] for c in JOB)] for row in people.rows(folder)
            for current, jobs in ((True, row["now"]), (False, row["past"])) for job in jobs))
        self.copy("studies", ([row["id"], *(study[c] for c in STUDY)] for row in people.rows(folder)
                              for study in row["studies"]))
        for statement in INDEXES.strip().splitlines():
            self.db.execute(statement)
        self.db.execute("VACUUM ANALYZE")

    def copy(self, table: str, rows) -> None:
        with self.db.cursor().copy(f"COPY {table} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def query(self, statement: str) -> list[tuple]:
        return self.db.execute(statement).fetchall()

    def close(self) -> None:
        if self.server:
            self.server.send_signal(signal.SIGINT)  # ends without waiting for connections
            self.server.wait(120)


def kiths_server(folder: pathlib.Path) -> tuple[pathlib.Path, list[str], os.stat_result]:
    """The program, the settings and the owner of the Postgres that Kith runs on a folder."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_text(encoding="utf-8").split("\0")
            if pathlib.Path(words[0]).name == "postgres" and any(w.startswith(str(folder)) for w in words):
                settings = [words[i + 1] for i, word in enumerate(words) if word == "-c"]
                return (pathlib.Path(words[0]), [s for s in settings if s.split("=")[0] not in OWN], process.stat())
        except (OSError, UnicodeDecodeError):
            continue  # it has ended, or is not ours
    raise RuntimeError(f"no Postgres of Kith runs on {folder}: start Kith first")
