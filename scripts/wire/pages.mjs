// Signs in and uses each page by mouse and by keyboard, and checks it for barriers with axe.
// Arguments: the address, the folder of kith's data, the program.
import assert from "node:assert/strict";
import { check, launch, link, reads, signIn, visiting } from "./browser.mjs";
import { replacing } from "./described.mjs";
import { script } from "./files.mjs";

const [url, kith, data] = process.argv.slice(2);
const server = { url, kith, data };

const browser = await launch();
const { someone, hurdles, faults } = visiting(browser, url);
const replace = await replacing(url);

const page = await someone();
const state = page.locator("#state");
const problem = page.locator("#problem");
const drawer = page.locator("#drawer");
const people = page.locator(".person");
const asked = page.getByRole("alertdialog");

async function search(prompt) {
  await page.goto(`${url}/#${new URLSearchParams({ prompt })}`);
  await page.reload();
  await reads(state, /people$|person$/);
}

// queued finds the e-mail with a subject in the approval queue.
async function queued(subject) {
  const mine = page.locator("#queue .mail").filter({ hasText: subject });
  await page.goto(`${url}/outreach`);
  await page.locator("#queue .mail").first().waitFor();
  while (await mine.count() === 0) {
    const n = await page.locator("#queue .mail").count();
    await page.locator("#more-queue").click();
    await page.waitForFunction((was) => document.querySelectorAll("#queue .mail").length > was, n);
  }
  return mine;
}

const checks = {
  async "a link signs in once, and only through its button"() {
    const secret = link(server, "jane");
    await page.goto(secret);
    const go = page.getByRole("button", { name: "Sign in" });
    await go.waitFor();
    assert.equal(page.url(), `${url}/sign-in`);
    await hurdles(page, "sign-in-link");
    await page.goto("about:blank");
    await page.goto(secret);
    await page.waitForFunction(() => document.activeElement.id === "go");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${url}/`);
    await reads(page.locator("#who"), "jane");
    const [cookie] = await page.context().cookies();
    assert.deepEqual([cookie.httpOnly, cookie.sameSite, await page.evaluate(() => document.cookie)], [true, "Strict", ""]);
    const thief = await someone();
    await thief.goto(secret);
    await thief.getByRole("button", { name: "Sign in" }).click();
    await reads(thief.locator("#problem"), "was used already");
    await thief.context().close();
  },
  async "the sign-in page shows the user, or how to sign in"() {
    await page.locator("#who").click();
    await reads(page.locator("#in"), "jane");
    await hurdles(page, "sign-in-in");
    const stranger = await someone();
    await stranger.goto(`${url}/sign-in`);
    await reads(stranger.locator("#ask"), "kith login-link");
    await hurdles(stranger, "sign-in");
    await stranger.context().close();
  },
  async "sessions are listed, and ended one by one or all at once"() {
    const other = await someone();
    await signIn(other, server, "jane");
    await page.goto(`${url}/settings`);
    const rows = page.locator("#sessions li");
    await rows.nth(1).waitFor();
    await reads(rows, /Chrome on Linux \(this browser\)/);
    await hurdles(page, "settings");
    await rows.filter({ hasNotText: "this browser" }).getByRole("button").press("Enter");
    await reads(state, "Signed out there.");
    await other.goto(`${url}/settings`);
    await reads(other.locator("#problem"), "session has ended");
    await other.locator("#problem").getByRole("link", { name: "Sign in" }).click();
    await reads(other.locator("#ask"), "kith login-link");
    await page.getByRole("button", { name: "Create a token" }).press("Enter");
    const token = await page.locator("#secret").evaluate((field) => new Promise((done) => {
      const look = () => (field.value ? done(field.value) : setTimeout(look, 50));
      look();
    }));
    const answer = await fetch(`${url}/v2/user/me`, { headers: { Authorization: `Bearer ${token}` } });
    assert.deepEqual((await answer.json()).data.token.scopes, ["search", "relationships", "enrich"]);
    await page.locator("#tokens li").getByRole("button", { name: "Revoke" }).first().click();
    await reads(asked, "Programs that use it stop working.");
    await asked.getByRole("button", { name: "Revoke" }).click();
    await reads(state, "The token is revoked.");
    assert.equal((await fetch(`${url}/v2/user/me`, { headers: { Authorization: `Bearer ${token}` } })).status, 401);
    await page.locator("#share").selectOption("team");
    await reads(state, "Saved.");
    const file = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    assert.equal((await file).suggestedFilename(), "kith-export.ndjson");
    await signIn(other, server, "jane");
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.waitForURL(`${url}/sign-in`);
    await other.goto(`${url}/settings`);
    await reads(other.locator("#problem"), "session has ended");
    await other.context().close();
    await signIn(page, server, "jane");
  },
  async "a person is saved to a list, by keyboard"() {
    await search("engineers in Germany");
    await page.locator("#prompt").press("Tab");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.ok(await people.nth(1).evaluate((one) => one === document.activeElement));
    await page.keyboard.press("Enter");
    await reads(drawer.locator("h2"), await people.nth(1).locator("h2").textContent());
    await drawer.getByRole("heading", { name: "Ways in" }).waitFor();
    await drawer.getByRole("heading", { name: "Career" }).waitFor();
    await drawer.getByRole("heading", { name: "Education" }).waitFor();
    await drawer.getByRole("heading", { name: "Skills" }).waitFor();
    await hurdles(page, "drawer");
    await drawer.getByRole("button", { name: "Save to list" }).press("Enter");
    await page.waitForFunction(() => document.activeElement.tagName === "SELECT");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Berlin engineers");
    await page.keyboard.press("Enter");
    await reads(drawer.locator(".state"), "Saved to Berlin engineers.");
    await page.keyboard.press("Escape");
    assert.ok(await people.nth(1).evaluate((one) => one === document.activeElement));
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    await hurdles(page, "keys");
    await page.keyboard.press("Enter");
    await page.keyboard.press("/");
    assert.ok(await page.locator("#prompt").evaluate((field) => field === document.activeElement));
    await hurdles(page, "search");
  },
  async "facets are beside the people, or above them on a phone"() {
    await search("enginers in Berlin, ideally ex-Google");
    await page.getByRole("group", { name: "Other readings" }).waitFor();
    await hurdles(page, "understood");
    await search("engineers in Germany");
    const narrow = page.locator("#narrow");
    const city = page.getByRole("group", { name: "city", exact: true }).getByRole("button").first();
    await city.waitFor();
    const boxes = async () => [await narrow.boundingBox(), await people.first().boundingBox()];
    const [beside, person] = await boxes();
    assert.ok(beside.x + beside.width <= person.x && Math.abs(beside.y - person.y) < 20, JSON.stringify([beside, person]));
    await hurdles(page, "facets");
    await page.setViewportSize({ width: 375, height: 720 });
    const [above, below] = await boxes();
    assert.ok(above.y + above.height <= below.y, JSON.stringify([above, below]));
    await search("engineers in Germany");
    await narrow.waitFor();
    assert.equal(await narrow.evaluate((part) => part.open), false);
    await page.setViewportSize({ width: 1000, height: 720 });
    await search("engineers in Germany");
    await city.press("Enter");
    await page.waitForURL((address) => address.hash.includes("city="));
    await page.waitForFunction(() => document.activeElement.id === "state");
    await search("engineers in Germany");
  },
  async "a person is added to a sequence, by mouse"() {
    await people.first().getByRole("button", { name: "Add to sequence" }).click();
    await drawer.locator("select").selectOption({ label: "New sequence…" });
    await drawer.getByLabel("Name").fill("Hello");
    await drawer.getByRole("button", { name: "Add", exact: true }).click();
    await reads(drawer.locator(".state"), /Added to Hello\.|not added: /);
    await drawer.getByRole("button", { name: "Close" }).click();
  },
  async "several people are selected, and saved at once"() {
    for (const i of [0, 2]) await people.nth(i).getByRole("checkbox").press("Space");
    const bar = page.getByRole("group", { name: "Selected people" });
    await reads(bar, "2 selected");
    await hurdles(page, "selected");
    await bar.getByRole("button", { name: "Save to list" }).press("Enter");
    await reads(drawer.locator("h2"), "2 people");
    await drawer.locator("select").selectOption({ label: "New list…" });
    await drawer.getByLabel("Name").fill("Two");
    await page.keyboard.press("Enter");
    await reads(drawer.locator(".state"), "Saved to Two: 2");
    await hurdles(page, "saved");
    await page.keyboard.press("Escape");
    await bar.getByRole("button", { name: "Clear" }).click();
    assert.equal(await bar.isVisible() || await people.locator(":checked").count() > 0, false);
  },
  async "an introduction is drafted"() {
    await page.goto(`${url}/#prompt=friends+of+friends+in+Germany`);
    await page.reload();
    await reads(state, /people$|person$/);
    await people.filter({ hasText: "Through" }).first().getByRole("button", { name: "Ask for an introduction" }).click();
    const message = drawer.getByLabel("Message");
    await message.waitFor();
    assert.match(await message.inputValue(), /^Hi \S+,\n\nI would like to get to know /);
    await message.fill("Please & thank you?");
    const mail = new URL(await drawer.getByRole("link", { name: "Open in your mail program" }).getAttribute("href"));
    assert.deepEqual([mail.protocol, mail.searchParams.get("body")], ["mailto:", "Please & thank you?"]);
    await reads(drawer.locator(".paths li"), /^You/);
    await drawer.getByText("What the words mean").click();
    await hurdles(page, "introduction");
    await page.keyboard.press("Escape");
  },
  async "a prompt is completed during typing, by keyboard"() {
    await page.goto(url);
    await page.keyboard.type("engineers in Berl");
    const first = page.getByRole("group", { name: "Completions" }).getByRole("button").first();
    await reads(first, /Berlin/);
    await hurdles(page, "completions");
    const text = await first.textContent();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#prompt").inputValue(), `${text} `);
    await page.keyboard.press("Enter");
    await reads(state, /people$|person$/);
    assert.equal(await first.count(), 0);
  },
  async "Esc stops a stream"() {
    await replace(page, "searchPeople", { hangs: true });
    await page.locator("#prompt").fill("founders");
    await page.keyboard.press("Enter");
    await page.locator("#stop").waitFor();
    await page.keyboard.press("Escape");
    await reads(state, "Stopped.");
  },
  async "lists are created, renamed, emptied and deleted"() {
    await page.goto(`${url}/people`);
    const lists = page.locator("#lists li");
    await reads(lists, "Berlin engineers");
    await page.locator("#list-name").fill(script);
    await page.keyboard.press("Enter");
    await reads(lists, script);
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    await lists.filter({ hasText: "Berlin engineers" }).getByRole("button", { name: "Open" }).press("Enter");
    await reads(page.locator("#list-title"), "Berlin engineers");
    await hurdles(page, "people");
    await page.getByRole("link", { name: "Search this list" }).press("Enter");
    await page.waitForFunction(() => document.getElementById("scope").selectedOptions[0].text === "List: Berlin engineers");
    await reads(state, /people$|person$/);
    const all = await people.count();
    await page.locator("#prompt").fill("florists in Nairobi");
    await page.keyboard.press("Enter");
    await reads(state, "No one matches.");
    assert.ok(all > 0);
    await page.goto(`${url}/people`);
    await lists.filter({ hasText: "Berlin engineers" }).getByRole("button", { name: "Open" }).click();
    await reads(page.locator("#list-title"), "Berlin engineers");
    await page.getByRole("button", { name: "Rename" }).click();
    await page.locator("#new-name").fill("Engineers");
    await page.keyboard.press("Enter");
    await reads(page.locator("#list-title"), /^Engineers$/);
    await page.locator("#members").getByRole("button", { name: "Remove" }).press("Enter");
    await reads(state, "is no longer on Engineers.");
    await reads(page.locator("#members"), "This list is empty.");
    await page.getByRole("button", { name: "Delete the list" }).click();
    await reads(asked, /Delete the list Engineers\?.*0 people/s);
    await asked.getByRole("button", { name: "Delete the list" }).click();
    await reads(state, "The list Engineers is deleted.");
    await reads(page.locator("#known li"), /excellent|very good|good|okay|maybe|weak/);
    await page.getByRole("link", { name: "Import" }).first().click();
    await page.waitForURL(`${url}/import`);
  },
  async "the ways into a company and to a person are drawn"() {
    await page.goto(`${url}/people`);
    const known = await page.locator("#known li bdi").first().textContent();
    await page.goto(`${url}/paths`);
    await page.keyboard.type(known);
    await page.keyboard.press("Enter");
    await reads(page.locator("#found .paths li"), /^You/);
    await hurdles(page, "paths");
    const company = await page.evaluate(() => fetch("v2/people/search", {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ prompt: "people", filters: { country: "Germany" }, scope: "network", network_filters: { connection_degrees: [1] }, limit: 50 }),
    }).then((r) => r.json()).then((a) => a.data.map((p) => p.work_relevant && p.work_relevant.company).find((c) => c && c.domain)));
    await page.locator("#whom").fill(company.domain);
    await page.getByRole("button", { name: "Find ways" }).click();
    await reads(state, /people within reach at/);
    await page.goBack();
    await reads(state, "People of this name");
    await page.locator("#whom").fill(company.name.toUpperCase());
    await page.keyboard.press("Enter");
    await reads(state, `people within reach at ${company.name}`);
    await page.goBack();
    await reads(state, "People of this name");
    await page.locator("#whom").fill("nosuchcompany.example");
    await page.keyboard.press("Enter");
    await reads(problem, /company/i);
  },
  async "an e-mail is written, edited, scheduled and approved by keyboard"() {
    await page.goto(`${url}/outreach`);
    await reads(page.locator("#sequences li"), /\d+ leads/);
    await page.locator("#sequences").getByRole("button", { name: "Open" }).first().click();
    await page.waitForFunction(() => document.activeElement.id === "sequence-title");
    await page.locator("#leads").getByRole("button", { name: "Write" }).first().click();
    const dialog = page.locator("#writing");
    await dialog.getByLabel("Subject").fill("Hello {nobody_knows}");
    await dialog.getByLabel("Text").fill(`Hi {first_name},\n\n${script}`);
    await dialog.getByRole("button", { name: "Save" }).first().click();
    await reads(page.locator("#refused"), /./);
    await dialog.getByLabel("Subject").fill("Hello from a test");
    await hurdles(page, "writing");
    await dialog.getByRole("button", { name: "Save" }).first().click();
    await reads(state, "The e-mail is awaiting approval.");
    const mine = await queued("Hello from a test");
    await hurdles(page, "outreach");
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    await page.locator("#queue .mail").first().focus();
    while (!(await mine.evaluate((one) => one === document.activeElement))) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("e");
    await dialog.getByLabel("Send no earlier than").fill("2030-01-02T09:30");
    await dialog.getByLabel("Subject").fill("Hello again");
    await dialog.getByRole("button", { name: "Save and approve" }).press("Enter");
    await reads(state, "Approved.");
    const before = await page.locator("#queue .mail").count();
    if (before > 0) {
      await page.locator("#queue .mail").first().focus();
      await page.keyboard.press("r");
      await reads(state, "Rejected.");
      assert.equal(await page.locator("#queue .mail").count(), before - 1);
    }
    await reads(page.locator("#accounts"), "The demo sends no e-mail.");
    await page.locator("#sequences").getByRole("button", { name: "Open" }).first().click();
    await page.waitForFunction(() => document.activeElement.id === "sequence-title");
    await page.locator("#status").selectOption("paused");
    await reads(state, "The sequence is paused.");
    await page.locator("#which").selectOption("pending");
    await page.locator("#leads li").first().waitFor();
  },
  async "e-mails are approved by a key, and by mouse"() {
    for (const subject of ["By a key", "By mouse"]) {
      await page.goto(`${url}/outreach`);
      await page.locator("#sequences").getByRole("button", { name: "Open" }).first().click();
      await page.locator("#leads").getByRole("button", { name: "Write" }).first().click();
      await page.locator("#writing").getByLabel("Subject").fill(subject);
      await page.locator("#writing").getByLabel("Text").fill("Hi");
      await page.locator("#writing").getByRole("button", { name: "Save" }).first().click();
      await reads(state, "The e-mail is awaiting approval.");
      const mine = await queued(subject);
      if (subject === "By mouse") {
        await mine.getByRole("button", { name: "Approve" }).click();
      } else {
        await mine.focus();
        await page.keyboard.press("a");
      }
      await reads(state, "Approved.");
      assert.equal(await mine.count(), 0);
    }
  },
  async "an e-mail without an address is approved only with one"() {
    await page.goto(`${url}/outreach`);
    const bare = page.locator("#queue .mail").filter({ hasText: "No address yet" });
    await bare.first().getByRole("button", { name: "Approve" }).click();
    await reads(problem, "has an e-mail address; edit it and add one");
    const before = await bare.count();
    await bare.first().getByRole("button", { name: "Edit" }).click();
    const dialog = page.locator("#writing");
    assert.ok(await dialog.getByLabel("To", { exact: true }).evaluate((field) => field === document.activeElement));
    await page.keyboard.type("not an address");
    await dialog.getByRole("button", { name: "Save and approve" }).click();
    await reads(page.locator("#refused"), "to_email: must be a valid e-mail address");
    await dialog.getByLabel("To", { exact: true }).fill("jane@acme.example");
    await dialog.getByRole("button", { name: "Save and approve" }).click();
    await reads(state, "Approved.");
    assert.equal(await bare.count(), before - 1);
  },
  async "the other pages have no barriers"() {
    for (const name of ["import", "docs", "nowhere"]) {
      await page.goto(`${url}/${name}`);
      if (name === "docs") await page.locator(".schema").last().waitFor();
      await hurdles(page, name);
    }
  },
};

await check(checks, faults, page, ["a link signs"]);
await browser.close();
console.log(`${Object.keys(checks).length} uses of the pages`);
