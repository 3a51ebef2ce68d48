import { expect, test } from "vitest";
import {
  canDrop, change, drop, givenOf, isEmpty, type Query, queryOf, requestOf, savedQuery, toggle, valuesOf, without,
  withPrompt,
} from "./query";

const none: Query = { prompt: "", scope: "", filters: {} };

test("an address gives its search, and the search its address", () => {
  const given = { prompt: "heads of data", city: "Berlin", companySize: "50-500", scope: "reach" };
  expect(givenOf(queryOf({ ...given, person: "17", "no-filter": "x", country: " " }))).toEqual(given);
});

test.each([
  [none, true], [{ ...none, scope: "global" }, true], [{ ...none, prompt: " " }, true],
  [{ ...none, scope: "list:x" }, false], [{ ...none, filters: { city: "Berlin" } }, false],
])("%o asks for nothing: %s", (query, want) => { expect(isEmpty(query)).toBe(want); });

test("scopes become those of the API", () => {
  expect(requestOf({ ...none, prompt: " a ", scope: "reach" })).toEqual(
    { prompt: "a", scope: "network", network_filters: { connection_degrees: [1, 2] } });
  expect(requestOf({ ...none, scope: "list:x" })).toEqual(
    { scope: "specific_list", specific_list_data: { list: "x" } });
});

test.each([
  ["heads of data in Berlin", [17, 23], "heads of data"],
  ["Berlin engineers", [0, 6], "engineers"],
  ["👩‍💻 in Köln, with Go", [7, 11], "👩‍💻 in , with Go"],
  ["people who know Go and", [16, 18], "people who know"],
])("%s without %o is %s", (prompt, span, want) => { expect(without(prompt, span)).toBe(want); });

test("parts are dropped from the prompt and from the filters", () => {
  const query = { prompt: "designers in Berlin at Acme", scope: "", filters: { country: "DE" } };
  const parts = [{ field: "city", span: [13, 19] }, { field: "company", span: [23, 27] }, { field: "country" }];
  expect(drop(query, parts)).toEqual({ prompt: "designers", scope: "", filters: {} });
  expect(canDrop(query, { field: "country" })).toBe(true);
  expect(canDrop(query, { field: "city" })).toBe(false);
});

test("a changed value takes the place of its words", () => {
  const query = { ...none, prompt: "designers in Berlin" };
  expect(change(query, { field: "city", span: [13, 19] }, "Munich")).toEqual(
    { ...none, prompt: "designers", filters: { city: "Munich" } });
});

test("values are checked one by one, and those with commas are quoted", () => {
  let query = toggle(none, "city", "Berlin");
  query = toggle(query, "city", "Washington, DC");
  expect(query.filters).toEqual({ city: 'Berlin, "Washington, DC"' });
  expect(valuesOf(query.filters["city"] ?? "")).toEqual(["Berlin", "Washington, DC"]);
  query = toggle(query, "city", "Berlin");
  expect(toggle(query, "city", "Washington, DC").filters).toEqual({});
});

test("a chosen reading is part of the address, and goes with its prompt", () => {
  const query = queryOf({ prompt: "nice cooks", reading: "2" });
  expect(requestOf(query)).toEqual({ prompt: "nice cooks", reading: 2 });
  expect(givenOf(query)).toEqual({ prompt: "nice cooks", reading: "2" });
  expect(savedQuery(requestOf(query))).toEqual(query);
  expect(requestOf(withPrompt(query, "cooks"))).toEqual({ prompt: "cooks" });
  expect(queryOf({ prompt: "cooks", reading: "9" }).reading).toBeUndefined();
});
