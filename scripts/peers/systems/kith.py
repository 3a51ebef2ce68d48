"""Kith, over its API: on Postgres, on Elasticsearch, and asked in the words of a person."""

import json
import os
import pathlib
import socket
import subprocess
import time
import urllib.error
import urllib.request

from systems import DEEP, PAGE, System
from systems.elasticsearch import start_node, stop_node
from systems.http import Server

SEARCH = "/v2/people/search"


class Kith(System):
    name = "Kith on Postgres"
    key = "kith"
    server = None

    def start(self) -> None:
        self.folder.mkdir()
        self.environment = {**os.environ, "KITH_DATA": str(self.folder / "data")}

    def stored(self) -> list[pathlib.Path]:
        return [self.folder / "data"]

    def run(self, *words: str) -> str:
        """Runs a command of Kith; PEERS_KITH is the program."""
        command = [os.environ["PEERS_KITH"], words[0], "--data", str(self.folder / "data"), *words[1:]]
        with open(self.folder / "kith.log", "a", encoding="utf-8") as log:
            done = subprocess.run(command, check=True, env=self.environment, stdout=subprocess.PIPE, stderr=log)
        return done.stdout.decode().strip()

    def load(self, people: pathlib.Path) -> None:
        self.run("load", str(people / "companies.ndjson"), str(people / "people.ndjson"))

    def open(self) -> None:
        self.run("app", "create", "peers")
        token = self.run("token", "issue", "--app", "peers", "--user", "asker", "--email", "asker@example.com")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        with open(self.folder / "serve.log", "w", encoding="utf-8") as log:
            self.server = subprocess.Popen(
                [os.environ["PEERS_KITH"], "serve", "--data", str(self.folder / "data"), "--listen", address, "--rate",
                 "100000", "--burst", "100000"], env=self.environment, stdout=log, stderr=log, start_new_session=True)
        access = {"url": f"http://{address}", "token": token}
        (self.folder / "access.json").write_text(json.dumps(access), encoding="utf-8")
        await_ready(access["url"], self.server)
        self.connect(access)

    def connect(self, access: dict) -> None:
        self.api = Server(access["url"], {"Authorization": "Bearer " + access["token"]})

    def asked(self, search: dict) -> dict:
        expression = self.expression(search)
        what = expression if "prompt" in expression else {"filters": expression}
        return {"scope": "global", "closest": False, "limit": PAGE, **what}

    def page(self, search: dict, after) -> list[int]:
        return ids(self.api.send("POST", SEARCH, {**self.asked(search), **cursor(after)}))

    def position(self, search: dict):
        after = None
        for _ in range(DEEP - 1):
            answer = self.api.send("POST", SEARCH, {**self.asked(search), **cursor(after)})
            if not answer["pagination"]["has_next_page"]:
                return None
            after = answer["pagination"]["cursor"]
        return after

    def everyone(self, search: dict) -> list[int]:
        found: list[int] = []
        after, more = None, True
        while more:
            answer = self.api.send("POST", SEARCH, {**self.asked(search), **cursor(after), "limit": 100})
            found += ids(answer)
            after, more = answer["pagination"]["cursor"], answer["pagination"]["has_next_page"]
        return found

    def count(self, search: dict) -> int:
        answer = self.api.send("POST", SEARCH, {**self.asked(search), "limit": 1, "include_counts": "global"})
        return answer["metadata"]["counts"]["global"]["value"]

    def countries(self, search: dict) -> dict[str, int]:
        answer = self.api.send("POST", SEARCH, {**self.asked(search), "limit": 1, "facets": ["country"]})
        return {v["value"]: v["count"] for v in answer["metadata"]["facets"]["country"]}

    def close(self) -> None:
        if self.server:
            self.server.terminate()
            self.server.wait(120)


class KithOnElasticsearch(Kith):
    name = "Kith on Elasticsearch"
    starts_slowly = True

    def start(self) -> None:
        super().start()
        self.environment["KITH_ELASTICSEARCH_URL"] = start_node(self.folder / "node")

    def stored(self) -> list[pathlib.Path]:
        return [*super().stored(), self.folder / "node" / "data"]

    def close(self) -> None:
        super().close()
        stop_node(self.folder / "node")


class KithByPrompt(Kith):
    """The server of Kith on Postgres, which gets nothing but what a person asks."""

    name = "… by prompt"
    shares = "Kith on Postgres"

    def start(self) -> None:
        pass

    def load(self, people: pathlib.Path) -> None:
        pass

    def open(self) -> None:
        self.connect(json.loads((self.folder / "access.json").read_text(encoding="utf-8")))

    def expression(self, search: dict):
        return {"prompt": search["ask"]}


def await_ready(url: str, server: subprocess.Popen) -> None:
    while True:
        if server.poll() is not None:
            raise RuntimeError(f"kith serve ended with {server.returncode}")
        try:
            with urllib.request.urlopen(url + "/readyz"):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)


def ids(answer: dict) -> list[int]:
    return [int(person["id"]) for person in answer["data"]]


def cursor(after) -> dict:
    return {"cursor": after} if after else {}
