import { signal } from "@preact/signals";
import type { Schemas } from "../../api/client";
import { Lost, Refused } from "../../api/problem";
import { type Interpretation, type Person, type SearchEvent, type SearchMetadata, type SearchRequest, stream }
  from "../../api/search";
import { isEmpty, type Query, requestOf } from "./query";

/**
 * Phase is what a search does: resuming tries to get the rest of an answer whose connection was lost, lost has given
 * that up.
 */
export type Phase = "idle" | "searching" | "resuming" | "done" | "stopped" | "lost" | "failed";

/** Found is the state of a search. */
export interface Found {
  phase: Phase;
  request: SearchRequest | null;
  /** people are those who match, and after them those who come close. */
  people: Person[];
  /** matches is the number of people who match. */
  matches: number;
  interpretation: Interpretation | null;
  counts: Schemas["Counts"] | null;
  /** next is the cursor of what follows; empty at the end. */
  next: string;
  /** told is what the end of the first page says. */
  told: SearchMetadata | null;
  error: unknown;
}

const nothing: Found = {
  phase: "idle", request: null, people: [], matches: 0, interpretation: null, counts: null, next: "", told: null,
  error: null,
};

/** found is the search on the page. It outlives the page, so that coming back to it asks nothing. */
export const found = signal<Found>(nothing);

let under = new AbortController(); // of the search under way
/** unfinished is the answer under way, or the last one if it did not come whole, and the matches before it. */
let unfinished: { request: SearchRequest; matches: number } | null = null;
const waits = [500, 1000, 2000, 4000, 8000]; // ms between attempts to resume

/** search starts a search; one that asks for nothing clears the page. */
export function search(query: Query): void {
  begin(wanted(query));
}

/** follow starts a search, unless it is the one on the page. */
export function follow(query: Query): void {
  if (JSON.stringify(found.peek().request) !== JSON.stringify(wanted(query))) search(query);
}

function wanted(query: Query): SearchRequest | null {
  return isEmpty(query) ? null : requestOf(query);
}

function begin(request: SearchRequest | null): void {
  under.abort();
  unfinished = null;
  found.value = request ? { ...nothing, phase: "searching", request } : nothing;
  if (request) void run({ ...request, explain: true, include_counts: "all" });
}

/** stop ends the search under way, and keeps the people so far. It returns whether there was one. */
export function stop(): boolean {
  if (!isBusy(found.value)) return false;
  under.abort();
  update({ phase: "stopped" });
  return true;
}

/** goOn asks for what follows: the next page, or the rest of an answer that was lost or stopped. */
export function goOn(): void {
  const { next, request, matches } = found.value;
  if (isBusy(found.value)) return;
  const wanted = unfinished ?? (next ? { request: { cursor: next }, matches } : null);
  if (wanted) {
    update({ phase: "searching", error: null });
    void run(wanted.request, wanted.matches);
  } else {
    begin(request);
  }
}

/** isBusy reports whether a search is under way. */
export function isBusy({ phase }: Found): boolean {
  return phase === "searching" || phase === "resuming";
}

function update(change: Partial<Found>): void {
  found.value = { ...found.value, ...change };
}

/**
 * run receives an answer that begins after so many matches. If the connection is lost in it, it asks for the rest,
 * after its last match.
 */
async function run(request: SearchRequest, matches = 0): Promise<void> {
  const mine = new AbortController();
  under = mine;
  unfinished = { request, matches };
  for (let attempt = 0; ; attempt++) {
    const before = found.value.people.length;
    const last = found.value.matches > matches ? found.value.next : "";
    try {
      if (await receive(request, last, mine.signal)) return;
      throw new Lost("the answer ended early");
    } catch (error) {
      if (mine.signal.aborted) return;
      if (found.value.people.length > before) attempt = 0;
      const wait = waits[attempt];
      if (!(error instanceof Lost) || wait === undefined || found.value.interpretation === null) {
        update({ phase: error instanceof Refused || !(error instanceof Lost) ? "failed" : "lost", error });
        return;
      }
      update({ phase: "resuming", error });
      if (await pause(wait, mine.signal)) return;
    }
  }
}

/** pause waits, but no longer than until the browser is online again. It returns whether the search was ended. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve(signal.aborted);
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}

/** receive shows the events of an answer, and returns whether it came whole. */
async function receive(request: SearchRequest, last: string, signal: AbortSignal): Promise<boolean> {
  let whole = false;
  for await (const events of stream(request, last, signal)) {
    signal.throwIfAborted();
    const next = events.reduce(after, found.value);
    whole ||= events.some((e) => e.event === "done");
    found.value = next;
    if (next.phase === "done") unfinished = null;
  }
  return whole;
}

/** after returns the state after an event. */
export function after(state: Found, e: SearchEvent): Found {
  switch (e.event) {
    case "metadata":
      return state.interpretation && state.people.length > 0 ? { ...state, phase: "searching" }
        : { ...state, phase: "searching", interpretation: e.data.interpretation };
    case "stage": // a search resumes after its last match, and sends the closest people again
      return e.data.stage === "closest" ? { ...state, people: state.people.slice(0, state.matches) } : state;
    case "result":
      return withPerson(state, e.data.person, e.id);
    case "counts":
      return { ...state, counts: e.data.counts };
    case "error":
      return { ...state, phase: "failed", error: new Refused(e.data) };
    case "done":
      return ended(state, e.data);
  }
}

function withPerson(state: Found, person: Person, cursor: string): Found {
  const people = [...state.people, person];
  if (person.match?.closest) return { ...state, people, error: null };
  return { ...state, people, matches: people.length, next: cursor, error: null };
}

function ended(state: Found, { complete, metadata, pagination }: Schemas["DoneEvent"]): Found {
  if (!complete) return { ...state, phase: state.phase === "failed" ? "failed" : "lost" };
  const next = pagination.has_next_page ? pagination.cursor : "";
  return { ...state, phase: "done", next, told: state.told ?? metadata, error: null };
}
