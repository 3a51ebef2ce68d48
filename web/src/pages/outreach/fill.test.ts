import { expect, test } from "vitest";
import { fill, inserted, missing } from "./fill";

const values = { first_name: " Zoë\nB ", company: "", odd: "a {b}" };

test.each([
  ["Hi {first_name}!", [["Hi ", "text"], ["Zoë B", "filled"], ["!", "text"]]],
  ["{ first_name }", [["Zoë B", "filled"]]],
  ["at {company}", [["at ", "text"], ["{company}", "missing"]]],
  ["{odd}", [["{odd}", "missing"]]],
  ["{1} {} { x y }", [["{1} {} { x y }", "text"]]],
  ["<b>{unknown}</b>", [["<b>", "text"], ["{unknown}", "missing"], ["</b>", "text"]]],
  ["", []],
])("%j is filled", (text, parts) => {
  expect(fill(text, values).map((part) => [part.text, part.is])).toEqual(parts);
});

test("each placeholder without a value is named once", () => {
  expect(missing(["{company} {first_name}", "{company} {odd}"], values)).toEqual(["{company}", "{odd}"]);
});

test("a placeholder replaces the selection", () => {
  expect(inserted("Hi you!", 3, 6, "first_name")).toEqual({ text: "Hi {first_name}!", caret: 15 });
});
