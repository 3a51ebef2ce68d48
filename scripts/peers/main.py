"""Measures Kith and its peers side by side: the same people, the same searches, in one run (docs/performance.md)."""

import argparse
import datetime
import os
import pathlib
import signal
import subprocess
import sys

import judge
import memory
import oracle
import people
import report
import searches
from peer import Failed, Peer
from systems import System
from systems.duckdb import DuckDB
from systems.elasticsearch import Elasticsearch
from systems.kith import Kith, KithByPrompt, KithOnElasticsearch
from systems.postgres import Postgres
from systems.sqlite import SQLite
from systems.tantivy import Tantivy

SYSTEMS: list[type[System]] = [
    Kith, KithByPrompt, KithOnElasticsearch, Postgres, Elasticsearch, SQLite, Tantivy, DuckDB,
]
WARM_UP = 3  # rounds
DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "performance.md"


def main() -> None:
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was started is stopped
    before = os.getloadavg()[0]
    wanted = searches.read(datetime.date.today())
    files = options.dir / "files"
    (options.dir / "systems").mkdir()
    peers = [Peer(kind, options.dir / "systems") for kind in SYSTEMS if not options.only or kind.name in options.only]
    try:
        slow = [peer for peer in peers if peer.kind.starts_slowly]
        for peer in slow:
            peer.send("start")
        say(f"{options.people:,} people")
        subprocess.run([os.environ["PEERS_KITH"], "generate", "--people", str(options.people), str(files)], check=True)
        people.prepare(files)
        say("oracle")
        expected = oracle.answers(wanted, files)
        for peer in slow:
            peer.receive()
        for peer in peers:
            load(peer, files)
        for peer in peers:
            check(peer, wanted, expected)
        measure(peers, wanted, options.rounds)
        for peer in peers:
            peer.disk = sum(size(folder) for folder in peer.call("stored")[0])
    finally:
        for peer in reversed(peers):  # a server goes after those who share it
            peer.close()
    text = report.report(peers, wanted, expected, report.about(options.people, options.rounds, before))
    print(text)
    if options.write:
        report.write(text, DOCUMENT)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/peers/run", description=__doc__)
    parser.add_argument('--people', type=int, default=1_000_000)
    parser.add_argument('--rounds', type=int, default=100, help="how often each search is timed, after warming up")
    parser.add_argument('--only', action="append", help="name of a system; can be repeated")
    parser.add_argument('--write', action="store_true", help="write the tables to docs/performance.md")
    parser.add_argument('--dir', type=pathlib.Path, required=True, help=argparse.SUPPRESS)  # run gives it
    options = parser.parse_args()
    names = [kind.name for kind in SYSTEMS]
    for name in options.only or []:
        if name not in names:
            parser.error(f"unknown system {name!r}; use one of {', '.join(names)}")
    return options


def load(peer: Peer, files: pathlib.Path) -> None:
    """Loads the people into a system, while the others are idle."""
    if not peer.kind.starts_slowly:
        peer.call("start")
    say(f"{peer.name}: load")
    with memory.Watch({peer.name: peer.pids}, every=2) as watch:
        _, peer.load = peer.call("load", files)
    peer.loading = watch.most[peer.name]
    peer.call("open")


def check(peer: Peer, wanted: list[dict], expected: list[dict]) -> None:
    """Compares the answers of a system with the oracle's."""
    say(f"{peer.name}: answers")
    for search, meant in zip(wanted, expected):
        if peer.call("expression", search)[0] is None:
            continue
        try:
            peer.wrong[search["ask"]] = judge.judge(peer, search, meant)
        except Failed as error:
            say(f"{search['ask']}: {error}")
            peer.failed[search["ask"]] += 1


def measure(peers: list[Peer], wanted: list[dict], rounds: int) -> None:
    """Times all searches, round after round. Each search goes to all systems in turn, and another one begins each
    round, so that what else the machine does hits all alike."""
    after = positions(peers, wanted)
    with memory.Watch({peer.name: peer.pids for peer in peers if not peer.kind.shares}, every=5) as watch:
        for turn in range(WARM_UP + rounds):
            if turn % 10 == 0:
                say(f"round {turn + 1} of {WARM_UP + rounds}")
            first = turn % len(peers)
            for search in wanted:
                for peer in peers[first:] + peers[:first]:
                    if search["ask"] in peer.wrong:
                        milliseconds = time_one(peer, search, after.get((peer.name, search["ask"])))
                        if turn >= WARM_UP and milliseconds:
                            peer.times.setdefault(search["ask"], []).append(milliseconds)
    for peer in peers:
        peer.searching = watch.most.get(peer.name, 0)


def positions(peers: list[Peer], wanted: list[dict]) -> dict:
    """Where each system goes on with the searches whose later pages are timed."""
    after = {}
    for peer in peers:
        for search in wanted:
            if search["kind"] == "deep" and search["ask"] in peer.wrong:
                try:
                    after[peer.name, search["ask"]] = peer.call("position", search)[0]
                except Failed as error:
                    say(f"{search['ask']}: {error}")
                    peer.failed[search["ask"]] += 1
    return after


def time_one(peer: Peer, search: dict, after) -> float | None:
    """How long an answer takes; None if there is none."""
    try:
        return peer.call("answer", search, after)[1] * 1000
    except Failed as error:
        say(f"{search['ask']}: {error}")
        peer.failed[search["ask"]] += 1
        return None


def size(folder: pathlib.Path) -> int:
    """The disk that a folder takes, without Postgres's log of changes, which grows with a load and is reused."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*")
               if path.is_file() and "pg_wal" not in path.parts)


def say(text: str) -> None:
    print(datetime.datetime.now().strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
