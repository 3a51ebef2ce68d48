import { api, ask, type Schemas } from "./client";
import { events, type StreamedEvent } from "./events";

export type SearchRequest = Schemas["SearchRequest"];
export type Person = Schemas["Person"];
export type Interpretation = Schemas["Interpretation"];
export type SearchMetadata = Schemas["SearchMetadata"];

/** SearchEvent is an event of a search. */
export type SearchEvent =
  | { event: "metadata"; data: SearchMetadata }
  | { event: "result"; id: string; data: Schemas["ResultEvent"] }
  | { event: "stage"; data: Schemas["StageEvent"] }
  | { event: "counts"; data: Schemas["CountsEvent"] }
  | { event: "error"; data: Schemas["Error"] }
  | { event: "done"; data: Schemas["DoneEvent"] };

/**
 * stream searches, and yields the events that arrive together. With the ID of an event of an answer that broke off, it
 * yields the rest of that answer.
 */
export async function* stream(
  search: SearchRequest, last: string, signal: AbortSignal,
): AsyncGenerator<SearchEvent[]> {
  const headers = last ? { "Last-Event-ID": last } : {};
  const body = await ask(api.POST("/v2/people/search",
    { body: { ...search, stream: true }, headers, parseAs: "stream", signal }));
  for await (const some of events(body as unknown as ReadableStream<Uint8Array>)) yield some.map(parse);
}

function parse({ event, id, data }: StreamedEvent): SearchEvent {
  return { event, id, data: JSON.parse(data) as unknown } as SearchEvent; // openapi.yaml promises the shapes
}

/** Facets are counts of values, by field. */
export type Facets = NonNullable<SearchMetadata["facets"]>;

/** facetFields are the fields that are counted: at most five. */
export const facetFields = ["city", "company", "companyIndustry", "seniority", "companySize"] as const;

/** countFacets counts the values of the people of a search. */
export async function countFacets(search: SearchRequest, signal: AbortSignal): Promise<Facets> {
  const body: SearchRequest = { ...search, limit: 1, facets: [...facetFields] };
  delete body.include_counts;
  delete body.explain;
  const answer = await ask(api.POST("/v2/people/search", { body, signal }));
  return (answer as Schemas["SearchAnswer"]).metadata.facets ?? {};
}

/** downloadCSV returns the people of a search as a table. */
export async function downloadCSV(search: SearchRequest): Promise<Blob> {
  const headers = { Accept: "text/csv" };
  return await ask(api.POST("/v2/people/search", { body: search, headers, parseAs: "blob" }));
}
