// Uses lists, the network and the ways in by mouse and by keyboard, and checks the pages for barriers with axe.
// Arguments: the address, the folder of kith's data, the program.
import assert from "node:assert/strict";
import { check, launch, reads, signIn, visiting } from "./browser.mjs";
import { script } from "./files.mjs";

const [url, kith, data] = process.argv.slice(2);
const server = { url, kith, data };

const browser = await launch();
const { someone, hurdles, faults } = visiting(browser, url);

const page = await someone({ viewport: { width: 1280, height: 800 } });
const state = page.locator("#state");
const notice = page.locator(".notice");
const asked = page.getByRole("alertdialog");
const opened = page.getByRole("complementary", { name: "Advisors" });
const members = opened.getByRole("listitem");
const rows = page.getByRole("table").locator("tbody tr");
const targets = page.locator(".target");

// go loads a page, because a change of the fragment alone loads nothing.
async function go(to) {
  await page.goto("about:blank");
  await page.goto(`${url}/${to}`);
}

const given = () => new URLSearchParams(new URL(page.url()).hash.slice(1));
const names = () => rows.locator("td:first-child").allTextContents();

// find names whom on the page of ways.
async function find(whom) {
  await page.getByRole("combobox", { name: "A company or a person" }).fill(whom);
  await page.keyboard.press("Enter");
}

// choose takes an entry of the menu of the open list, by keyboard.
async function choose(entry) {
  await page.getByRole("complementary").getByRole("button", { name: "More" }).press("Enter");
  await page.getByRole("menuitem", { name: entry }).press("Enter");
}

const checks = {
  async "a user of the demo signs in"() {
    await signIn(page, server, "demo");
  },
  async "a list is made, renamed and deleted by keyboard"() {
    await go("lists");
    await page.getByRole("link", { name: "Advisors" }).first().waitFor();
    await hurdles(page, "lists");
    await page.getByLabel("Name of the list").fill(script);
    await page.keyboard.press("Enter");
    await reads(notice, `${script} is created.`);
    await page.getByRole("link", { name: script }).press("Enter");
    await reads(page.locator(".empty"), "No one is on this list");
    await choose("Rename");
    await page.waitForFunction(() => document.activeElement.closest("aside"));
    await page.getByRole("complementary").getByLabel("Name of the list").fill("Nobody");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Nobody", exact: true }).waitFor();
    await choose("Delete the list");
    await reads(asked, /Delete the list Nobody\?.*0 people/s);
    await page.keyboard.press("Escape");
    await choose("Delete the list");
    await asked.getByRole("button", { name: "Delete the list" }).press("Enter");
    await reads(notice, "Nobody is deleted.");
    assert.equal(await page.evaluate(() => window.pwned), undefined);
  },
  async "a person leaves a list and comes back, and the list is searched"() {
    await go("lists");
    await page.getByRole("link", { name: "Advisors" }).first().click();
    await members.first().waitFor();
    const all = await members.count();
    await hurdles(page, "list");
    const first = await members.first().getByRole("link").textContent();
    await members.first().getByRole("button", { name: `Remove ${first}` }).press("Enter");
    await reads(notice, `${first} is no longer on`);
    await members.filter({ hasText: first }).waitFor({ state: "detached" });
    await notice.filter({ hasText: first }).getByRole("button", { name: "Undo" }).press("Enter");
    await members.filter({ hasText: first }).waitFor();
    assert.equal(await members.count(), all);
    await opened.getByRole("link", { name: "Search this list" }).press("Enter");
    await reads(state, new RegExp(`^(${all}|\\d+ of ${all}) people`));
  },
  async "the new people of a saved search are shown"() {
    await go("lists");
    await page.getByRole("link", { name: "Data scientists in Berlin" }).click();
    await page.getByRole("complementary").getByRole("listitem").first().waitFor();
    await hurdles(page, "news");
  },
  async "the people one knows are filtered and sorted"() {
    await go("people");
    await rows.first().waitFor();
    await page.locator(".pictures .bars").first().waitFor();
    await hurdles(page, "network");
    const title = (name) => page.getByRole("columnheader", { name });
    await title("Name").getByRole("button").click();
    assert.equal(await title("Name").getAttribute("aria-sort"), "ascending");
    const up = await names();
    assert.deepEqual(up, up.toSorted((a, b) => a.localeCompare(b)));
    await title("Name").getByRole("button").press("Enter");
    assert.equal(await title("Name").getAttribute("aria-sort"), "descending");
    const [last] = await names();
    assert.ok(last.localeCompare(up[0]) > 0);
    await page.getByLabel("Filter by name").fill(last.toUpperCase());
    await page.waitForFunction((one) => [...document.querySelectorAll("tbody td:first-child")]
      .every((cell) => cell.textContent === one), last);
    await rows.first().getByRole("link").press("Enter");
    await page.getByRole("complementary", { name: "Person", exact: true }).getByRole("heading", { name: last }).waitFor();
  },
  async "a chart leads to its people"() {
    await go("people");
    const bar = page.getByRole("group", { name: "Cities" }).getByRole("link").first();
    const [, city, n] = /^(.*?)(\d+)$/.exec(await bar.textContent());
    await bar.click();
    const page1 = Math.min(Number(n), 25); // of a network the page tells no total
    await reads(state, new RegExp(`^(${page1}|\\d+ of ${n}) (people|person)`));
    assert.equal(given().get("city"), `"${city}"`);
  },
  async "the ways to a person and into a company are shown"() {
    await go("people");
    const known = await rows.first().getByRole("link").textContent();
    await page.getByLabel("A company or a person").fill(known);
    await page.keyboard.press("Enter");
    await reads(targets.filter({ hasText: known }).locator(".way"), /^You/);
    await hurdles(page, "paths");
    const company = await page.evaluate(() => fetch("v2/people/search", {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ prompt: "people", filters: { country: "Germany" }, scope: "network",
        network_filters: { connection_degrees: [1] }, limit: 50 }),
    }).then((r) => r.json()).then((a) => a.data.map((p) => p.work_relevant && p.work_relevant.company)
      .find((c) => c && c.domain)));
    await find(company.domain);
    await reads(page.locator(".company"), /\d (people|person) within reach/);
    await targets.first().locator(".way").first().waitFor();
    await hurdles(page, "company");
    await page.goBack();
    await reads(targets, known);
    await find(company.name.toUpperCase());
    await reads(page.locator(".company").getByRole("heading"), company.name);
    await find("nosuchcompany.example");
    await reads(page.getByRole("alert"), /company/i);
  },
  async "names are completed, by keyboard"() {
    await go("paths");
    const option = page.getByRole("option").first();
    await page.getByRole("combobox", { name: "A company or a person" }).pressSequentially("ann");
    await option.waitFor();
    await hurdles(page, "completed");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL((to) => /#(whom|person)=/.test(to.hash));
    await page.locator(".target, .company, .card").first().waitFor();
  },
  async "the other pages have no barriers"() {
    for (const name of ["import", "people#show=duplicates", "nowhere"]) {
      await go(name);
      await page.getByRole("heading").first().waitFor();
      await hurdles(page, name.replace("#", "-"));
    }
  },
};

await check(checks, faults, page, ["a user of the demo"]);
await browser.close();
console.log(`${Object.keys(checks).length} uses of the pages`);
