import createClient from "openapi-fetch";
import { noteSignedOut } from "../state/session";
import { Lost, Refused, refusal } from "./problem";
import type { components, paths } from "./schema";

/** Schemas are the types of openapi.yaml, by name. */
export type Schemas = components["schemas"];

/** base is the address that Kith is served at, which may lie below another one. */
export const base = new URL(".", document.baseURI).href.replace(/\/$/, "");

/** api has a typed method for each operation of openapi.yaml. Pass its calls to ask. */
export const api = createClient<paths>({ baseUrl: base, fetch: reach });

/** Answer is the part of an openapi-fetch response that ask reads. */
interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** ask returns the body of an answer. It throws Refused for an error answer and Lost for none. */
export async function ask<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok) return data as T;
  if (response.status === 401) noteSignedOut();
  throw refusal(response, error);
}

/** Page is a page of a list. */
export interface Page<T> {
  data: T[];
  pagination: Schemas["Pagination"];
}

/** PageQuery asks for a page: the first, or that of a cursor. */
export interface PageQuery {
  limit: number;
  cursor?: string;
}

/** Part is a part of a list. cursor is where the list goes on, and undefined at its end. */
export interface Part<T> {
  entries: T[];
  cursor: string | undefined;
}

/** readPages returns the entries of at most this many pages of 100, from the start of a list or from a cursor. */
export async function readPages<T>(
  page: (query: PageQuery) => Promise<Page<T>>, most: number, cursor?: string,
): Promise<Part<T>> {
  const entries: T[] = [];
  for (let i = 0; i < most; i++) {
    const answer = await page({ limit: 100, ...(cursor && { cursor }) });
    entries.push(...answer.data);
    cursor = answer.pagination.has_next_page ? answer.pagination.cursor : undefined;
    if (!cursor) break;
  }
  return { entries, cursor };
}

/** everything returns the entries of a list, of at most ten pages. */
export async function everything<T>(page: (query: PageQuery) => Promise<Answer<Page<T>>>): Promise<T[]> {
  return (await readPages((query) => ask(page(query)), 10)).entries;
}

/**
 * reach fetches an answer with its whole body, unless that is a stream. Browsers report a lost connection as a
 * TypeError, like an error of a script; reach makes it Lost. A canceled request stays an AbortError.
 */
async function reach(request: Request): Promise<Response> {
  const answer = await reached(fetch(request));
  const type = answer.headers.get("Content-Type") ?? "";
  if (answer.ok && type.startsWith("text/event-stream")) return answer;
  const body = await reached(answer.arrayBuffer());
  if (type.startsWith("text/html")) {
    throw new Refused({ status: answer.status, detail: `The server answered ${answer.status} with a page.` });
  }
  return new Response(body.byteLength > 0 ? body : null, answer);
}

/** reached waits for an answer or a part of it, and throws Lost if the connection fails. */
export async function reached<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (err) {
    if (err instanceof DOMException && err.name === "AbortError") throw err;
    throw new Lost("no answer", { cause: err });
  }
}
