"""Elasticsearch without Kith: a plain mapping, nested jobs and studies, no plugin, merged after the load."""

import itertools
import json
import os
import pathlib
import subprocess

import people
from systems import DEEP, PAGE, System
from systems.http import Server
from systems.sql import JOB, STUDY

BULK = 1000  # people in a request
WHOLE = {"type": "keyword"}
NUMBER = {"type": "integer"}


def start_node(folder: pathlib.Path) -> str:
    """Starts a node and returns its address. PEERS_ELASTICSEARCH is the program scripts/elasticsearch."""
    done = subprocess.run([os.environ["PEERS_ELASTICSEARCH"], "start", "--port", "0", "--dir", str(folder), "--heap",
                           os.environ["PEERS_HEAP"]], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def stop_node(folder: pathlib.Path) -> None:
    subprocess.run([os.environ["PEERS_ELASTICSEARCH"], "stop", "--dir", str(folder)], check=True)


class Elasticsearch(System):
    name = "Elasticsearch"
    key = "elasticsearch"
    starts_slowly = True

    def start(self) -> None:
        super().start()
        self.node = Server(start_node(self.folder / "node"))

    def stored(self) -> list[pathlib.Path]:
        return [self.folder / "node" / "data"]

    def load(self, folder: pathlib.Path) -> None:
        self.node.send("PUT", "/people", {
            "settings": {"number_of_replicas": 0, "number_of_shards": 1, "refresh_interval": "-1"},
            "mappings": {"dynamic": "strict", "properties": mapping()}})
        rows = people.rows(folder)
        while batch := list(itertools.islice(rows, BULK)):
            lines = "".join(f'{{"index":{{"_id":"{row["id"]}"}}}}\n{document(row)}\n' for row in batch)
            answer = self.node.send("POST", "/people/_bulk", lines.encode())
            if answer["errors"]:
                raise RuntimeError(f"a person was refused: {json.dumps(answer)[:500]}")
        self.node.send("POST", "/people/_forcemerge?max_num_segments=1")
        self.node.send("POST", "/people/_refresh")

    def query(self, search: dict) -> dict:
        asked = dict(self.expression(search))
        if "best" in asked:
            return query_string(asked["best"])
        excluded = [nested("now", asked.pop("not_now"))] if "not_now" in asked else []
        parts = [query_string(q) if path == "person" else nested(path, q) for path, q in asked.items()]
        return {"bool": {"filter": parts, "must_not": excluded}}

    def find(self, search: dict, size: int, after, **more) -> list[dict]:
        body = {"query": self.query(search), "size": size, "track_total_hits": False, **more}
        if search["kind"] != "best":
            body["sort"] = [{"rank": "desc"}]
        if after:
            body["search_after"] = after
        return self.node.send("POST", "/people/_search", body)["hits"]["hits"]

    def page(self, search: dict, after) -> list[int]:
        return [int(hit["_id"]) for hit in self.find(search, PAGE, after, _source=["record"])]

    def position(self, search: dict):
        before = PAGE * (DEEP - 1)
        found = self.find(search, before, None, _source=False)
        return found[-1]["sort"] if len(found) == before else None

    def everyone(self, search: dict) -> list[int]:
        found: list[int] = []
        after = None
        while hits := self.find(search, 10_000, after, _source=False):
            found += [int(hit["_id"]) for hit in hits]
            after = hits[-1].get("sort")
        return found

    def count(self, search: dict) -> int:
        return self.node.send("POST", "/people/_count", {"query": self.query(search)})["count"]

    def countries(self, search: dict) -> dict[str, int]:
        body = {"query": self.query(search), "size": 0, "aggs": {"countries": {"terms": {"field": "country"}}}}
        found = self.node.send("POST", "/people/_search", body)
        return {b["key"]: b["doc_count"] for b in found["aggregations"]["countries"]["buckets"]}

    def close(self) -> None:
        stop_node(self.folder / "node")


def query_string(text: str) -> dict:
    return {"query_string": {"query": text}}


def nested(path: str, text: str) -> dict:
    return {"nested": {"path": path, "query": query_string(text)}}


def mapping() -> dict:
    jobs = {"type": "nested", "properties": {
        c: NUMBER if c in ("size", "founded") else {"type": "text"} if c == "title" else WHOLE for c in JOB}}
    studies = {"type": "nested", "properties": {c: NUMBER if c == "ended" else WHOLE for c in STUDY}}
    return {
        "rank": {"type": "long"}, "name": {"type": "text", "fields": {"whole": WHOLE}}, "headline": {"type": "text"},
        "about": {"type": "text"}, "city": WHOLE, "country": WHOLE, "skills": WHOLE, "began": {"type": "date"},
        "now": jobs, "past": jobs, "studies": studies, "record": {"type": "object", "enabled": False},
    }


def document(row: dict) -> str:
    """The document of a person. Its country is missing, not empty, if unknown."""
    fields = {k: v for k, v in row.items() if k not in ("id", "record") and v != ""}
    return json.dumps(fields, ensure_ascii=False)[:-1] + f', "record": {row["record"]}}}'
