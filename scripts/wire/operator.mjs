// Uses the operator's page by mouse and by keyboard. Arguments: the address, the program, kith's data directory.
import assert from "node:assert/strict";
import { check, launch, reads, signIn, visiting } from "./browser.mjs";

const [url, kith, data] = process.argv.slice(2);
const server = { url, kith, data };

const browser = await launch();
const { someone, hurdles, faults } = visiting(browser, url);
const page = await someone();
const notice = page.locator(".notice");
const apps = page.locator(".rows li");
const entries = page.locator(".entries > li");
const secret = page.locator(".secret input");
const asked = page.getByRole("alertdialog");

const checks = {
  async "other users see neither the page nor its link"() {
    const other = await someone();
    await signIn(other, server, "jane");
    assert.equal(await other.getByRole("link", { name: "Admin" }).count(), 0);
    const answer = await other.goto(`${url}/admin`);
    assert.equal(answer.status(), 404);
    await other.context().close();
  },
  async "the operator opens the page by its link"() {
    await signIn(page, server, "boss", "--operator");
    await page.getByRole("link", { name: "Admin" }).click();
    await page.waitForURL(`${url}/admin`);
    await reads(apps, /demo/);
    await hurdles(page, "admin");
  },
  async "an app with a key and a user is created by keyboard"() {
    await page.getByLabel("Name of a new app").focus();
    await page.keyboard.type("globex");
    await page.keyboard.press("Enter");
    await reads(page.locator(".one-app h2"), "globex");
    await secret.waitFor();
    const key = await secret.inputValue();
    assert.match(key, /^sk_/);
    await hurdles(page, "admin-app");
    const issue = () => fetch(`${url}/v2/auth/tokens`, {
      method: "POST", headers: { "secret-key": key, "Content-Type": "application/json" },
      body: JSON.stringify({ external_user_id: "u1", email: "u1@example.com" }),
    });
    assert.equal((await issue()).status, 200);
    await page.getByText("Add a key").first().press("Enter");
    await page.getByLabel("Name of the key").fill("ci");
    await page.keyboard.press("Enter");
    await reads(entries, "ci");
    await hurdles(page, "admin-key");
    await page.getByRole("button", { name: "Revoke: first" }).press("Enter");
    await asked.getByRole("button", { name: "Revoke" }).press("Enter");
    await reads(notice, "The key first is revoked.");
    assert.equal((await issue()).status, 401);
  },
  async "a user gets a link and is disabled by mouse"() {
    await page.getByLabel("User", { exact: true }).fill("ann");
    await page.getByLabel("E-mail of a new user").fill("ann@example.com");
    await page.getByRole("button", { name: "Create a sign-in link" }).click();
    const row = entries.filter({ hasText: "ann@example.com" });
    await row.waitFor();
    const ann = await someone();
    await ann.goto(await secret.inputValue());
    await ann.getByRole("button", { name: "Sign in" }).click();
    await reads(ann.locator("#who"), "ann");
    await row.getByRole("button", { name: "Disable" }).click();
    await reads(notice, "ann is disabled");
    const ended = ann.getByRole("alert").filter({ hasText: "session has ended" });
    while (await ended.count() === 0) { // within two seconds
      await ann.goto("about:blank");
      await ann.goto(`${url}/settings`);
      await ended.or(ann.locator(".facts")).first().waitFor(); // both if the session ends in between
    }
    await ann.context().close();
    await row.getByRole("button", { name: "Enable" }).click();
    await reads(notice, "ann can sign in again.");
    await page.getByRole("button", { name: "Delete the app" }).click();
    assert.ok(await asked.getByRole("button", { name: "Delete the app" }).isDisabled());
    await hurdles(page, "admin-delete");
    await page.keyboard.type("globex"); // the field has the focus
    await page.keyboard.press("Enter");
    await reads(notice, "The app globex is deleted.");
    await page.waitForFunction(() => !document.querySelector(".rows").textContent.includes("globex"));
  },
  async "jobs are listed by state"() {
    await page.getByRole("link", { name: "Jobs" }).press("Enter");
    await page.getByLabel("State").selectOption("failed");
    await reads(page.locator(".page"), /No jobs\.|failed/);
    await page.getByLabel("State").selectOption("");
    await entries.first().waitFor();
    await hurdles(page, "admin-jobs");
  },
  async "the index is rebuilt, and old versions are dropped"() {
    await page.getByRole("link", { name: "Search index" }).press("Enter");
    await hurdles(page, "admin-index");
    await page.getByRole("button", { name: "Rebuild" }).press("Enter");
    await reads(notice, "The index is being rebuilt.");
    await reads(page.locator(".facts dd"), /^ended/);
    await page.getByRole("button", { name: "Drop old versions" }).click();
    await reads(notice, "There are no old versions to drop.");
  },
};

await check(checks, faults, page, ["the operator opens"]);
await browser.close();
console.log(`${Object.keys(checks).length} uses of the operator's page`);
