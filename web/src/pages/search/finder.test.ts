// @vitest-environment happy-dom
import { expect, test } from "vitest";
import type { SearchEvent } from "../../api/search";
import { after, type Found, found } from "./finder";

const person = (id: number, close = false) => ({
  event: "result", id: `after ${id}`,
  data: { index: id, person: { id, ...(close && { match: { closest: { missing: [] } } }) } },
}) as unknown as SearchEvent;
const metadata = { event: "metadata", data: { interpretation: { filters: [] } } } as unknown as SearchEvent;
const closest = { event: "stage", data: { stage: "closest", complete: false, results: 2 } } as SearchEvent;
const done = (complete: boolean, more: boolean) => ({
  event: "done", data: { complete, metadata: {}, pagination: { cursor: "page 2", has_next_page: more, count: 2 } },
}) as unknown as SearchEvent;

const run = (...events: SearchEvent[]) => events.reduce<Found>(after, { ...found.value, phase: "searching" });
const ids = ({ people }: Found) => people.map((p) => p.id);

test("a page ends with the cursor of the next", () => {
  expect(run(metadata, person(1), person(2), done(true, true)))
    .toMatchObject({ phase: "done", matches: 2, next: "page 2" });
});

test("an answer that ends early goes on after its last person", () => {
  expect(run(metadata, person(1), person(2))).toMatchObject({ phase: "searching", next: "after 2" });
  expect(run(metadata, person(1), done(false, true)).phase).toBe("lost");
});

test("the closest people are not matches, and come once if the search resumes", () => {
  const state = run(metadata, person(1), closest, person(7, true), metadata, closest, person(7, true), person(8, true));
  expect(ids(state)).toEqual([1, 7, 8]);
  expect(state).toMatchObject({ matches: 1, next: "after 1" });
});

test("an error of the server is kept with the people so far", () => {
  const error = { event: "error", data: { detail: "too busy", status: 503 } } as unknown as SearchEvent;
  expect(run(metadata, person(1), error)).toMatchObject({ phase: "failed", matches: 1, error: new Error("too busy") });
});
