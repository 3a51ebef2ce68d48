// Uses the operator's page by mouse and by keyboard. Arguments: the address, the program, kith's data directory.
import assert from "node:assert/strict";
import { check, launch, reads, signIn, visiting } from "./browser.mjs";
import { replacing } from "./described.mjs";
import { script } from "./files.mjs";

const [url, kith, data] = process.argv.slice(2);
const server = { url, kith, data };

const browser = await launch();
const { someone, hurdles, faults } = visiting(browser, url);
const replace = await replacing(url);
const page = await someone();
const state = page.locator("#state");
const apps = page.locator("#apps li");
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
    await page.locator("#keys li").filter({ hasText: "first" }).getByRole("button", { name: "Revoke" }).press("Enter");
    await asked.getByRole("button", { name: "Revoke" }).press("Enter");
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
    await page.getByRole("button", { name: "Delete the app" }).click();
    assert.ok(await asked.getByRole("button", { name: "Delete the app" }).isDisabled());
    await hurdles(page, "admin-delete");
    await page.keyboard.type("globex"); // the field has the focus
    await page.keyboard.press("Enter");
    await reads(state, "The app globex is deleted.");
    await page.waitForFunction(() => !document.getElementById("apps").textContent.includes("globex"));
  },
  async "jobs are listed by state"() {
    await page.locator("#job-state").selectOption("failed");
    await page.locator("#jobs li").first().waitFor();
    await page.locator("#job-state").selectOption("");
    await page.locator("#jobs li").first().waitFor();
  },
  async "a failed job is tried again"() {
    const chief = await someone(); // of the app home, because the demo takes no imports
    await signIn(chief, { ...server, home: true }, "chief", "--operator");
    await chief.evaluate(async () => {
      const form = new FormData();
      form.append("file", new File(["BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\r\nEND:VCARD\r\n"], "nobody.vcf"));
      await fetch("v2/imports", { method: "POST", body: form }); // fails: it has no name
    });
    await chief.goto(`${url}/admin`);
    const failed = chief.locator("#jobs li").filter({ hasText: "import" }).filter({ hasText: "failed, " }).first();
    while (await failed.count() === 0) { // the import takes a moment
      for (const status of ["failed", ""]) {
        await chief.locator("#job-state").selectOption(status);
        await chief.locator("#jobs li").first().waitFor();
      }
    }
    await reads(failed, "it has no name");
    await hurdles(chief, "admin-jobs");
    await failed.getByRole("button", { name: "Try again" }).press("Enter");
    await reads(chief.locator("#state"), /^Job \d+ is queued again\.$/);
    await chief.context().close();
  },
  async "a running job is canceled"() { // replaced, because no job runs for as long as a page needs on a busy machine
    const job = { id: 7, kind: "refresh", about: script, state: "running", attempt: 1, attempts: 5,
      created_at: "2026-01-01T10:00:00Z", next_at: null, ended_at: null, error: null };
    const metadata = { request_id: "req_01KD8J6Z7Q3V5N9W2X4Y6A8BCD" };
    const pagination = { cursor: "", has_next_page: false, count: 1 };
    await replace(page, "listWork", { json: { data: [job], metadata, pagination } });
    await page.locator("#job-state").selectOption("running");
    const canceled = { ...job, state: "canceled", ended_at: job.created_at };
    await replace(page, "endWork", { json: { data: canceled, metadata } });
    await page.locator("#jobs").getByRole("button", { name: "Cancel" }).press("Enter");
    await reads(state, "Job 7 is canceled.");
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
