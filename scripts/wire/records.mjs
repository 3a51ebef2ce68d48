// Shows imported records with unusual texts, and new matches of a saved search. Arguments: the address, the program,
// kith's data directory.
import assert from "node:assert/strict";
import { check, importing, launch, reads, signIn, visiting } from "./browser.mjs";
import { newcomer, records, script } from "./files.mjs";

const [url, kith, data] = process.argv.slice(2);

const browser = await launch();
const { someone, hurdles, faults } = visiting(browser, url);
const page = await someone({ viewport: { width: 375, height: 720 } });
const state = page.locator("#state");
const people = page.locator(".person");
const drawer = page.locator("#drawer");
const hostile = people.filter({ hasText: "Harry" });

async function search(fields) {
  await page.goto(`${url}/#${new URLSearchParams(fields)}`);
  await page.reload();
  await reads(state, /people$|person$/);
}

// order sorts texts by their position in a card, from left to right.
async function order(card, ...texts) {
  const lefts = await card.evaluate((of, wanted) => wanted.map((text) => {
    const walk = document.createTreeWalker(of, NodeFilter.SHOW_TEXT);
    while (walk.nextNode() && !walk.currentNode.data.includes(text));
    const at = walk.currentNode.data.indexOf(text);
    const range = document.createRange();
    range.setStart(walk.currentNode, at);
    range.setEnd(walk.currentNode, at + text.length);
    return range.getBoundingClientRect().left;
  }), texts);
  return [...texts].sort((a, b) => lefts[texts.indexOf(a)] - lefts[texts.indexOf(b)]);
}

async function isText() {
  assert.equal(await page.locator("main img, dialog img, a[href^=javascript]").count(), 0);
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
}

const checks = {
  async "a user imports records"() {
    await signIn(page, { url, kith, data, home: true }, "keen");
    await importing(page, url, records);
    await isText();
  },
  async "hostile and long texts are shown as text"() {
    await search({ position: "Gardener" });
    await reads(people, `Gardener ${script}`);
    await isText();
    await reads(people, /· 1 employee(?!s)/);
    await hostile.getByRole("button", { name: "Ask for an introduction" }).click();
    await drawer.getByRole("heading", { name: "Skills" }).waitFor();
    await reads(drawer, script);
    await isText();
    await page.keyboard.press("Escape");
    await page.locator("#prompt").fill(script);
    await page.keyboard.press("Enter");
    await reads(page.locator("#understood"), "onerror");
    await isText();
  },
  async "initials are letters"() {
    await search({ position: "Gardener" });
    const initials = (name) => people.filter({ hasText: name }).locator(".initials").textContent();
    assert.deepEqual([await initials("Zoë"), await initials("ß")], ["Z", "SS"]);
  },
  async "profile addresses without a scheme are links, too"() {
    assert.equal(await hostile.locator("h2 a").getAttribute("href"), "https://social.example/in/harry");
  },
  async "right-to-left text does not reorder its neighbours"() {
    await page.setViewportSize({ width: 900, height: 720 });
    await search({ position: "بستاني" });
    const card = people.filter({ hasText: "مريم" });
    for (const line of [["بستاني", "at", "شركة"], ["قرية", "since", "2019", "بنوك", "1 employee"]]) {
      assert.deepEqual(await order(card, ...line), line);
    }
    await page.locator("#prompt").fill("مهندسون في الرياض (2019)");
    assert.equal(await page.locator("#prompt").evaluate((e) => getComputedStyle(e).direction), "rtl");
  },
  async "a search is saved by keyboard, and its new matches are marked as seen"() {
    await page.setViewportSize({ width: 1000, height: 720 });
    await search({ position: "Gardener" });
    await page.getByRole("button", { name: "Save this search" }).press("Enter");
    assert.equal(await page.locator("#keeping-name").inputValue(), "Gardener");
    await page.keyboard.type(script);
    await hurdles(page, "save-search");
    await page.keyboard.press("Enter");
    await reads(state, `Saved as ${script}.`);
    await page.goto(`${url}/people`);
    const saved = page.locator("#searches li").filter({ hasText: script });
    await reads(saved, "position: Gardener");
    await saved.getByRole("button", { name: "New people" }).press("Enter");
    await reads(page.locator("#new-people"), "No new matches.");
    assert.equal(await page.locator("#seen").isVisible(), false);
    await importing(page, url, newcomer);
    await page.goto(`${url}/people`);
    await saved.getByRole("button", { name: "New people" }).click();
    await reads(page.locator("#new-people li"), "Nora New");
    await hurdles(page, "new-people");
    await page.getByRole("button", { name: "Mark as seen" }).click();
    await reads(page.locator("#new-people"), "No new matches.");
    await saved.getByRole("link").click();
    await reads(state, /people$/);
    assert.equal(await page.locator("input[name=position]").inputValue(), "Gardener");
    await page.goBack();
    await saved.getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).press("Enter");
    await reads(state, "is deleted.");
    await isText();
  },
};

await check(checks, faults, page, ["a user imports"]);
await browser.close();
console.log(`${Object.keys(checks).length} uses of unusual records`);
