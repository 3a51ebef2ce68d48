import { t } from "../text";
import type { components } from "./schema";

/** Problem is an error of the API, or what is known of another answer that is none of the API's. */
export type Problem = Partial<components["schemas"]["Error"]> & { detail: string; after?: string };

/** Refused is an error answer of the server. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** Lost says that the server gave no answer, or not the whole one. */
export class Lost extends Error {}

/** refusal makes a Refused of an error answer and its parsed body. */
export function refusal(answer: Response, body: unknown): Refused {
  const after = answer.headers.get("Retry-After");
  const wait = after === null ? {} : { after };
  return new Refused({ status: answer.status, detail: t.problem.status(answer.status), ...problemOf(body), ...wait });
}

function problemOf(body: unknown): Partial<Problem> {
  if (typeof body !== "object" || body === null || !("error" in body)) return {};
  return body.error as Problem; // openapi.yaml promises the shape
}

/** Told is an error in words: what was wrong, each field of its own, and what helps. */
export interface Told {
  text: string;
  fields: { field: string; message: string }[];
  /** remedy is what would help: signing in, trying again, or nothing. */
  remedy: "sign-in" | "retry" | null;
}

/**
 * tell says an error in words. An error that is neither Refused nor Lost is a fault of the page, never of the network:
 * the console shows it in full.
 */
export function tell(err: unknown): Told {
  if (err instanceof Lost) return { text: t.problem.lost, fields: [], remedy: "retry" };
  if (!(err instanceof Refused)) {
    console.error(err); // eslint-disable-line no-console -- the one place where a fault is recorded
    return { text: fault(err), fields: [], remedy: null };
  }
  const { problem } = err;
  const fields = problem.errors ?? [];
  const parts = fields.length > 0 ? [] : [t.problem.codes[problem.code ?? ""] ?? problem.detail];
  if (problem.after) parts.push(t.problem.after(problem.after));
  return { text: parts.join(" "), fields, remedy: remedyOf(problem) };
}

function remedyOf(problem: Problem): Told["remedy"] {
  if (problem.status === 401) return "sign-in";
  return problem.retryable || (problem.status ?? 0) >= 500 ? "retry" : null;
}

/** inOneLine says an error in one line, for a toast. */
export function inOneLine(err: unknown): string {
  const { text, fields } = tell(err);
  return [text, ...fields.map((f) => `${f.field}: ${f.message}`)].filter(Boolean).join(" ");
}

/** fault says an error of a script in words. */
export function fault(err: unknown): string {
  return t.problem.fault(err instanceof Error ? err.message : String(err));
}

/** canceled reports whether an error says that the page itself ended a request. */
export function canceled(err: unknown): boolean {
  return err instanceof DOMException && err.name === "AbortError";
}
