"""What the systems with SQL have in common: tables people, skills, studies, and views now and past of jobs."""

import json

from systems import DEEP, PAGE, System

JOB = ("title", "company", "industry", "size", "founded", "stage")
STUDY = ("school", "degree", "field", "ended")


class Database(System):
    """A system that is asked with the condition of a SELECT."""

    def query(self, statement: str) -> list[tuple]:
        raise NotImplementedError

    def expression(self, search: dict):
        return super().expression(search) or search.get("sql")

    def select(self, what: str, search: dict, rest: str = "") -> list[tuple]:
        expression = self.expression(search)
        where = expression["where"] if isinstance(expression, dict) else expression
        return self.query(f"SELECT {what} FROM people p WHERE ({where}) {rest}")

    def ordered(self, search: dict) -> str:
        expression = self.expression(search)
        first = expression["order"] + ", " if isinstance(expression, dict) else ""
        return f"ORDER BY {first}rank DESC"

    def page(self, search: dict, after) -> list[int]:
        later = f"AND rank < {after}" if after else ""
        found = self.select("id, record", search, f"{later} {self.ordered(search)} LIMIT {PAGE}")
        for _, record in found:
            json.loads(record)
        return [person for person, _ in found]

    def position(self, search: dict):
        found = self.select("rank", search, f"{self.ordered(search)} LIMIT 1 OFFSET {PAGE * (DEEP - 1) - 1}")
        return found[0][0] if found else None

    def everyone(self, search: dict) -> list[int]:
        return [person for person, in self.select("id", search)]

    def count(self, search: dict) -> int:
        return self.select("count(*)", search)[0][0]

    def countries(self, search: dict) -> dict[str, int]:
        return dict(self.select("country, count(*)", search,
                                "AND country <> '' GROUP BY country ORDER BY count(*) DESC, country LIMIT 10"))
