"""The tables of docs/performance.md."""

import datetime
import os
import pathlib
import statistics

from peer import Peer

BEGIN, END = "<!-- scripts/peers/run writes this -->", "<!-- until here -->"


def report(peers: list[Peer], searches: list[dict], expected: list[dict], about: str) -> str:
    lines = [about, "", f"| system | load, s | disk, MB | memory of the load, MB | of searches | median, ms | p99 "
             f"| searches of {len(searches)} | right |", "|" + "---|" * 9]
    lines += [system(p) for p in peers]
    lines += ["", "| search | matches | " + " | ".join(p.name for p in peers) + " |", "|" + "---|" * (len(peers) + 2)]
    lines += [f"| {s['ask']} | {len(e):,} | " + " | ".join(cell(p, s["ask"]) for p in peers) + " |"
              for s, e in zip(searches, expected)]
    return "\n".join(lines)


def system(p: Peer) -> str:
    """A row on a system, with the latency over all its searches."""
    whole = [f"{p.load:.0f}", f"{p.disk / 1e6:.0f}", f"{p.loading / 1e6:.0f}", f"{p.searching / 1e6:.0f}"]
    if p.kind.shares:
        whole = [""] * 4
    every = [t for times in p.times.values() for t in times]
    right = sum(not wrong for wrong in p.wrong.values())
    return "| " + " | ".join([p.name, *whole, milliseconds(statistics.median(every)), milliseconds(late(every)),
                              str(len(p.times)), str(right)]) + " |"


def cell(p: Peer, ask: str) -> str:
    """Median and p99 of a search, and what is wrong with its answer."""
    failed = f"failed {p.failed[ask]}" if p.failed[ask] else ""
    if ask not in p.times:
        return failed or "—"
    times = p.times[ask]
    text = f"{milliseconds(statistics.median(times))} / {milliseconds(late(times))}"
    remarks = ", ".join(r for r in (p.wrong[ask], failed) if r)
    return f"{text} ({remarks})" if remarks else text


def late(times: list[float]) -> float:
    """The time that at most one in a hundred exceeds."""
    return sorted(times)[-1 - len(times) // 100]


def milliseconds(t: float) -> str:
    return f"{t:.1f}" if t < 9.95 else f"{t:.0f}"


def about(people: int, rounds: int, before: float) -> str:
    return (f"{datetime.date.today()}, {people:,} people, {rounds} rounds, {os.cpu_count()} processors, whose load was "
            f"{before:.1f} before and {os.getloadavg()[0]:.1f} at the end.")


def write(text: str, path: pathlib.Path) -> None:
    """Replaces the tables of a document."""
    document = path.read_text(encoding="utf-8")
    before, _, rest = document.partition(BEGIN + "\n")
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"{path} lacks the lines {BEGIN} and {END}")
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")
