"""A system in a process of its own, in which its client runs too: what one does with memory is not another's."""

import collections
import multiprocessing
import pathlib
import re
import signal
import time
import traceback

import memory
from systems import System


class Failed(Exception):
    """A system gave no answer."""


class Peer:
    """One system under measurement, with what was measured."""

    def __init__(self, kind: type[System], parent: pathlib.Path):
        self.kind, self.name = kind, kind.name
        self.folder = parent / re.sub(r"\W+", "-", (kind.shares or kind.name).lower())
        self.load = 0.0
        self.loading = self.searching = self.disk = 0  # bytes
        self.times: dict[str, list[float]] = {}  # of each search, in milliseconds
        self.wrong: dict[str, str] = {}  # what is wrong with an answer; empty if nothing is
        self.failed: collections.Counter[str] = collections.Counter()  # how often a search had no answer
        context = multiprocessing.get_context("spawn")
        self.connection, there = context.Pipe()
        self.process = context.Process(target=work, args=(kind, self.folder, there))
        self.process.start()
        there.close()

    def call(self, method: str, *arguments):
        """Calls a method of the system, and returns its result and how long it took there, in seconds."""
        self.send(method, *arguments)
        return self.receive()

    def send(self, method: str, *arguments) -> None:
        """Begins a call, which receive ends."""
        self.connection.send((method, *arguments))

    def receive(self):
        result, seconds, error = self.connection.recv()
        if error:
            raise Failed(f"{self.name}: {error}")
        return result, seconds

    def pids(self) -> set[int]:
        if self.kind.is_library:
            return {self.process.pid or 0}
        return memory.processes(self.folder)

    def close(self) -> None:
        """Stops the system and the process."""
        self.connection.close()
        self.process.join()


def work(kind: type[System], folder: pathlib.Path, connection) -> None:
    """Does what is asked until the other end of the connection is closed."""
    for number in (signal.SIGINT, signal.SIGTERM):  # the parent ends this process, when its turn comes
        signal.signal(number, signal.SIG_IGN)
    system = kind(folder)
    try:
        while True:
            connection.send(answer(system, *connection.recv()))
    except (EOFError, ConnectionError):
        pass
    finally:
        system.close()


def answer(system: System, method: str, *arguments) -> tuple:
    began = time.perf_counter()
    try:
        result = getattr(system, method)(*arguments)
        return result, time.perf_counter() - began, ""
    except Exception:
        return None, 0, traceback.format_exc()
