// Uses the operator's page by mouse and by keyboard. Arguments: the address, the program, kith's data directory.
import assert from "node:assert/strict";
import { check, launch, reads, signIn, visiting } from "./browser.mjs";

const [url, kith, data] = process.argv.slice(2);
const server = { url, kith, data };

const browser = await launch();
const { someone, hurdles, faults } = visiting(browser, url);
const page = await someone();
const state = page.locator("#state");
const apps = page.locator("#apps li");

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
    await reads(page.locator("#index dd").last(), /./);
    await hurdles(page, "admin");
  },
  async "an app with a key and a user is created by keyboard"() {
    await page.locator("#app-name").focus();
    await page.keyboard.type("globex");
    await page.keyboard.press("Enter");
    await reads(page.locator("#app-title"), "globex");
    const secret = page.locator("#secret");
    assert.match(await secret.inputValue(), /^sk_/);
    await hurdles(page, "admin-app");
    const key = await secret.inputValue();
    const issue = () => fetch(`${url}/v2/auth/tokens`, {
      method: "POST", headers: { "secret-key": key, "Content-Type": "application/json" },
      body: JSON.stringify({ external_user_id: "u1", email: "u1@example.com" }),
    });
    assert.equal((await issue()).status, 200);
    await page.getByText("Add a key").press("Enter");
    await page.getByLabel("Name of the key").fill("ci");
    await page.keyboard.press("Enter");
    await reads(page.locator("#keys li"), "ci");
    await hurdles(page, "admin-key");
    page.once("dialog", (d) => d.accept());
    await page.locator("#keys li").filter({ hasText: "first" }).getByRole("button", { name: "Revoke" }).press("Enter");
    await reads(state, "The key first is revoked.");
    assert.equal((await issue()).status, 401);
  },
  async "a user gets a link and is disabled by mouse"() {
    await page.getByLabel("User", { exact: true }).fill("ann");
    await page.getByLabel("E-mail of a new user").fill("ann@example.com");
    await page.getByRole("button", { name: "Create a sign-in link" }).click();
    const row = page.locator("#users li").filter({ hasText: "ann@example.com" });
    await row.waitFor();
    const ann = await someone();
    await ann.goto(await page.locator("#secret").inputValue());
    await ann.getByRole("button", { name: "Sign in" }).click();
    await reads(ann.locator("#who"), "ann");
    await row.getByRole("button", { name: "Disable" }).click();
    await reads(state, "ann is disabled");
    const ended = ann.locator("#problem").filter({ hasText: "session has ended" });
    while (await ended.count() === 0) { // within two seconds
      await ann.goto(`${url}/settings`);
      await ended.or(ann.locator("#account dd")).first().waitFor(); // both if the session ends in between
    }
    await ann.context().close();
    await row.getByRole("button", { name: "Enable" }).click();
    await reads(state, "ann can sign in again.");
    page.once("dialog", (d) => d.accept("globex"));
    await page.getByRole("button", { name: "Delete the app" }).click();
    await reads(state, "The app globex is deleted.");
    await page.waitForFunction(() => !document.getElementById("apps").textContent.includes("globex"));
  },
  async "jobs are listed by state"() {
    await page.locator("#job-state").selectOption("failed");
    await page.locator("#jobs li").first().waitFor();
    await page.locator("#job-state").selectOption("");
    await page.locator("#jobs li").first().waitFor();
  },
  async "a job is canceled and retried"() {
    const job = { id: 7, kind: "refresh", about: '<img src=x onerror="window.pwned=1">', state: "running", attempt: 1, attempts: 5,
      created_at: "2026-01-01T10:00:00Z", next_at: null, ended_at: null, error: null };
    const list = (of) => page.route("**/v2/admin/jobs?*", (route) => route.fulfill({ json: { data: [of], pagination: {} } }),
      { times: 1 });
    const asked = [];
    await page.route(/\/v2\/admin\/jobs\/7/, (route) => {
      asked.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
      return route.fulfill({ json: { data: job } });
    });
    await list(job);
    await page.locator("#job-state").selectOption("running");
    const failed = { ...job, state: "failed", ended_at: job.created_at, error: { code: "X", message: "no answer" } };
    await page.locator("#jobs").getByRole("button", { name: "Cancel" }).waitFor();
    await list(failed);
    await page.locator("#jobs").getByRole("button", { name: "Cancel" }).press("Enter");
    await reads(state, "Job 7 is canceled.");
    await hurdles(page, "admin-jobs");
    await page.locator("#jobs").getByRole("button", { name: "Try again" }).press("Enter");
    await reads(state, "Job 7 is queued again.");
    assert.deepEqual(asked, ["DELETE /v2/admin/jobs/7", "POST /v2/admin/jobs/7/retry"]);
    assert.equal(await page.evaluate(() => window.pwned), undefined);
  },
  async "the index is rebuilt, and old versions are dropped"() {
    await page.getByRole("button", { name: "Rebuild" }).press("Enter");
    await reads(page.locator("#index dd"), /^running/);
    await reads(page.locator("#index dd"), /^ended/);
    await page.getByRole("button", { name: "Drop old versions" }).click();
    await reads(state, "There are no old versions to drop.");
  },
};

await check(checks, faults, page, ["the operator opens"]);
await browser.close();
console.log(`${Object.keys(checks).length} uses of the operator's page`);
