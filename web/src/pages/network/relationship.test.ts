import { expect, test } from "vitest";
import { matching, outOfTouch, type Relationship } from "./relationship";

const one = (name: string, score: number, last: string | null) =>
  ({ id: name, score, person: { id: "1", name, social_url: null }, contact: last && { last } }) as Relationship;

const all = [one("Ann Lee", 5, "2020-01-01"), one("Bo Lee", 9, "2019-01-01"), one("Cy", 9, "2026-01-01"),
  one("Di", 2, "2019-01-01"), one("Ed", 9, null)];

test("those out of touch are known well, and were in contact once", () => {
  expect(outOfTouch(all, Date.parse("2026-06-01")).map((r) => r.id)).toEqual(["Bo Lee", "Ann Lee"]);
});

test("names match by all their words", () => {
  expect(matching(all, "lee a").map((r) => r.id)).toEqual(["Ann Lee"]);
  expect(matching(all, " ")).toHaveLength(5);
});
