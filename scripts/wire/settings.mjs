// Uses the settings by mouse and by keyboard: account, browsers, tokens, webhooks and suppressed addresses. Arguments:
// the address, the program, kith's data directory.
import assert from "node:assert/strict";
import { check, launch, reads, signIn, visiting } from "./browser.mjs";

const [url, kith, data] = process.argv.slice(2);
const server = { url, kith, data };

const browser = await launch();
const { someone, hurdles, faults } = visiting(browser, url);
const page = await someone();
const notice = page.locator(".notice");
const asked = page.getByRole("alertdialog");
const rows = page.locator(".entries > li");

async function go(on, view) {
  await on.goto("about:blank"); // a change of the fragment alone loads nothing
  await on.goto(`${url}/settings${view ? `#view=${view}` : ""}`);
}

const checks = {
  async "a user sees the account, and chooses sharing, language and colours"() {
    await signIn(page, server, "rita");
    await page.getByRole("link", { name: "Settings" }).click();
    await reads(page.locator(".facts"), "rita@example.com");
    await hurdles(page, "settings");
    await page.getByLabel("Who can get introductions").selectOption("team");
    await reads(notice, "Saved.");
    await page.getByLabel("Colours", { exact: true }).selectOption("dark");
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
    await page.getByLabel("Language", { exact: true }).selectOption("de");
    await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
    assert.equal(await page.getByLabel("Wer über Ihre Bekannten").inputValue(), "team");
    await page.getByLabel("Farben", { exact: true }).selectOption("system");
    await page.getByLabel("Sprache", { exact: true }).selectOption("en");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    const file = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).press("Enter");
    assert.equal((await file).suggestedFilename(), "kith-export.ndjson");
  },
  async "browsers are listed, and signed out one by one or all at once"() {
    const other = await someone();
    await signIn(other, server, "rita");
    await go(page);
    await rows.nth(1).waitFor();
    await reads(rows, /Chrome on Linux.*this browser/s);
    await hurdles(page, "sessions");
    await rows.filter({ hasNotText: "this browser" }).first().getByRole("button").press("Enter");
    await reads(notice, "Signed out: Chrome on Linux.");
    await go(other);
    await reads(other.getByRole("alert"), "session has ended");
    await signIn(other, server, "rita");
    await page.getByRole("button", { name: "Sign out everywhere" }).press("Enter");
    await asked.getByRole("button", { name: "Sign out everywhere" }).press("Enter");
    await page.waitForURL(`${url}/sign-in`);
    await go(other);
    await reads(other.getByRole("alert"), "session has ended");
    await other.context().close();
    await signIn(page, server, "rita");
  },
  async "a token is created by keyboard, used and revoked"() {
    await go(page, "tokens");
    await page.getByRole("button", { name: "Create a token" }).press("Enter");
    const secret = page.locator(".secret input");
    await secret.waitFor();
    await hurdles(page, "token");
    const me = async () => fetch(`${url}/v2/user/me`, { headers: { Authorization: `Bearer ${await secret.inputValue()}` } });
    assert.deepEqual((await (await me()).json()).data.token.scopes, ["search", "relationships", "enrich"]);
    await rows.first().getByRole("button", { name: "Revoke" }).press("Enter");
    await reads(asked, "Programs that use it stop working.");
    await asked.getByRole("button", { name: "Revoke" }).press("Enter");
    await reads(notice, "The token is revoked.");
    assert.equal((await me()).status, 401);
    await go(page, "webhooks");
    await reads(page.locator(".empty"), "The demo sends nothing to other servers");
  },
  async "a webhook is added by keyboard, tested and removed"() {
    await page.context().clearCookies();
    await signIn(page, { ...server, home: true }, "keeper"); // the demo sends nothing
    await go(page, "webhooks");
    const field = page.getByLabel("Address of a new webhook");
    await field.fill("https://hooks.example.com/kith");
    await page.keyboard.press("Enter");
    await reads(rows, "Working");
    assert.match(await page.locator(".secret input").inputValue(), /^whsec_/);
    await hurdles(page, "webhooks");
    await field.fill("https://10.0.0.1/");
    await field.press("Enter");
    await reads(page.getByRole("alert"), "not a public address");
    await rows.getByRole("button", { name: "Test" }).press("Enter");
    await reads(notice, "The test event was not accepted"); // nothing listens there
    await rows.getByRole("button", { name: "Remove" }).click();
    await reads(asked, "Its signing secret is deleted");
    await asked.getByRole("button", { name: "Remove" }).click();
    await reads(notice, "The webhook is removed.");
    await rows.first().waitFor({ state: "detached" });
  },
  async "an address is suppressed by keyboard, and released by mouse"() {
    await go(page, "suppressions");
    await page.getByLabel("Never write to").fill("No@Example.com");
    await page.keyboard.press("Enter");
    await reads(rows, /no@example\.com.*added by you/s);
    await hurdles(page, "suppressions");
    await rows.getByRole("button", { name: "Remove" }).click();
    await reads(notice, "Kith can write to no@example.com again.");
    await page.waitForFunction(() => document.querySelectorAll(".entries > li").length === 0);
  },
};

await check(checks, faults, page, ["a user sees"]);
await browser.close();
console.log(`${Object.keys(checks).length} uses of the settings`);
