// Compares the look of the main pages with the kept one, looks.tsv: where the first element of each kind is on the
// screen and how wide, at three sizes, and its colours in light and dark. Fonts and data may move it by 4 % of the
// screen. Heights depend on the demo's people.
// Arguments: the address, the program, kith's data directory, looks.tsv. KITH_LOOKS=accept writes that file.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { launch, signIn, visiting } from "./browser.mjs";

const [url, kith, data, file] = process.argv.slice(2);
const tolerance = 0.04;
const sizes = [[1440, 900], [1280, 800], [390, 844]];
const kinds = ["nav", "main", "h1", "form", "textarea", "table", ".split-list", ".split-aside",
  ".person", ".chips", ".tabs", ".choices", ".bars", ".drop", ".opblock", ".button.main"];

// Each page has an address, and what is there once it is complete.
const pages = {
  start: ["", ".start"],
  search: ["#prompt=engineers+in+Germany", ".facets label"],
  person: ["#prompt=product+managers+in+London", ".facets label"],
  network: ["people", ".pictures .bars"],
  "ways in": ["paths#whom=Google", ".target"],
  lists: ["lists", ".choices li"],
  outreach: ["outreach", ".mails a"],
  import: ["import", ".drop"],
  settings: ["settings", ".facts"],
  reference: ["docs#find=lists", ".opblock"],
};

const browser = await launch();
const { someone, faults } = visiting(browser, url);
const page = await someone();
await signIn(page, { url, kith, data }, "demo");

// boxes returns the first visible element of each kind, clipped to the screen.
const boxes = (kinds) => kinds.flatMap((kind) => {
  for (const element of document.querySelectorAll(kind)) {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const [x, y] = [Math.max(left, 0), Math.max(top, 0)].map(Math.round);
    const [width, height] = [Math.min(right, innerWidth) - x, Math.min(bottom, innerHeight) - y].map(Math.round);
    const { color, backgroundColor } = getComputedStyle(element);
    if (width > 0 && height > 0) return [{ kind, box: [x, y, width], paint: `${color} on ${backgroundColor}` }];
  }
  return [];
});

// looks returns the lines of a page, by page, size and kind.
async function looks(name) {
  const lines = [];
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = Object.fromEntries((await page.evaluate(boxes, kinds)).map(({ kind, paint }) => [kind, paint]));
    await page.emulateMedia({ colorScheme: "light" });
    for (const { kind, box, paint } of await page.evaluate(boxes, kinds)) {
      lines.push([`${name} ${width}x${height} ${kind}`, ...box, paint, dark[kind]]);
    }
  }
  return lines;
}

const seen = [];
for (const [name, [address, complete]] of Object.entries(pages)) {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("about:blank");
  await page.goto(`${url}/${address}`);
  await page.locator(complete).first().waitFor();
  if (name === "person") {
    await page.locator(".person a").first().click();
    await page.locator(".way").first().waitFor();
  }
  await page.evaluate(() => document.activeElement.blur());
  seen.push(...await looks(name));
}
await browser.close();
assert.deepEqual(faults, []);

if (process.env.KITH_LOOKS === "accept") {
  writeFileSync(file, seen.map((line) => `${line.join("\t")}\n`).join(""));
} else {
  const told = changes(readFileSync(file, "utf8").trim().split("\n").map((line) => line.split("\t")));
  const help = "Pages look different. Look at them; KITH_LOOKS=accept scripts/wire/run looks keeps the new look.";
  assert.ok(told.length === 0, [help, ...told].join("\n"));
}
console.log(`${seen.length} elements of ${Object.keys(pages).length} pages`);

// changes says which elements are elsewhere, have other colours, are new or are gone.
function changes(kept) {
  const before = new Map(kept.map(([of, ...look]) => [of, look]));
  const now = new Map(seen.map(([of, ...look]) => [of, look.map(String)]));
  return [...new Set([...before.keys(), ...now.keys()])].filter((of) => !same(of, before.get(of), now.get(of)))
    .map((of) => `${of}: ${now.get(of) ?? "gone"}, was ${before.get(of) ?? "not there"}`);
}

function same(of, before, now) {
  if (!before || !now) return false;
  const [width, height] = /(\d+)x(\d+)/.exec(of).slice(1).map(Number);
  return [width, height, width].every((side, i) => Math.abs(before[i] - now[i]) <= side * tolerance)
    && before.slice(3).join() === now.slice(3).join();
}
