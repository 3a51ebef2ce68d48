#!/usr/bin/env python3
"""Runs a set of prompts on a running kith, counts those that find nobody, and writes the first five closest people of a
sample.

    python3 scripts/closest/sample.py http://127.0.0.1:8080 demo_token_global SET.jsonl > people.jsonl

Each line of SET is an object with id and prompt. The sample is 100 of the prompts with closest people, the same on each
run.
"""
import json
import random
import sys
import time
import urllib.error
import urllib.request


def ask(base, token, prompt):
    body = json.dumps({"prompt": prompt, "scope": "global", "limit": 10}).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(f"{base}/v2/people/search", body, headers)) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as err:
            if err.code != 429:
                raise
            time.sleep(float(err.headers.get("Retry-After", "1")))


def summary(person):
    job = person.get("work_relevant") or (person.get("work_history") or [{}])[0]
    place = person["location"]
    missing = [f"{m['field']}: {m['instead'] or 'nothing'}" for m in person["match"]["closest"]["missing"]]
    industry = (job.get("company") or {}).get("industry", "")
    return {"title": job.get("title", ""), "industry": industry, "in": f"{place['city']} {place['country']}".strip(), "instead": missing}


def main():
    base, token, path = sys.argv[1:]
    with open(path, encoding="utf-8") as lines:
        answers = [(p["id"], ask(base, token, p["prompt"])) for p in map(json.loads, lines)]
    nobody = [(name, a["metadata"]) for name, a in answers if not a["data"]]
    without = sum(1 for _, m in nobody if m.get("without"))
    unknown = sum(1 for _, m in nobody if m.get("unknown") and not m.get("without"))
    print(f"{len(nobody)} of {len(answers)} find nobody; of these {without} have metadata.without, {unknown} only "
          f"metadata.unknown: {' '.join(name for name, _ in nobody)}", file=sys.stderr)
    close = [(name, a) for name, a in answers if a["metadata"].get("closest")]
    random.Random(36).shuffle(close)
    for name, a in sorted(close[:100], key=lambda c: c[0]):
        begin = a["metadata"]["closest"]["begins_at"]
        people = [summary(p) for p in a["data"][begin:begin + 5]]
        print(json.dumps({"id": name, "matches": begin, "people": people}, ensure_ascii=False))


if __name__ == "__main__":
    main()
