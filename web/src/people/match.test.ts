// @vitest-environment happy-dom
import { expect, test } from "vitest";
import type { Person } from "../api/search";
import { brief, filterName, marked, missing, names, profileAddress, telling, wantedWords, way } from "./match";

const person = (match: Person["match"], more: Partial<Person> = {}): Person => ({
  id: 1, first_name: "Jane", last_name: "Doe", full_name: "Jane Doe", social_url: null, headline: "", about_me: "",
  location: { city: "Berlin", state: "Berlin", country: "Germany" }, image_url: "",
  work_relevant: {
    title: "Director of Sales", start_date: null, end_date: null,
    company: { name: "Acme" } as NonNullable<Person["work_relevant"]>["company"],
  },
  ...more, ...(match && { match }),
});
const yes = (criterion: string, evidence: string) => ({ criterion, evidence, satisfied: "yes" as const });

test("the words that match are marked, whatever their case, accents and number", () => {
  const words = wantedWords(person({ criteria: [yes("pastCompany: Zürich Re, Banks", "x"), yes("city: -Bonn", "y")] }));
  expect(marked("Clerk at ZURICH Banking, Bonn", words).filter((run) => run.marked).map((run) => run.text))
    .toEqual(["ZURICH", "Banking"]);
  expect(marked("<b>Banks</b>", words).map((run) => run.text).join("")).toBe("<b>Banks</b>");
});

test("the reason in a row is one that the row does not show", () => {
  const criteria = [yes("seniority: director", "Director of Sales at Acme, since 2020"),
    yes("city: Berlin", "Berlin, Berlin, Germany"), yes("pastCompanyIndustry: Banks", "Clerk at UBS · Banking")];
  expect(telling(person({ criteria }))?.evidence).toBe("Clerk at UBS · Banking");
  expect(telling(person({ criteria: criteria.slice(0, 2) }))).toBeUndefined();
});

test("ways and missing conditions are in words", () => {
  const introducers = ["Al", "Bo", "Cy", "Di"].map((name, rank) =>
    ({ name, rank, social_identifier: name, is_direct: true }));
  expect(way(person({ network: { degree: 2, introducers } }))).toBe("Through Al, Bo, 2 more");
  expect(way(person({ network: { degree: 1, introducers: [] } }))).toBe("You know each other");
  expect(way(person({ network: { degree: null, introducers: [] } }))).toBe("");
  const lacks = [{ field: "companySize", value: "50-200", instead: null, similarity: null },
    { field: "position", value: "hacker", instead: "marketer", similarity: 0.7 },
    { field: "network", value: "people I know", instead: null, similarity: null }];
  expect(missing(person({ closest: { missing: lacks } })))
    .toBe("company size 50-200; title hacker (marketer); people I know");
});

test.each([["pastCompanySize", "past company size"], ["city", "city"], ["Rising Star", "Rising Star"]])(
  "the filter %s is called %s", (field, want) => { expect(filterName(field)).toBe(want); });

test.each([["social.example/in/x", "https://social.example/in/x"], ["HTTP://a.example/", "HTTP://a.example/"],
  ["javascript:alert(1)", ""], [null, ""]])("the address of the profile %s is %s", (url, want) => {
  expect(profileAddress({ social_url: url })).toBe(want);
});

test("long lists are cut after a whole name", () => {
  expect(brief("Berlin, Hamburg, Munich, Cologne, Frankfurt am Main, Stuttgart, Bonn"))
    .toBe("Berlin, Hamburg, Munich, Cologne, Frankfurt am Main, …");
  expect(names(["a", "b"])).toBe("a or b");
});
