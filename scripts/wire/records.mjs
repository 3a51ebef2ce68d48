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
const detail = page.getByRole("complementary", { name: "Person", exact: true });
const dialog = page.getByRole("dialog");
const notice = page.locator(".notice");
const hostile = people.filter({ hasText: "Harry" });

async function search(fields) {
  await page.goto(`${url}/#${new URLSearchParams(fields)}`);
  await page.reload();
  await reads(state, /(people|person)( |$)/);
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
    await hostile.getByRole("link").click();
    await detail.getByRole("heading", { name: "Skills" }).waitFor();
    await reads(detail, script);
    await reads(detail, /· 1 employee(?!s)/);
    await isText();
    await detail.getByRole("button", { name: "Write", exact: true }).click();
    await reads(dialog, /^Write to Harry/);
    await reads(dialog, "no e-mail address");
    await isText();
    await page.keyboard.press("Escape");
    await page.goto(`${url}/#${new URLSearchParams({ prompt: script })}`);
    await reads(page.locator(".chips"), "onerror");
    await isText();
  },
  async "initials are letters"() {
    await search({ position: "Gardener" });
    const initials = (name) => people.filter({ hasText: name }).locator(".initials").textContent();
    assert.deepEqual([await initials("Zoë"), await initials("ß")], ["Z", "SS"]);
  },
  async "profile addresses without a scheme are links, too"() {
    await hostile.getByRole("link").click();
    await detail.getByRole("button", { name: "More actions" }).click();
    const opened = page.context().waitForEvent("request", (r) => r.isNavigationRequest());
    await page.getByRole("menuitem", { name: "Open profile" }).click();
    assert.equal((await opened).url(), "https://social.example/in/harry");
  },
  async "right-to-left text does not reorder its neighbours"() {
    await page.setViewportSize({ width: 900, height: 720 });
    await search({ position: "بستاني" });
    const card = people.filter({ hasText: "مريم" });
    for (const [before, after] of [["بستاني", "قرية"], ["شركة", "قرية"]]) { // the job, then the place
      assert.deepEqual(await order(card, before, after), [before, after]);
    }
    await page.locator("#prompt").fill("مهندسون في الرياض (2019)");
    assert.equal(await page.locator("#prompt").evaluate((e) => getComputedStyle(e).direction), "rtl");
  },
  async "a search is saved by keyboard, and its new matches are marked as seen"() {
    await page.setViewportSize({ width: 1000, height: 720 });
    await search({ position: "Gardener" });
    await page.getByRole("button", { name: "Save search" }).press("Enter");
    assert.equal(await dialog.getByLabel("Name of the search").inputValue(), "Gardener");
    await page.keyboard.type(script);
    await hurdles(page, "save-search");
    await page.keyboard.press("Enter");
    await reads(notice, `Saved as ${script}.`);
    const saved = async () => {
      await page.goto(`${url}/lists`);
      await page.getByRole("link", { name: script }).press("Enter");
      await page.getByRole("complementary").getByRole("heading", { name: script }).waitFor();
    };
    const beside = page.getByRole("complementary");
    await saved();
    await beside.getByRole("heading", { name: "No new matches" }).waitFor();
    assert.equal(await beside.getByRole("button", { name: "Mark as seen" }).count(), 0);
    await importing(page, url, newcomer);
    await saved();
    await reads(beside.getByRole("listitem"), "Nora New");
    await hurdles(page, "new-people");
    await beside.getByRole("button", { name: "Mark as seen" }).press("Enter");
    await beside.getByRole("heading", { name: "No new matches" }).waitFor();
    await beside.getByRole("link", { name: "Search" }).click();
    await reads(state, /people/);
    await reads(page.locator(".chips"), "title: Gardener");
    await page.goBack();
    await beside.getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).press("Enter");
    await reads(notice, "is deleted.");
    await page.getByRole("link", { name: script }).waitFor({ state: "detached" });
    await isText();
  },
};

await check(checks, faults, page, ["a user imports"]);
await browser.close();
console.log(`${Object.keys(checks).length} uses of unusual records`);
