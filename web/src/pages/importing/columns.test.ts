import { expect, test } from "vitest";
import { guessed, hasName, toMap } from "./columns";

test("columns become a mapping", () => {
  const chosen = new Map([["Contact", "person.full_name"], ["Mail", "person.emails"], ["Mail 2", "person.emails"],
    ["Works at", "current.company.name"]] as const);
  expect(JSON.parse(toMap(chosen))).toEqual({
    person: { full_name: ["Contact"], emails: ["Mail", "Mail 2"] }, current: { "company.name": ["Works at"] },
  });
  expect(toMap(new Map())).toBe("");
});

test("columns are guessed by their names", () => {
  expect([...guessed(["Contact name", "Company", "Job Title", "E-Mail", "Second e-mail", "Shoe size"])]).toEqual([
    ["Contact name", "person.full_name"], ["Company", "current.company.name"], ["Job Title", "current.title"],
    ["E-Mail", "person.emails"],
  ]);
  expect(hasName(guessed(["Company", "Shoe size"]))).toBe(false);
});
