"""Prints the shares of prompts for which a running server finds nobody, without and with the closest people.

    python3 scripts/newcomers/nobody.py http://127.0.0.1:8080 demo_token_global FILE...

A FILE has one prompt a line, or JSON objects with a "prompt" (.jsonl), or commands with them (.md).
With --list, the prompts that find nobody follow, with the number of closest people.
"""

import json
import pathlib
import re
import sys
import urllib.error
import urllib.request


def read_prompts(path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if path.endswith(".jsonl"):
        return [json.loads(line)["prompt"] for line in text.splitlines() if line.strip()]
    if path.endswith(".md"):
        found = re.findall(r'"prompt": "([^"]+)"|kith search[^"\n]*"([^"]+)"', text)
        return list(dict.fromkeys(a or b for a, b in found))
    return [line for line in text.splitlines() if line.strip()]


def count_people(server, token, prompt):
    """Returns the exact and the closest people of the first page, or None if the server refuses the prompt."""
    request = urllib.request.Request(
        server + "/v2/people/search", data=json.dumps({"prompt": prompt, "limit": 10}).encode(),
        headers={"Authorization": "Bearer " + token, "Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            people = json.load(answer)["data"]
    except urllib.error.HTTPError:
        return None
    closest = sum(1 for p in people if (p.get("match") or {}).get("closest"))
    return len(people) - closest, closest


def main():
    arguments = [a for a in sys.argv[1:] if a != "--list"]
    server, token, files = arguments[0], arguments[1], arguments[2:]
    for path in files:
        prompts = read_prompts(path)
        counts = [count_people(server, token, p) for p in prompts]
        refused = counts.count(None)
        no_exact = [(p, c[1]) for p, c in zip(prompts, counts) if c and not c[0]]
        nobody = [p for p, closest in no_exact if not closest]
        percent = lambda n: f"{100 * n / len(prompts):.1f} %"
        print(f"{path}: {len(prompts)} prompts, nobody exact {percent(len(no_exact))}, "
              f"nobody at all {percent(len(nobody))}, refused {refused}", flush=True)
        if "--list" in sys.argv:
            for prompt, closest in no_exact:
                print(f"  {closest}\t{prompt}")


if __name__ == "__main__":
    main()
