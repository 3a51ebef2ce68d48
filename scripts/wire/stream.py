"""Reads streams with httpx-sse and compares them with the JSON pages."""

import json
import sys

import httpx
from httpx_sse import connect_sse

SEARCHES = [
    {"prompt": "engineer", "limit": 100, "scope": "global", "include_counts": "all"},
    {"filters": {"position": "manager", "country": "Germany"}, "limit": 50, "explain": True},
    {"filters": {"city": "Atlantis"}, "scope": "global"},
]


def page(client: httpx.Client, search: dict) -> dict:
    answer = client.post("/v2/people/search", json=search)
    assert answer.status_code == 200, f"{answer.status_code}: {answer.text}"
    return answer.json()


def stream(client: httpx.Client, search: dict) -> tuple[list, dict]:
    names, people, ids, done = [], [], [], None
    with connect_sse(client, "POST", "/v2/people/search", json=search | {"stream": True}) as source:
        assert source.response.status_code == 200, source.response.status_code
        for event in source.iter_sse():
            assert done is None, f"{event.event} after done"
            names.append(event.event)
            data = event.json()
            if event.event == "result":
                assert data["index"] == len(people), f"index {data['index']} at {len(people)}"
                people.append(data["person"])
                ids.append(event.id)
            elif event.event == "done":
                done = data
    assert names[0] == "metadata", names[0]
    assert done is not None, "the stream has no done"
    assert all(ids) and len(set(ids)) == len(ids), "results without ids of their own"
    return people, done


def main(url: str) -> None:
    total = 0
    headers = {"Authorization": "Bearer demo_token_global"}
    with httpx.Client(base_url=url, headers=headers, timeout=30) as client:
        for search in SEARCHES:
            want = page(client, search)
            people, done = stream(client, search)
            what = json.dumps(search)
            assert people == want["data"], f"{what}: other people than the page"
            assert done["complete"] is True, f"{what}: not complete"
            for key in ("has_next_page", "count"):
                assert done["pagination"][key] == want["pagination"][key], f"{what}: {key}"
            total += len(people)
    assert total >= 100, f"only {total} people"
    print(f"{len(SEARCHES)} streams to done, {total} people as in the pages")


if __name__ == "__main__":
    main(sys.argv[1])
