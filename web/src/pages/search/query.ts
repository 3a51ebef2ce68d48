import type { SearchRequest } from "../../api/search";
import type { Given } from "../../state/route";

/** Query is a search as its address has it. */
export interface Query {
  prompt: string;
  /** scope is empty for the network first, reach for the network only, global for everyone, or list:ID. */
  scope: string;
  filters: Record<string, string>;
  /** reading is the number of the reading of the prompt that the reader chose. */
  reading?: number;
}

/** Part is a piece of an interpretation: the words of its span in the prompt, or else the filter of its field. */
export interface Part {
  span?: readonly number[] | null | undefined;
  field?: string | undefined;
}

const reserved = new Set(["prompt", "scope", "person", "reading"]);

/** queryOf returns the search of an address. It ignores members that cannot be filters. */
export function queryOf(given: Given): Query {
  const filters = Object.entries(given).filter(([name, value]) =>
    !reserved.has(name) && /^[a-z]+([A-Z][a-z]+)*$/.test(name) && value.trim() !== "");
  const reading = Number(given["reading"]);
  return {
    prompt: given["prompt"] ?? "", scope: given["scope"] ?? "", filters: Object.fromEntries(filters),
    ...([1, 2, 3].includes(reading) && { reading }),
  };
}

/** givenOf returns the address of a search, with its members in a fixed order. */
export function givenOf({ prompt, scope, filters, reading }: Query): Given {
  const all = { prompt: prompt.trim(), ...filters, scope, reading: reading ? String(reading) : "" };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}

/** isEmpty reports whether a search asks for nothing. */
export function isEmpty(query: Query): boolean {
  return query.prompt.trim() === "" && Object.keys(query.filters).length === 0 && !query.scope.startsWith("list:");
}

/** requestOf returns the request of a search. */
export function requestOf({ prompt, scope, filters, reading }: Query): SearchRequest {
  const search: SearchRequest = {};
  if (prompt.trim()) search.prompt = prompt.trim();
  if (search.prompt && reading) search.reading = reading;
  if (Object.keys(filters).length > 0) search.filters = filters;
  if (scope === "global") search.scope = "global";
  if (scope === "reach") {
    search.scope = "network";
    search.network_filters = { connection_degrees: [1, 2] };
  }
  if (scope.startsWith("list:")) {
    search.scope = "specific_list";
    search.specific_list_data = { list: scope.slice("list:".length) };
  }
  return search;
}

/** savedQuery returns the address's form of a search that was saved. */
export function savedQuery(search: SearchRequest): Query {
  const reach = search.scope === "network" && (search.network_filters?.connection_degrees ?? []).length > 0;
  return {
    prompt: search.prompt ?? "",
    scope: reach ? "reach" : search.scope === "global" ? "global" : "",
    filters: { ...search.filters },
    ...(search.reading && { reading: search.reading }),
  };
}

/** withPrompt returns the search with another prompt, of which no reading is chosen yet. */
export function withPrompt(query: Query, prompt: string): Query {
  return prompt === query.prompt ? query : { prompt, scope: query.scope, filters: query.filters };
}

/** without cuts words out of a prompt, by their span in code points. */
export function without(prompt: string, span: readonly number[]): string {
  const letters = Array.from(prompt);
  const [from = 0, to = 0] = span;
  letters.splice(from, to - from);
  // Function words at the end go, too: a lone "in" would be read as Indiana.
  const ends = /([\s,;]+(in|at|from|near|with|of|for|on|and|or|but|not))*[\s,;]*$/i;
  return letters.join("").replaceAll(/ +/g, " ").replace(ends, "").trim();
}

/** drop returns the search without some parts: it cuts their words out of the prompt, or removes their filters. */
export function drop(query: Query, parts: readonly Part[]): Query {
  const spans = parts.flatMap(({ span }) => span ? [span] : []).toSorted((a, b) => (b[0] ?? 0) - (a[0] ?? 0));
  const gone = new Set(parts.flatMap(({ span, field }) => span ? [] : [field]));
  return {
    scope: query.scope,
    prompt: spans.reduce(without, query.prompt.trim()),
    filters: Object.fromEntries(Object.entries(query.filters).filter(([field]) => !gone.has(field))),
  };
}

/** canDrop reports whether the search can go without a part. */
export function canDrop(query: Query, { span, field }: Part): boolean {
  return Boolean(span) || (field !== undefined && field in query.filters);
}

/** change returns the search with another value for a filter, which takes the place of its words in the prompt. */
export function change(query: Query, part: Part & { field: string }, value: string): Query {
  const rest = drop(query, [part]);
  return value.trim() ? { ...rest, filters: { ...rest.filters, [part.field]: value.trim() } } : rest;
}

/** literal quotes a value with a comma or a leading sign, which have a meaning in filters. */
export function literal(value: string): string {
  return /,|^[-+=]/.test(value) ? `"${value.replaceAll('"', " ")}"` : value;
}

/** valuesOf returns the alternatives of a filter, without their quotes. */
export function valuesOf(filter: string): string[] {
  return filter.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((one) => one.trim().replace(/^"|"$/g, "")).filter(Boolean);
}

/** toggle returns the search with a value of a filter checked or unchecked. */
export function toggle(query: Query, field: string, value: string): Query {
  const values = valuesOf(query.filters[field] ?? "");
  const rest = values.filter((one) => one !== value);
  const next = rest.length === values.length ? [...values, value] : rest;
  return change(query, { field }, next.map(literal).join(", "));
}
