// Uses possible duplicates, by mouse and by keyboard. Arguments: the address, the program, kith's data directory.
import assert from "node:assert/strict";
import { check, importing, launch, reads, signIn, visiting } from "./browser.mjs";

const [url, kith, data] = process.argv.slice(2);
const server = { url, kith, data };

const browser = await launch();
const { someone, hurdles, faults } = visiting(browser, url);
const page = await someone(); // of the app home: the demo sends nothing
const notice = page.locator(".notice");
const pair = page.locator(".card").filter({ has: page.locator(".pair") });
const decided = page.locator("details");

const cards = ["Engineer", "Head of Sales"].map((title) => ["BEGIN:VCARD", "VERSION:3.0", "FN:Ann Twin", "N:Twin;Ann;;;",
  "ORG:Twins", `TITLE:${title}`, "END:VCARD", ""].join("\r\n")).join("");

const checks = {
  async "a user of the app home signs in"() {
    await signIn(page, { ...server, home: true }, "keeper");
  },
  async "two records are merged by keyboard, split, and kept apart by mouse"() {
    await importing(page, url, { name: "people.vcf", mimeType: "text/vcard", buffer: Buffer.from(cards) });
    await page.goto(`${url}/people`);
    await page.getByRole("tab", { name: "Possible duplicates" }).press("Enter");
    await reads(pair, "Head of Sales");
    assert.equal(await pair.getByRole("heading").count(), 2);
    await hurdles(page, "duplicates");
    await pair.getByRole("button", { name: "One person" }).press("Enter");
    await reads(notice, "Ann Twin: one person now.");
    await page.getByRole("heading", { name: "No possible duplicates" }).waitFor();
    await page.reload();
    await page.getByText("1 decision so far").press("Enter");
    await reads(decided.getByRole("listitem"), "Ann Twin: One person");
    await hurdles(page, "decided");
    await decided.getByRole("button", { name: "Undo" }).press("Enter");
    await pair.getByRole("button", { name: "Two people" }).click();
    await reads(notice, "Ann Twin: two people.");
    await reads(decided, "Ann Twin: Two people");
    await notice.getByRole("button", { name: "Undo" }).click();
    await pair.waitFor();
    await decided.waitFor({ state: "detached" });
  },
};

await check(checks, faults, page, ["a user of the app"]);
await browser.close();
console.log(`${Object.keys(checks).length} uses of duplicates`);
