"""The oracle: a scan over the load files, which finds the people whom each search means.

It reads the records by itself and shares with the systems neither rows nor indexes, only the folding of letters. It is
slow and short, so that it can be checked by reading.
"""

import pathlib
import types

import people


def has(text: str | None, phrase: str) -> bool:
    """Whether a text has these words, next to one another."""
    return f" {phrase} " in f" {people.folded(text or '')} "


def answers(searches: list[dict], folder: pathlib.Path) -> list[dict[int, str]]:
    """The people of each search, with their countries."""
    wanted = [compile(f"({s['oracle']})", s["ask"], "eval") for s in searches]
    found: list[dict[int, str]] = [{} for _ in searches]
    for person in people.records(folder):
        names = facts(person)
        for condition, matches in zip(wanted, found):
            if eval(condition, names):  # expressions of searches.toml
                matches[person["id"]] = names["country"]
    return found


def facts(person: dict) -> dict:
    """The names that an expression may use: what a record says, and has and folded for its words."""
    place, jobs = person.get("location", {}), person.get("work_history", [])
    begins = [people.first_day(j["start_date"]) for j in jobs if j.get("start_date")]
    return {
        "has": has, "folded": people.folded, "name": person["full_name"], "city": place.get("city", ""),
        "country": place.get("country", ""), "headline": person.get("headline"), "about": person.get("about_me"),
        "skills": set(person.get("skills", [])), "began": min(begins, default=None),
        "now": [job(j) for j in jobs if not j.get("end_date")], "past": [job(j) for j in jobs if j.get("end_date")],
        "studies": [study(s) for s in person.get("education_history", [])],
    }


def job(j: dict) -> types.SimpleNamespace:
    company = j["company"]
    return types.SimpleNamespace(
        title=j["title"], company=company["name"], industry=company.get("industry"),
        size=company.get("employee_count", 0), founded=company.get("founded_year", 0),
        stage=(company.get("funding") or {}).get("last_round_stage"))


def study(s: dict) -> types.SimpleNamespace:
    ended = s.get("end_date")
    return types.SimpleNamespace(school=s.get("institute"), degree=s.get("degree"), field=s.get("field_of_study"),
                                 ended=int(ended[:4]) if ended else None)
