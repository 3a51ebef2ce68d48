// Does what docs/guide.md says, step by step, up to an e-mail that a mail server on this machine receives. Then it uses
// what destroys data. Arguments: the address of a server without the demo, and the sign-in link that it printed.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";
import { check, launch, reads, visiting } from "./browser.mjs";
import { addresses, namesakes, network } from "./files.mjs";

const [url, link] = process.argv.slice(2);

// mailServer is a mail server without encryption on loopback. received() returns its first message.
function mailServer() {
  let arrive;
  const message = new Promise((done) => { arrive = done; });
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData(stream, session, accept) {
      const chunks = [];
      stream.on("data", (chunk) => chunks.push(chunk));
      stream.on("end", async () => {
        const { mailFrom, rcptTo } = session.envelope; // before accept empties it
        arrive({ mailFrom: mailFrom.address, rcptTo: rcptTo.map((to) => to.address),
          ...await simpleParser(Buffer.concat(chunks)) });
        accept();
      });
    },
  });
  return new Promise((done) => {
    server.listen(0, "127.0.0.1", () => done({
      port: server.server.address().port, received: () => message, close: () => server.close(),
    }));
  });
}

const mail = await mailServer();
const browser = await launch();
const { someone, hurdles, faults } = visiting(browser, url);
const page = await someone();
const state = page.locator("#state");
const problem = page.locator("#problem");
const drawer = page.locator("#drawer");
const queue = page.locator("#queue .mail");
const asked = page.getByRole("alertdialog");
let account; // the mail account, as the server made it

async function go(to) {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: to, exact: true }).click();
  await page.locator("nav [aria-current=page]").filter({ hasText: to }).waitFor();
  await page.waitForLoadState(); // its scripts listen
}

async function take(file) {
  await page.locator("#files").setInputFiles(file);
  await reads(state, "Nothing is stored yet.");
}

const focused = () => page.evaluate(() => document.activeElement.textContent);

const checks = {
  async "1. without signing in, a search says how to"() {
    await page.goto(`${url}/#prompt=founders`);
    await reads(problem, "You are not signed in.");
    await problem.getByRole("link", { name: "Sign in" }).click();
    await reads(page.locator("#ask"), "kith login-link");
  },
  async "1. the printed link signs in"() {
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${url}/`);
    await reads(page.locator("#who"), "me");
  },
  async "every page works in an empty account"() {
    for (const name of ["paths", "people", "outreach", "import", "settings", "docs", "sign-in"]) {
      await page.goto(`${url}/${name}`);
      await page.waitForLoadState("networkidle");
      assert.equal(await problem.isVisible(), false, `${name}: ${await problem.textContent()}`);
    }
  },
  async "2. contacts are previewed and imported"() {
    await go("Import");
    await take(network);
    await reads(page.locator("#found"), /Connections\.csv.*Jane Doe · Head of Data at Acme/s);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await reads(state, /^Done: \d people \(you know 4\)/);
    await take(addresses);
    await reads(state, /^1 person\./);
    await page.getByRole("button", { name: "Import", exact: true }).press("Enter");
    await reads(state, /^Done: 1 person \(you know 1\)/);
    await reads(page.locator("#found"), "1 merged");
  },
  async "3. somebody is found, and kept on a list"() {
    await go("Search");
    await page.locator("#prompt").fill("who do I know at Acme");
    await page.keyboard.press("Enter");
    await reads(state, "2 people");
    const jane = page.locator(".person").filter({ hasText: "Jane Doe" });
    await reads(jane, "You know each other");
    await jane.getByRole("button", { name: "Details" }).click();
    await reads(drawer.locator(".paths li"), /^You/);
    await drawer.getByRole("heading", { name: "Career" }).waitFor();
    await drawer.getByRole("button", { name: "Save to list" }).click();
    await drawer.locator("select").selectOption({ label: "New list…" });
    await drawer.getByLabel("Name").fill("Data people");
    await page.keyboard.press("Enter");
    await reads(drawer.locator(".state"), "Saved to Data people.");
    await drawer.getByRole("button", { name: "Ask for an introduction" }).click();
    await reads(drawer, "You know each other: write directly.");
    await page.keyboard.press("Escape");
    await go("People");
    await reads(page.locator("#lists li"), "Data people 1 person");
  },
  async "4. the ways to somebody are drawn"() {
    await go("Ways in");
    await page.locator("#whom").fill("Jane Doe");
    await page.keyboard.press("Enter");
    await reads(page.locator("#found .paths li"), /^You.*Jane Doe$/s);
  },
  async "4. of companies of one name, one is chosen"() {
    await go("Import");
    await take(namesakes);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await reads(state, /^Done: 2 people/);
    await go("Ways in");
    await page.locator("#whom").fill("Twins");
    await page.keyboard.press("Enter");
    await reads(state, "Several companies are called Twins");
    await reads(page.locator("#found li"), "twins-one.example");
    await page.locator("#found li").filter({ hasText: "twins-two.example" }).getByRole("link").click();
    await reads(state, "1 person within reach at Twins");
    await reads(page.locator("#found h2"), "Terry two");
  },
  async "5. a mail account without encryption is added"() {
    await go("Outreach");
    await reads(page.locator("#accounts li"), "None yet.");
    await page.getByText("Add a mail account").click();
    const form = page.locator("#new-account");
    await form.getByLabel("Server").fill("127.0.0.1");
    await form.getByLabel("Port").fill(String(mail.port));
    await form.getByLabel("Encryption").selectOption("none");
    await form.getByLabel("From").fill("olga@globex.example");
    await form.getByLabel("Name", { exact: true }).fill("Olga Owner");
    const made = page.waitForResponse((r) => r.url() === `${url}/v2/user/integrations` && r.request().method() === "POST");
    await form.getByRole("button", { name: "Add" }).click();
    await reads(state, "The mail account is added.");
    account = (await (await made).json()).data;
    await reads(page.locator("#accounts li"), `olga@globex.example127.0.0.1:${mail.port} without encryption`);
    await hurdles(page, "account");
  },
  async "5. an e-mail is prepared"() {
    await page.goto(`${url}/#prompt=who+do+I+know+at+Acme`);
    const add = (name) => page.locator(".person").filter({ hasText: name }).getByRole("button", { name: "Add to sequence" });
    await add("Max Moe").click();
    await drawer.locator("select").selectOption({ label: "New sequence…" });
    await drawer.getByLabel("Name").fill("Hello");
    await drawer.getByRole("button", { name: "Add", exact: true }).click();
    await reads(drawer.locator(".state"), "no e-mail address");
    await page.keyboard.press("Escape");
    await add("Jane Doe").click();
    await drawer.locator("select").selectOption({ label: "Hello (draft)" });
    await drawer.getByRole("button", { name: "Add", exact: true }).click();
    await reads(drawer.locator(".state"), "Added to Hello (draft).");
    await page.keyboard.press("Escape");
    await go("Outreach");
    const row = page.locator("#sequences li").filter({ hasText: "Hello" });
    await reads(row, "draft, 1 lead, 0 % opened");
    await row.getByRole("button", { name: "Open" }).click();
    await page.getByLabel("Status").selectOption("active");
    await reads(state, "The sequence is active.");
    await page.locator("#leads").getByRole("button", { name: "Write" }).click();
    const form = page.locator("#writing");
    assert.equal(await form.getByLabel("To", { exact: true }).inputValue(), "jane@acme.example");
    assert.equal(await form.getByLabel("Through").inputValue(), String(account.id));
    await form.getByLabel("Subject").fill("Hello {first_name}");
    await form.getByLabel("Text").fill("Hi {first_name},\n\nhow is {company}? Zoë & I <3 it.");
    await hurdles(page, "write");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await reads(state, "The e-mail is awaiting approval.");
  },
  async "6. it is edited, approved and received as shown"() {
    await reads(queue, "To jane@acme.example");
    await reads(queue, "how is Acme? Zoë & I <3 it.");
    await queue.getByRole("button", { name: "Edit" }).click();
    const form = page.locator("#writing");
    await form.getByLabel("Subject").fill("Hello again, {first_name}");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await reads(state, "Saved.");
    await reads(queue, "Hello again, Jane");
    await queue.focus();
    await page.keyboard.press("a");
    await reads(state, "Approved.");
    await reads(page.locator("#queue"), "No e-mails to approve.");
    const got = await mail.received();
    assert.deepEqual([got.mailFrom, got.rcptTo], ["olga@globex.example", ["jane@acme.example"]]);
    assert.deepEqual([got.from.text, got.to.text, got.subject],
      ['"Olga Owner" <olga@globex.example>', '"Jane Doe" <jane@acme.example>', "Hello again, Jane"]);
    assert.equal(got.text.trim(), "Hi Jane,\n\nhow is Acme? Zoë & I <3 it.");
    assert.ok(got.html.includes("how is Acme? Zoë &amp; I &lt;3 it."), got.html);
    account.message = got.messageId;
  },
  async "the lead says that it was sent; finishing it asks first"() {
    const lead = page.locator("#leads li").filter({ hasText: "Jane Doe" });
    await page.locator("#which").selectOption("active");
    while (await lead.filter({ hasText: "E-mail sent" }).count() === 0) { // shortly after the message arrived
      await page.locator("#which").selectOption("");
      await lead.waitFor();
      await page.locator("#which").selectOption("active");
      await lead.waitFor();
    }
    await lead.getByRole("button", { name: "Finish" }).click();
    await reads(asked, "Finish Jane Doe?");
    await asked.getByRole("button", { name: "Cancel" }).click();
    await reads(lead, "active, E-mail sent");
  },
  async "a complaint suppresses the address for good"() {
    const body = JSON.stringify({ events: [{ type: "complained", message_id: account.message.replaceAll(/[<>]/g, "") }] });
    const at = Math.floor(Date.now() / 1000);
    const sum = createHmac("sha256", account.feedback_secret).update(`${at}.${body}`).digest("hex");
    const answer = await fetch(url + account.feedback_path, { method: "POST", body,
      headers: { "Content-Type": "application/json", "X-Kith-Signature": `t=${at},v1=${sum}` } });
    assert.deepEqual((await answer.json()).data, { results: ["applied"] });
    await page.reload();
    const row = page.locator("#suppressions li");
    await reads(row, "jane@acme.examplecomplained");
    assert.equal(await row.getByRole("button").count(), 0);
  },
  async "removing a person asks first, by keyboard"() {
    await go("People");
    const jane = page.locator("#known li").filter({ hasText: "Jane Doe" });
    const remove = jane.getByRole("button", { name: "Remove" });
    await remove.press("Enter");
    await reads(asked, /Remove Jane Doe from the people you know\?.*the strength \(\w+\).*2024-03-12.*2 contacts/s);
    await hurdles(page, "confirm-person");
    assert.equal(await focused(), "Cancel");
    await page.keyboard.press("Enter");
    assert.match(await focused(), /^Remove/);
    await remove.press("Enter");
    await page.keyboard.press("Escape");
    await reads(page.locator("#known li"), "Jane Doe");
    assert.match(await focused(), /^Remove/);
    await remove.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await reads(state, "Jane Doe is no longer listed as a person you know.");
    assert.equal(await jane.count(), 0);
  },
  async "removing a mail account asks first"() {
    await go("Outreach");
    const row = page.locator("#accounts li");
    await row.getByRole("button", { name: "Remove" }).click();
    await reads(asked, "Remove the mail account olga@globex.example?");
    await asked.getByRole("button", { name: "Remove" }).click();
    await reads(state, "Removed.");
    await reads(row, "None yet.");
  },
  async "undoing an import asks first, and says what is lost"() {
    await go("Import");
    const row = page.locator("#imports li").filter({ hasText: "Connections.csv" });
    await row.getByRole("button", { name: "Undo" }).click();
    await reads(asked, /Undo the import of 5 files\?.*This import added 4 people, .*4 relationships/s);
    await hurdles(page, "confirm-import");
    await asked.getByRole("button", { name: "Cancel" }).click();
    await row.waitFor();
    await row.getByRole("button", { name: "Undo" }).click();
    await asked.getByRole("button", { name: "Undo the import" }).click();
    await reads(state, "Undone.");
    assert.equal(await row.count(), 0);
  },
};

await check(checks, faults, page);
await browser.close();
mail.close();
console.log(`${Object.keys(checks).length} steps of the guide`);
