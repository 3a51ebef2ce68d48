"""tantivy: one flat document a person. It has no sub-documents, so two filters may hold of different jobs."""

import datetime
import json
import pathlib

import tantivy

import people
from systems import DEEP, PAGE, System
from systems.sql import STUDY

WORDS = ("headline", "about", "title", "past_title", "name")
WHOLE = ("whole_name", "city", "skills", "company", "industry", "stage", "past_company", "school", "degree", "field")


class Tantivy(System):
    name = "tantivy"
    key = "tantivy"
    is_library = True

    def load(self, folder: pathlib.Path) -> None:
        self.schema = schema()
        self.index = tantivy.Index(self.schema, path=str(self.folder))
        writer = self.index.writer(256 << 20)
        for row in people.rows(folder):
            writer.add_document(document(row))
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()

    def parsed(self, search: dict) -> tantivy.Query:
        expression = self.expression(search)
        if isinstance(expression, dict):
            return self.index.parse_query(expression["fuzzy"], ["name"], conjunction_by_default=True,
                                          fuzzy_fields={"name": (False, 2, True)})
        return self.index.parse_query(expression, ["headline"])

    def find(self, search: dict, limit: int, offset: int = 0) -> list:
        order = {} if search["kind"] == "best" else {"order_by_field": "rank"}
        return self.searcher.search(self.parsed(search), limit, count=False, offset=offset, **order).hits

    def page(self, search: dict, after) -> list[int]:
        found = [self.searcher.doc(hit) for _, hit in self.find(search, PAGE, after or 0)]
        for person in found:
            json.loads(person["record"][0])
        return [people.id_of(person["rank"][0]) for person in found]

    def position(self, search: dict):
        before = PAGE * (DEEP - 1)
        return before if self.count(search) > before else None

    def everyone(self, search: dict) -> list[int]:
        return [people.id_of(rank) for rank, _ in self.find(search, self.searcher.num_docs)]

    def count(self, search: dict) -> int:
        return self.searcher.search(self.parsed(search), 1, count=True).count

    def countries(self, search: dict) -> dict[str, int]:
        found = self.searcher.aggregate(self.parsed(search), {"countries": {"terms": {"field": "country", "size": 11}}})
        known = [b for b in found["countries"]["buckets"] if b["key"]]
        return {b["key"]: b["doc_count"] for b in known[:10]}


def schema() -> tantivy.Schema:
    s = tantivy.SchemaBuilder()
    for field in WORDS:
        s.add_text_field(field)
    for field in WHOLE:
        s.add_text_field(field, tokenizer_name="raw", index_option="basic")
    s.add_text_field("country", tokenizer_name="raw", index_option="basic", fast=True)
    for field in ("size", "founded", "ended"):
        s.add_integer_field(field, indexed=True, fast=True)
    s.add_date_field("began", indexed=True, fast=True)
    s.add_integer_field("rank", stored=True, fast=True)
    s.add_bytes_field("record", stored=True)
    return s.build()


def document(row: dict) -> tantivy.Document:
    fields = {"rank": row["rank"], "record": row["record"].encode(), "name": row["name"], "whole_name": row["name"],
              "headline": row["headline"], "about": row["about"], "city": row["city"], "country": row["country"],
              "skills": row["skills"], "past_title": [j["title"] for j in row["past"]],
              "past_company": [j["company"] for j in row["past"]]}
    for field in ("title", "company", "industry", "stage", "size", "founded"):
        fields[field] = [j[field] for j in row["now"]]
    for field in STUDY:
        fields[field] = [s[field] for s in row["studies"] if s[field] is not None]
    if row["began"]:
        fields["began"] = datetime.datetime.fromisoformat(row["began"])
    return tantivy.Document(**fields)
