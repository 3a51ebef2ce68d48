// Uses webhooks, suppressed addresses and possible duplicates on the pages, by mouse and by keyboard. Arguments: the
// address, the program, kith's data directory.
import assert from "node:assert/strict";
import { check, importing, launch, reads, signIn, visiting } from "./browser.mjs";

const [url, kith, data] = process.argv.slice(2);
const server = { url, kith, data };

const browser = await launch();
const { someone, hurdles, faults } = visiting(browser, url);
const page = await someone(); // of the app home: the demo sends nothing
const state = page.locator("#state");
const asked = page.getByRole("alertdialog");

const cards = ["Engineer", "Head of Sales"].map((title) => ["BEGIN:VCARD", "VERSION:3.0", "FN:Ann Twin", "N:Twin;Ann;;;",
  "ORG:Twins", `TITLE:${title}`, "END:VCARD", ""].join("\r\n")).join("");

const checks = {
  async "a user of the app home signs in"() {
    await signIn(page, { ...server, home: true }, "keeper");
  },
  async "a webhook is added by keyboard, tested and removed"() {
    await page.goto(`${url}/settings`);
    await reads(page.locator("#webhooks li"), "None.");
    await page.locator("#webhook-url").focus();
    await page.keyboard.type("https://hooks.example.com/kith");
    await page.keyboard.press("Enter");
    await reads(page.locator("#webhooks li"), "working");
    assert.match(await page.locator("#webhook-secret").inputValue(), /^whsec_/);
    await hurdles(page, "webhooks");
    await page.locator("#webhook-url").fill("https://10.0.0.1/");
    await page.keyboard.press("Enter");
    await reads(page.locator("#problem"), "not a public address");
    await page.locator("#webhooks").getByRole("button", { name: "Test" }).press("Enter");
    await reads(state, "The test event was not accepted"); // nothing listens there
    await page.locator("#webhooks").getByRole("button", { name: "Remove" }).click();
    await reads(asked, "Its signing secret is deleted");
    await asked.getByRole("button", { name: "Remove" }).click();
    await reads(state, "The webhook is removed.");
    const demo = await someone();
    await signIn(demo, server, "jane");
    await demo.goto(`${url}/settings`);
    await reads(demo.locator("#webhooks"), "The demo sends no events.");
    await demo.context().close();
  },
  async "an address is suppressed by keyboard, and removed by mouse"() {
    const list = page.locator("#suppressions li");
    await page.goto(`${url}/outreach`);
    await reads(list, "None.");
    await page.locator("#suppressed-address").focus();
    await page.keyboard.type("No@Example.com");
    await page.keyboard.press("Enter");
    await reads(list, "no@example.comadded by you");
    await hurdles(page, "suppressions");
    await list.getByRole("button", { name: "Remove" }).click();
    await reads(state, "Kith can write to no@example.com again.");
    await reads(list, "None.");
  },
  async "two records are merged by keyboard, split, and kept apart by mouse"() {
    await importing(page, url, { name: "people.vcf", mimeType: "text/vcard", buffer: Buffer.from(cards) });
    const pair = page.locator("#pairs .pair");
    await page.goto(`${url}/people`);
    await reads(pair, "Head of Sales");
    assert.equal(await pair.locator("h3").count(), 2);
    await hurdles(page, "duplicates");
    await pair.getByRole("button", { name: "Merge" }).press("Enter");
    await reads(state, "Ann Twin is one person now.");
    await reads(page.locator("#pairs"), "None.");
    await page.reload();
    await page.getByText("Decided", { exact: true }).press("Enter");
    await reads(page.locator("#decided li"), "One person");
    await hurdles(page, "decided");
    await page.locator("#decided").getByRole("button", { name: "Undo" }).press("Enter");
    await reads(state, "The decision is undone.");
    await pair.getByRole("button", { name: "Keep apart" }).click();
    await reads(state, "stay two people.");
    await page.getByText("Decided", { exact: true }).waitFor();
    await reads(page.locator("#decided li"), "Two people");
    await page.locator("#decided").getByRole("button", { name: "Undo" }).click();
    await pair.waitFor();
  },
};

await check(checks, faults, page, ["a user of the app"]);
await browser.close();
console.log(`${Object.keys(checks).length} uses of webhooks, suppressions and duplicates`);
