// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { go, href, read, route, set } from "./route";

beforeEach(() => { go("search"); });

test.each([
  ["https://kith.test/#prompt=a+b&person=3", "search", { prompt: "a b", person: "3" }],
  ["https://kith.test/below/lists#list=x", "lists", { list: "x" }],
  ["https://kith.test/unknown", "search", {}],
  ["https://kith.test/sign-in#kd_secret", "sign-in", { kd_secret: "" }],
])("the route of %s", (address, page, given) => {
  expect(read(new URL(address))).toEqual({ page, given });
});

test("an address leads back to its route", () => {
  const given = { prompt: "a & b #1", scope: "list:x!v", city: '"Berlin, Germany"' };
  expect(read(new URL(href("search", given), "https://kith.test/")).given).toEqual(given);
});

test("a change keeps the other members", () => {
  go("search", { prompt: "a", person: 3 });
  set({ person: undefined });
  expect(route.value).toEqual({ page: "search", given: { prompt: "a" } });
});
