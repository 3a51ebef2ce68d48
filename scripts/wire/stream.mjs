// Reads streams with eventsource-parser and compares them with the JSON pages.
import assert from "node:assert/strict";
import { EventSourceParserStream } from "eventsource-parser/stream";

const searches = [
  { prompt: "engineer", limit: 100, scope: "global", include_counts: "all" },
  { filters: { position: "manager", country: "Germany" }, limit: 50, explain: true },
  { filters: { city: "Atlantis" }, scope: "global" },
];

const url = process.argv[2];

function post(body) {
  return fetch(`${url}/v2/people/search`, {
    method: "POST",
    headers: { Authorization: "Bearer demo_token_global", "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
}

async function page(search) {
  const answer = await post(search);
  assert.equal(answer.status, 200);
  return answer.json();
}

async function stream(search) {
  const answer = await post({ ...search, stream: true });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/event-stream");
  const events = answer.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onError: "terminate" }));
  const names = [];
  const people = [];
  const ids = new Set();
  let done;
  for await (const { event, id, data } of events) {
    assert.equal(done, undefined, `${event} after done`);
    names.push(event);
    const value = JSON.parse(data);
    if (event === "result") {
      assert.equal(value.index, people.length);
      people.push(value.person);
      ids.add(id);
    } else if (event === "done") {
      done = value;
    }
  }
  assert.equal(names[0], "metadata");
  assert.ok(done, "the stream has no done");
  assert.equal(ids.size, people.length, "results without ids of their own");
  return { people, done };
}

let total = 0;
for (const search of searches) {
  const want = await page(search);
  const { people, done } = await stream(search);
  assert.deepEqual(people, want.data);
  assert.equal(done.complete, true);
  assert.equal(done.pagination.has_next_page, want.pagination.has_next_page);
  assert.equal(done.pagination.count, want.pagination.count);
  total += people.length;
}
assert.ok(total >= 100, `only ${total} people`);
console.log(`${searches.length} streams to done, ${total} people as in the pages`);
