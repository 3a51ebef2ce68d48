"""The systems that are compared: how each loads the people, and how it is asked."""

import abc
import pathlib

PAGE = 25
DEEP = 40  # the page of a deep search


class System(abc.ABC):
    """A system with people. One process makes it and calls its methods."""

    name = ""  # in the report
    key = ""  # in searches.toml
    is_library = False  # runs in the process that calls it
    starts_slowly = False  # so it starts before the people are there
    shares = ""  # the name of the system whose server this one asks

    def __init__(self, folder: pathlib.Path):
        """folder is where the system keeps its data; every process of a server has it in its command line."""
        self.folder = folder

    def expression(self, search: dict):
        """How the system is asked, or None."""
        return search.get(self.key)

    def start(self) -> None:
        """Starts what a load needs."""
        self.folder.mkdir()

    def stored(self) -> list[pathlib.Path]:
        """The folders whose size counts."""
        return [self.folder]

    @abc.abstractmethod
    def load(self, people: pathlib.Path) -> None:
        """Loads the people; afterwards searches find all of them."""

    def open(self) -> None:
        """Gets ready for searches after a load."""

    @abc.abstractmethod
    def page(self, search: dict, after) -> list[int]:
        """The people of a page, the first or the one after a position, with their records read."""

    @abc.abstractmethod
    def position(self, search: dict):
        """The position before page DEEP; None if there are fewer."""

    @abc.abstractmethod
    def everyone(self, search: dict) -> list[int]:
        """All people of a search."""

    @abc.abstractmethod
    def count(self, search: dict) -> int:
        """How many match."""

    @abc.abstractmethod
    def countries(self, search: dict) -> dict[str, int]:
        """The ten most frequent countries of the matches."""

    def close(self) -> None:
        """Stops what the system started."""

    def answer(self, search: dict, after=None):
        """What is timed: the answer that the kind of a search asks for."""
        if search["kind"] == "count":
            return self.count(search)
        if search["kind"] == "facet":
            return self.countries(search)
        return self.page(search, after)
