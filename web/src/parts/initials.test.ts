import { expect, test } from "vitest";
import { initials } from "./initials";

test.each([["Jane Doe", "JD"], ["Jane van der Doe", "JD"], ["(Al) Roe", "AR"], ["Åsa", "Å"], ["", ""], ["— —", ""],
  ["王 小明", "王小"], ["<script>", "S"]])("the initials of %s are %s", (name, want) => {
  expect(initials(name)).toBe(want);
});
