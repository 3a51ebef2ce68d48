"""Tests of searches, oracle and judge: python3 scripts/peers/test_peers.py. They need no package and no server."""

import datetime
import http.server
import json
import pathlib
import tempfile
import threading
import unittest

import judge
import oracle
import people
import searches
from systems.http import Server
from systems.sqlite import SQLite

FUNDING = {"last_round_stage": "Series A"}
COMPANIES = [
    {"id": 1, "name": "Google", "employee_count": 180000},
    {"id": 2, "name": "Amazon", "employee_count": 1500000},
    {"id": 3, "name": "McKinsey", "employee_count": 45000},
    {"id": 4, "name": "Small", "employee_count": 200, "founded_year": 2018, "funding": FUNDING},
    {"id": 5, "name": "Old", "employee_count": 201, "founded_year": 2017, "funding": FUNDING},
    {"id": 6, "name": "Bank", "industry": "Banking", "employee_count": 900},
    {"id": 7, "name": "Google DeepMind", "employee_count": 3000},
]
GOOGLE, AMAZON, MCKINSEY, SMALL, OLD, BANK, DEEPMIND = range(1, 8)

BERLIN, LONDON = {"city": "Berlin", "country": "Germany"}, {"city": "London", "country": "United Kingdom"}
USA = {"country": "United States"}


def job(title: str, company: int = BANK, start: str = "2024", end: str | None = None) -> dict:
    dates = {"start_date": start} | ({"end_date": end} if end else {})
    return {"title": title, "company": {"id": company}, **dates}


def past(title: str, company: int = BANK) -> dict:
    return job(title, company, "2019", "2020")


def study(institute: str, degree: str = "", field: str = "", ended: str | None = None) -> dict:
    return {"institute": institute, "degree": degree, "field_of_study": field} | ({"end_date": ended} if ended else {})


# For each search, in its words, people who are meant and people who nearly are.
MEANT: dict[str, tuple[list[dict], list[dict]]] = {
    "engineers in Berlin": (
        [{"location": BERLIN, "work_history": [job("Sr. Software Engineer")]},
         {"location": BERLIN, "work_history": [job("SRE")]}],
        [{"location": BERLIN, "work_history": [past("Engineer"), job("Engineering Manager")]},
         {"location": LONDON, "work_history": [job("Engineer")]}]),
    "managers in Cologne": (
        [{"location": {"city": "Köln"}, "work_history": [job("Manager, Sales")]},
         {"location": {"city": "Cologne"}, "work_history": [job("HR Manager")]}],
        [{"location": {"city": "Köln"}, "work_history": [job("Managing Director")]}]),
    "people at Google": ([{"work_history": [job("Cook"), job("Advisor", GOOGLE)]}],
                         [{"work_history": [past("Cook", GOOGLE), job("Cook", DEEPMIND)]}]),
    "managers at Amazon": ([{"work_history": [job("Area Manager", AMAZON)]}],
                           [{"work_history": [job("Manager"), job("Advisor", AMAZON)]}]),
    "VP of Engineering": (
        [{"work_history": [job("VP Eng")]}, {"work_history": [job("Vice President, Engineering")]}],
        [{"work_history": [job("VP Sales")]}, {"work_history": [job("President of the Engineering Vice Squad")]}]),
    "people who know Python and Kubernetes": ([{"skills": ["Python", "Go", "Kubernetes"]}],
                                              [{"skills": ["Kubernetes"]}]),
    "people in San Francisco who know Rust or C++": (
        [{"location": {"city": "San Francisco"}, "skills": ["C++"]}],
        [{"location": {"city": "San Francisco"}, "skills": ["C"]}, {"location": BERLIN, "skills": ["Rust"]}]),
    "product managers in London, but not senior ones": (
        [{"location": LONDON, "work_history": [past("Senior Product Manager"), job("Product Manager, Payments")]}],
        [{"location": LONDON, "work_history": [job("Sr. Product Manager")]},
         {"location": LONDON, "work_history": [job("Product Marketing Manager")]}]),
    "data scientists outside the United States": (
        [{"work_history": [job("Data Scientist")]}, {"location": BERLIN, "work_history": [job("Lead Data Scientist")]}],
        [{"location": USA, "work_history": [job("Data Scientist")]}]),
    "former Google employees, no longer there": (
        [{"work_history": [past("Cook", GOOGLE), job("Cook", OLD)]}],
        [{"work_history": [past("Cook", GOOGLE), job("Chef", GOOGLE)]}]),
    "former consultants at McKinsey": (
        [{"work_history": [past("Senior Consultant", MCKINSEY)]}],
        [{"work_history": [past("Consultant"), past("Analyst", MCKINSEY), job("Consultant", MCKINSEY)]}]),
    "founders who used to be consultants": (
        [{"work_history": [past("IT Consultant"), job("Cofounder & CEO")]}],
        [{"work_history": [past("Founder"), job("Consultant")]}]),
    "people in New York who studied at Stanford University": (
        [{"location": {"city": "New York"}, "education_history": [study("Yale"), study("Stanford University")]}],
        [{"location": {"city": "New York"}, "education_history": [study("Stanford Graduate School of Business")]}]),
    "people with an MBA from INSEAD": (
        [{"education_history": [study("INSEAD", "Executive MBA")]}],
        [{"education_history": [study("INSEAD", "Bachelor of Business Administration"), study("Yale", "MBA")]}]),
    "people who studied computer science and graduated from 2015 to 2018": (
        [{"education_history": [study("Yale", "BA", "Computer Science", "2018")]}],
        [{"education_history": [study("Yale", "BA", "Computer Science", "2014"), study("Yale", "BA", "Law", "2016")]},
         {"education_history": [study("Yale", "BA", "Computer Science")]}]),
    "product designers at companies with 50 to 200 employees": (
        [{"work_history": [job("Product Designer", SMALL)]}],
        [{"work_history": [job("Product Designer", OLD), job("Mentor", SMALL)]}]),
    "backend engineers with at least ten years of experience": (
        [{"work_history": [job("Backend Engineer"), job("Cook", BANK, "2001-05", "2002")]}],
        [{"work_history": [job("Backend Engineer")]}]),
    "CTOs of Series A companies founded in 2018 or later": (
        [{"work_history": [job("Chief Technology Officer", SMALL)]}, {"work_history": [job("Founder & CTO", SMALL)]}],
        [{"work_history": [job("CTO", OLD), job("Mentor", SMALL)]}]),
    "Jose Garcia": ([{"full_name": "José García"}], [{"full_name": "José Garcia-Lopez"}]),
    "Alexey Kuznetzov": ([{"full_name": "Alexey Kuznetsov"}], [{"full_name": "Alexey Ivanov"}]),
    "people whose profile mentions offshore wind": (
        [{"headline": "Working on offshore wind at Bank"}, {"about_me": "I care about Offshore Wind."}],
        [{"about_me": "Wind, and never offshore."}]),
    "banking people in Switzerland, senior or head of something": (
        [{"location": {"country": "Switzerland"}, "work_history": [job("Head of Risk")]}],
        [{"location": {"country": "Switzerland"}, "work_history": [job("Head of Risk", OLD), job("Analyst")]}]),
    "people in the United States who know Python": ([{"location": USA, "skills": ["Python"]}],
                                                    [{"location": LONDON, "skills": ["Python"]}]),
    "how many teachers are there in Germany?": ([{"location": BERLIN, "work_history": [job("Yoga Teacher")]}],
                                                [{"location": BERLIN, "work_history": [past("Teacher")]}]),
    "in which countries are the data scientists?": ([{"location": BERLIN, "work_history": [job("Data Scientist")]}],
                                                    [{"work_history": [job("Data Science Lead")]}]),
}


class Searches(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.searches = searches.read(datetime.date.today())
        cls.everyone = [p for meant, others in MEANT.values() for p in (*meant, *others)]
        with open(cls.folder / "people.ndjson", "w", encoding="utf-8") as out:
            for number, person in enumerate(cls.everyone, start=1):
                print(json.dumps({"id": number, "full_name": f"Person {number}", **person}), file=out)
        with open(cls.folder / "companies.ndjson", "w", encoding="utf-8") as out:
            for company in COMPANIES:
                print(json.dumps(company), file=out)
        cls.found = oracle.answers(cls.searches, cls.folder)

    def number(self, person: dict) -> int:
        return next(i for i, p in enumerate(self.everyone, start=1) if p is person)

    def test_oracle_finds_whom_a_search_means(self):
        self.assertEqual([s["ask"] for s in self.searches], list(MEANT))
        for search, found in zip(self.searches, self.found):
            meant, others = MEANT[search["ask"]]
            with self.subTest(search["ask"]):
                self.assertLessEqual({self.number(p) for p in meant}, set(found))
                self.assertFalse({self.number(p) for p in others} & set(found))

    def test_sqlite_finds_the_same(self):
        people.prepare(self.folder)
        system = SQLite(self.folder)
        system.load(self.folder)
        for search, found in zip(self.searches, self.found):
            with self.subTest(search["ask"]):
                got = system.everyone(search)
                if search["kind"] == "best":
                    got = system.page(search, None)[:len(found)]
                self.assertEqual(sorted(got), sorted(found))
                self.assertEqual(system.count(search) if search["kind"] == "count" else len(got), len(found))


class Connections(unittest.TestCase):
    def test_a_connection_that_was_idle_for_too_long_is_opened_again(self):
        class Answers(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.send_header("Content-Length", "1")
                self.end_headers()
                self.wfile.write(b"7")
                self.close_connection = True

        with http.server.HTTPServer(("127.0.0.1", 0), Answers) as server:
            Answers.log_message = lambda *_: None
            threading.Thread(target=server.serve_forever, daemon=True).start()
            asked = Server(f"http://127.0.0.1:{server.server_port}")
            self.assertEqual([7, 7, 7], [asked.send("POST", "/", {}) for _ in range(3)])
            server.shutdown()


class Judge(unittest.TestCase):
    def test_differences_are_counted(self):
        self.assertEqual(judge.difference({1, 2}, {1, 2}), "")
        self.assertEqual(judge.difference({1, 4, 5}, {1, 2}), "−1 +2")

    def test_any_of_equally_frequent_countries_will_do(self):
        countries = [chr(ord("a") + i) for i in range(11)]
        expected = dict(enumerate(["a", *countries, ""]))
        self.assertEqual(judge.facets({"a": 2, **dict.fromkeys(countries[2:], 1)}, expected), "")
        self.assertEqual(judge.facets({"a": 2, **dict.fromkeys(countries[1:10], 1)}, expected), "")
        self.assertNotEqual(judge.facets({"a": 3, **dict.fromkeys(countries[1:10], 1)}, expected), "")
        self.assertNotEqual(judge.facets(dict.fromkeys(countries[1:], 1), expected), "")


if __name__ == "__main__":
    unittest.main()
