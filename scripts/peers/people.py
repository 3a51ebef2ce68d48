"""The people as every system gets them: records of load files (docs/formats.md), and rows with what is searched."""

import functools
import json
import pathlib
import re
import unicodedata
from collections.abc import Iterator

# Letters that no decomposition takes apart.
LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i"})
# What a page of Kith does not show of a person.
HIDDEN = {"work_history", "education_history", "skills", "email"}


@functools.lru_cache(1 << 18)
def folded(text: str) -> str:
    """The words of a text in lower case without accents, separated by single spaces."""
    plain = unicodedata.normalize("NFKD", text.lower().translate(LETTERS))
    return " ".join(re.findall(r"\w+", "".join(c for c in plain if not unicodedata.combining(c))))


def first_day(date: str) -> str:
    """The first day of a date, a month or a year."""
    return (date + "-01-01")[:10]


def records(folder: pathlib.Path) -> Iterator[dict]:
    """The people's records, with whole companies instead of their ids."""
    with open(folder / "companies.ndjson", encoding="utf-8") as lines:
        companies = {c["id"]: c for c in map(json.loads, lines)}
    with open(folder / "people.ndjson", encoding="utf-8") as lines:
        for person in map(json.loads, lines):
            for job in [person.get("work_relevant"), *person.get("work_history", [])]:
                if job:
                    job["company"] = companies[job["company"]["id"]]
            yield person


def prepare(folder: pathlib.Path) -> None:
    """Writes the rows, which load faster than records: no peer pays for what happens here."""
    with open(folder / "rows.ndjson", "w", encoding="utf-8") as out:
        for person in records(folder):
            json.dump(row(person), out, ensure_ascii=False)
            out.write("\n")


def rows(folder: pathlib.Path) -> Iterator[dict]:
    """The prepared rows, in the order of the file."""
    with open(folder / "rows.ndjson", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def row(person: dict) -> dict:
    """A person as a peer loads it. Names, titles, headline and about are folded. Pages are ordered by rank: people
    with more parts first, each with a rank of its own, from which id_of gets the id."""
    place, jobs = person.get("location", {}), person.get("work_history", [])
    return {
        "id": person["id"], "rank": (len(person) << 40) + (1 << 40) - 1 - person["id"],
        "name": folded(person["full_name"]),
        "headline": folded(person.get("headline", "")), "about": folded(person.get("about_me", "")),
        "city": place.get("city", ""), "country": place.get("country", ""),
        "began": min((first_day(j["start_date"]) for j in jobs if j.get("start_date")), default=None),
        "skills": person.get("skills", []),
        "now": [job_row(j) for j in jobs if not j.get("end_date")],
        "past": [job_row(j) for j in jobs if j.get("end_date")],
        "studies": [study_row(s) for s in person.get("education_history", [])],
        "record": json.dumps({k: v for k, v in person.items() if k not in HIDDEN}, ensure_ascii=False),
    }


def id_of(rank: int) -> int:
    return (1 << 40) - 1 - rank % (1 << 40)


def job_row(job: dict) -> dict:
    company = job["company"]
    return {
        "title": folded(job["title"]), "company": company["name"], "industry": company.get("industry", ""),
        "size": company.get("employee_count", 0), "founded": company.get("founded_year", 0),
        "stage": (company.get("funding") or {}).get("last_round_stage", ""),
    }


def study_row(study: dict) -> dict:
    ended = study.get("end_date")
    return {"school": study.get("institute", ""), "degree": study.get("degree", ""),
            "field": study.get("field_of_study", ""), "ended": int(ended[:4]) if ended else None}
