"""The searches of searches.toml."""

import datetime
import pathlib
import tomllib


def read(today: datetime.date) -> list[dict]:
    """The searches; days are relative to today."""
    text = (pathlib.Path(__file__).parent / "searches.toml").read_text(encoding="utf-8")
    ten_years_ago = today.replace(year=today.year - 10, day=min(today.day, 28))
    return [{"kind": "page", **s} for s in tomllib.loads(text.replace("{ten_years_ago}", str(ten_years_ago)))["search"]]
