// Does what docs/guide.md says, step by step, up to an e-mail that a mail server on this machine receives. Then it uses
// what destroys data. Arguments: the address of a server without the demo, and the sign-in link that it printed.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";
import { check, launch, looking, reads, storing, visiting } from "./browser.mjs";
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
const notice = page.locator(".notice");
const people = page.locator(".person");
const detail = page.getByRole("complementary", { name: "Person", exact: true });
const dialog = page.getByRole("dialog");
const mails = page.locator(".mails a");
const beside = page.locator(".split-aside");
const asked = page.getByRole("alertdialog");
let account; // the mail account, as the server made it

async function go(to) {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: to, exact: true }).click();
  await page.locator("nav [aria-current=page]").filter({ hasText: to }).waitFor();
  await page.waitForLoadState(); // its scripts listen
}

const focused = () => page.evaluate(() => document.activeElement.textContent);

const checks = {
  async "1. without signing in, a search says how to"() {
    await page.goto(`${url}/#prompt=founders`);
    await reads(page.getByRole("alert"), "You are not signed in.");
    await page.getByRole("alert").getByRole("link", { name: "Sign in" }).click();
    await reads(page.getByRole("main"), "kith login-link");
  },
  async "1. the printed link signs in"() {
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${url}/`);
    await reads(page.locator("#who"), "me");
  },
  async "every page works in an empty account"() {
    for (const name of ["paths", "people", "lists", "outreach", "import", "settings", "docs", "sign-in"]) {
      await page.goto(`${url}/${name}`);
      await page.waitForLoadState("networkidle");
      assert.deepEqual(await page.getByRole("alert").filter({ visible: true }).allTextContents(), [], name);
    }
  },
  async "2. contacts are previewed and imported"() {
    await go("Import");
    await looking(page, network);
    await reads(page.locator("main"), /Connections\.csv.*Jane Doe.*Head of Data at Acme/s);
    await hurdles(page, "looked");
    await storing(page);
    assert.match(await focused(), /\d people \(you know 4\)/);
    await hurdles(page, "stored");
    await looking(page, addresses);
    await page.getByRole("heading", { name: "1 person", exact: true }).waitFor();
    await storing(page);
    await reads(page.getByRole("status"), /1 person \(you know 1\)/);
    await reads(page.locator(".file"), "1 merged");
  },
  async "3. somebody is found, and kept on a list"() {
    await go("Search");
    await page.locator("#prompt").fill("who do I know at Acme");
    await page.keyboard.press("Enter");
    await reads(state, "2 people");
    const jane = people.filter({ hasText: "Jane Doe" });
    await reads(jane, "1st degree");
    await jane.getByRole("link").click();
    await reads(detail.locator(".way"), /^You/);
    await detail.getByRole("heading", { name: "Career" }).waitFor();
    await detail.getByRole("button", { name: "Add to list" }).click();
    await dialog.getByLabel("List").selectOption({ label: "New list…" });
    await dialog.getByLabel("Name").fill("Data people");
    await page.keyboard.press("Enter");
    await reads(notice, "1 person added to Data people.");
    await go("Lists");
    await reads(page.locator(".choices"), /Data people.*1 person/s);
  },
  async "4. the ways to somebody are drawn"() {
    await go("Network");
    await page.getByLabel("A company or a person").fill("Jane Doe");
    await page.keyboard.press("Enter");
    await reads(page.locator(".way"), /^You.*Jane Doe/s);
  },
  async "4. of companies of one name, one is chosen"() {
    await go("Import");
    await looking(page, namesakes);
    await storing(page);
    await go("Network");
    await page.getByLabel("A company or a person").fill("Twins");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Several companies are called Twins. Which one?" }).waitFor();
    const companies = page.locator(".card").getByRole("listitem");
    await reads(companies, "twins-one.example");
    await hurdles(page, "choice");
    await companies.filter({ hasText: "twins-two.example" }).getByRole("link").press("Enter");
    await reads(page.locator(".company"), "1 person within reach");
    await reads(page.getByRole("heading"), "Terry two");
  },
  async "5. a mail account without encryption is added"() {
    await go("Outreach");
    await page.getByRole("link", { name: "Mail accounts" }).click();
    await page.getByRole("button", { name: "Add a mail account" }).click();
    const form = page.locator(".account-form");
    await form.getByLabel("Server").fill("127.0.0.1");
    await form.getByLabel("Port").fill(String(mail.port));
    await form.getByLabel("Encryption").selectOption("none");
    await form.getByLabel("Address").fill("olga@globex.example");
    await form.getByLabel("Your name").fill("Olga Owner");
    const made = page.waitForResponse((r) => r.url() === `${url}/v2/user/integrations` && r.request().method() === "POST");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await reads(notice, "Added: olga@globex.example.");
    account = (await (await made).json()).data;
    await reads(page.locator(".accounts li"), `olga@globex.example127.0.0.1:${mail.port}, without encryption`);
    await hurdles(page, "account");
  },
  async "5. an e-mail is prepared"() {
    await page.goto(`${url}/#prompt=who+do+I+know+at+Acme`);
    const add = async (name, to) => {
      await people.filter({ hasText: name }).getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Add to sequence" }).click();
      await dialog.getByLabel("Sequence").selectOption({ label: to });
    };
    await add("Max Moe", "New sequence…");
    await dialog.getByLabel("Name").fill("Hello");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await reads(notice, /Not added: .*no e-mail address/);
    await add("Jane Doe", "Hello");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await reads(notice, "1 person added to Hello.");
    await go("Outreach");
    await page.getByRole("navigation", { name: "Parts of outreach" }).getByRole("link", { name: "Sequences" }).click();
    await page.getByRole("link", { name: "Hello" }).click();
    await page.getByRole("button", { name: "Start" }).click();
    await reads(notice, "Hello is active.");
    await mails.filter({ hasText: "Jane Doe" }).click();
    await beside.getByRole("button", { name: "Write", exact: true }).click();
    const form = page.getByRole("dialog");
    assert.equal(await form.getByLabel("To", { exact: true }).inputValue(), "jane@acme.example");
    assert.equal(await form.getByLabel("Through").inputValue(), String(account.id));
    await form.getByLabel("Subject").fill("Hello {first_name}");
    await form.getByLabel("Text").fill("Hi {first_name},\n\nhow is {company}? Zoë & I <3 it.");
    await hurdles(page, "write");
    await form.getByRole("button", { name: "Put up for approval" }).click();
    await reads(notice, "The e-mail is awaiting approval.");
  },
  async "6. it is edited, approved and received as shown"() {
    await page.getByRole("link", { name: "To approve" }).first().click();
    await reads(beside, "jane@acme.example");
    await reads(beside, "how is Acme? Zoë & I <3 it.");
    await beside.getByRole("button", { name: "Edit" }).click();
    await beside.getByLabel("Subject").fill("Hello again, {first_name}");
    await beside.getByRole("button", { name: "Save", exact: true }).click();
    await reads(notice, "Saved.");
    await reads(beside.locator("h2"), "Hello again, Jane");
    await page.keyboard.press("a");
    await reads(notice, "Approved: the e-mail to Jane Doe.");
    await reads(page.locator(".empty"), "Nothing to approve");
    const got = await mail.received();
    assert.deepEqual([got.mailFrom, got.rcptTo], ["olga@globex.example", ["jane@acme.example"]]);
    assert.deepEqual([got.from.text, got.to.text, got.subject],
      ['"Olga Owner" <olga@globex.example>', '"Jane Doe" <jane@acme.example>', "Hello again, Jane"]);
    assert.equal(got.text.trim(), "Hi Jane,\n\nhow is Acme? Zoë & I <3 it.");
    assert.ok(got.html.includes("how is Acme? Zoë &amp; I &lt;3 it."), got.html);
    account.message = got.messageId;
  },
  async "the lead says that it was sent; finishing it asks first"() {
    await page.getByRole("link", { name: "Sequences" }).first().click();
    await page.getByRole("link", { name: "Hello" }).click();
    const lead = mails.filter({ hasText: "Jane Doe" });
    while (await lead.filter({ hasText: "E-mail sent" }).count() === 0) { // shortly after the message arrived
      await page.reload();
      await lead.waitFor();
    }
    await lead.click();
    await beside.getByRole("button", { name: "Finish" }).click();
    await reads(asked, "Finish Jane Doe?");
    await asked.getByRole("button", { name: "Cancel" }).click();
    await reads(lead, "active");
    await reads(beside.locator(".history"), "E-mail: sent");
  },
  async "a complaint suppresses the address for good"() {
    const body = JSON.stringify({ events: [{ type: "complained", message_id: account.message.replaceAll(/[<>]/g, "") }] });
    const at = Math.floor(Date.now() / 1000);
    const sum = createHmac("sha256", account.feedback_secret).update(`${at}.${body}`).digest("hex");
    const answer = await fetch(url + account.feedback_path, { method: "POST", body,
      headers: { "Content-Type": "application/json", "X-Kith-Signature": `t=${at},v1=${sum}` } });
    assert.deepEqual((await answer.json()).data, { results: ["applied"] });
    await page.goto(`${url}/settings#view=suppressions`);
    const row = page.locator(".entries > li");
    await reads(row, /jane@acme\.example.*complained/s);
    assert.equal(await row.getByRole("button").count(), 0);
  },
  async "removing a person asks first, by keyboard"() {
    await go("Network");
    const jane = page.getByRole("row").filter({ hasText: "Jane Doe" });
    await reads(jane, "2024-03-12");
    const remove = jane.getByRole("button", { name: "Remove Jane Doe" });
    await remove.press("Enter");
    await reads(asked, /Remove Jane Doe from the people you know\?.*how you know each other.*2 contacts/s);
    await hurdles(page, "confirm-person");
    assert.equal(await focused(), "Cancel");
    for (const key of ["Enter", "Escape"]) { // Enter presses Cancel
      await page.keyboard.press(key);
      await page.waitForFunction(() => document.activeElement.ariaLabel?.startsWith("Remove Jane Doe"));
      await page.keyboard.press("Enter");
      await asked.waitFor();
    }
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await reads(notice, "Jane Doe is no longer listed as a person you know.");
    await jane.waitFor({ state: "detached" });
  },
  async "removing a mail account asks first"() {
    await go("Outreach");
    await page.getByRole("link", { name: "Mail accounts" }).click();
    await page.getByRole("button", { name: "Remove: olga@globex.example" }).click();
    await reads(asked, "Remove the mail account olga@globex.example?");
    await asked.getByRole("button", { name: "Remove" }).click();
    await reads(notice, "Removed: olga@globex.example.");
    await reads(page.locator(".empty"), "No mail accounts");
  },
  async "undoing an import asks first, and says what is lost"() {
    await go("Import");
    const row = page.locator(".past li").filter({ hasText: "Connections.csv" });
    await row.getByRole("button", { name: "Undo" }).click();
    await reads(asked, /Undo the import of 5 files\?.*This import added 4 people, .*4 relationships/s);
    await hurdles(page, "confirm-import");
    await asked.getByRole("button", { name: "Cancel" }).click();
    await row.waitFor();
    await row.getByRole("button", { name: "Undo" }).click();
    await asked.getByRole("button", { name: "Undo", exact: true }).click();
    await reads(notice, "Undone.");
    await row.waitFor({ state: "detached" });
  },
};

await check(checks, faults, page);
await browser.close();
mail.close();
console.log(`${Object.keys(checks).length} steps of the guide`);
