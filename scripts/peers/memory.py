"""Resident memory of systems: pages that several processes share count once (PSS)."""

import pathlib
import threading
import time
from collections.abc import Callable


def processes(folder: pathlib.Path) -> set[int]:
    """The processes with a folder in their command line, and their descendants."""
    parents: dict[int, int] = {}
    found: set[int] = set()
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            pid = int(process.name)
            parents[pid] = int((process / "stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[1])
            if f"{folder}/" in (process / "cmdline").read_text(encoding="utf-8").replace("\0", "/\0"):
                found.add(pid)
        except (OSError, UnicodeDecodeError):
            continue  # it has ended
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def resident(pids: set[int]) -> int:
    """The memory of processes, in bytes."""
    total = 0
    for pid in pids:
        try:
            text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
        except OSError:
            continue
        total += sum(int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith("Pss:"))
    return total


class Watch:
    """Notes the most memory of named systems, from time to time, until it is left. Looking takes seconds where many
    processes share much, so it rests twenty times as long."""

    def __init__(self, pids: dict[str, Callable[[], set[int]]], every: float):
        self.pids, self.every = pids, every
        self.most = dict.fromkeys(pids, 0)
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.look)

    def look(self) -> None:
        while True:
            began = time.monotonic()
            for name, pids in self.pids.items():
                self.most[name] = max(self.most[name], resident(pids()))
            if self.stopped.wait(max(self.every, 20 * (time.monotonic() - began))):
                return

    def __enter__(self) -> "Watch":
        self.thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.stopped.set()
        self.thread.join()
