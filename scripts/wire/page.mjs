// Uses the search, import and reference pages in a browser, and checks what they show. Arguments: the address, and the
// sign-in link that the server printed.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, launch, looking, reads, storing, visiting } from "./browser.mjs";
import { script } from "./files.mjs";

const [url, liveLink] = process.argv.slice(2);

const browser = await launch();
const { someone, hurdles, faults } = visiting(browser, url);
const page = await someone({ viewport: { width: 375, height: 720 } });

const people = page.locator(".person");
const state = page.locator("#state");
const main = page.getByRole("main");
const past = page.locator(".past li");
const asked = page.getByRole("alertdialog");
const alert = page.getByRole("alert");
const operations = page.locator(".opblock");
const answered = page.locator(".live-responses-table");
const card = { name: "contacts.vcf", mimeType: "text/vcard",
  buffer: Buffer.from("BEGIN:VCARD\nVERSION:3.0\nFN:Jane Doe\nEMAIL:doe@acme.example\nEND:VCARD\n") };

async function search(prompt) {
  await page.locator("#prompt").fill(prompt);
  await page.keyboard.press("Enter");
}

// tryOut sends the request of the only operation with these words.
async function tryOut(words) {
  await page.getByLabel("Find an operation").fill(words);
  await page.waitForFunction(() => document.querySelectorAll(".opblock").length === 1);
  await page.locator(".opblock-summary-control").press("Enter");
  await page.getByRole("button", { name: "Try it out" }).press("Enter");
  await page.getByRole("button", { name: "Execute" }).press("Enter");
}

// ask searches as the page does, but for JSON.
async function ask(search) {
  const answer = await fetch(`${url}/v2/people/search`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: "Bearer demo_token_global" },
    body: JSON.stringify(search),
  });
  return answer.json();
}

const checks = {
  async "the printed link leads to the demo, from there to one's own data, and back"() {
    await page.goto(liveLink);
    await page.getByRole("button", { name: "Sign in" }).click();
    await reads(page.locator("#who"), /^demo$/);
    await search("founders in London");
    await people.first().waitFor();
    await page.getByRole("button", { name: "Use your own" }).click();
    await reads(page.locator("#who"), /^me$/);
    await page.goto(`${url}/#prompt=founders+in+London`);
    await reads(state, /^No one/);
    await page.getByRole("button", { name: "Back to the demo" }).click();
    await reads(page.locator("#who"), /^demo$/);
    await search("founders in London");
    await people.first().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375);
  },
  async "files are previewed and stored, and the import undone"() {
    const csv = `First Name,Last Name,E-mail Address,Company,Job Title\nJane,Placeholder,jane@acme.example,Acme,CTO\n${script},Roe,john@acme.example,Acme,Engineer\n,,,,\n`;
    await page.getByRole("button", { name: "Use your own" }).click();
    await reads(page.locator("#who"), /^me$/);
    await page.goto(`${url}/import`);
    await page.getByRole("heading", { name: "Import" }).waitFor();
    await hurdles(page, "import");
    await looking(page, [{ name: "contacts.csv", mimeType: "text/csv", buffer: Buffer.from(csv) }, card]);
    await page.getByRole("heading", { name: /^[23] people/ }).waitFor();
    await reads(main, /contacts\.csv.*3 rows.*1 left out: it has no name \(line 4\).*Jane Placeholder.*CTO at Acme/s);
    await reads(main, "5 of 5 columns used");
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    await hurdles(page, "looked-at");
    const polls = "**/v2/imports/imp_*";
    const polled = new Promise((done) => { page.route(polls, done, { times: 1 }); });
    await page.getByRole("button", { name: "Import", exact: true }).press("Enter");
    const route = await polled; // it has begun
    assert.equal(await main.getByRole("button", { name: "Cancel" }).count(), 0);
    await route.continue();
    await page.getByRole("heading", { name: /\(you know [\d,]+\)$/ }).waitFor();
    await reads(past, /contacts\.csv, contacts\.vcf.*3 people \(you know 3\)/s);
    await page.goto(`${url}/#prompt=Placeholder+at+Acme`);
    await reads(people, "Jane Placeholder");
    await page.goto(`${url}/import`);
    await past.getByRole("button", { name: "Undo" }).press("Enter");
    await reads(asked, /Undo the import of 2 files\?.*added 3 people, 3 relationships\./s);
    await asked.getByRole("button", { name: "Undo", exact: true }).press("Enter");
    await reads(page.locator(".notice"), "Undone.");
    await past.waitFor({ state: "detached" });
  },
  async "columns of an unknown table get a meaning by keyboard, and are imported"() {
    await page.getByLabel("Drop files here").setInputFiles({ name: "members.csv", mimeType: "text/csv",
      buffer: Buffer.from("Mitglied,Farbe,City\nJane Doe,red,Berlin\nMax Moe,blue,Bonn\n") });
    await page.getByText("Kith does not know this table.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Import", exact: true }).count(), 0);
    const read = page.getByRole("button", { name: "Read it like this" });
    assert.ok(await read.isDisabled());
    await hurdles(page, "columns");
    await page.getByLabel("Mitglied").selectOption("Name");
    await page.getByLabel("City").selectOption("City");
    await read.press("Enter");
    await reads(main, /2 people.*Jane Doe.*Berlin/s);
    await page.getByText("2 of 3 columns used").press("Enter");
    assert.equal(await page.getByLabel("City").inputValue(), "person.location.city");
    await page.getByLabel("City").selectOption("Not used");
    await read.press("Enter");
    await page.getByText("1 of 3 columns used").waitFor();
    await storing(page);
    await past.getByRole("button", { name: "Undo" }).click();
    await asked.getByRole("button", { name: "Undo", exact: true }).click();
    await past.waitFor({ state: "detached" });
  },
  async "files beside a table whose columns get a meaning are imported after it"() {
    await page.getByLabel("Drop files here").setInputFiles([card, { name: "members.csv", mimeType: "text/csv",
      buffer: Buffer.from("Mitglied,Farbe\nMax Moe,blue\n") }]);
    await page.getByText("1 file not needed").press("Enter");
    await page.getByLabel("Mitglied").selectOption("Name");
    await page.getByRole("button", { name: "Read it like this" }).press("Enter");
    await reads(main, "Not part of this import: contacts.vcf");
    await storing(page);
    await hurdles(page, "others");
    await page.getByRole("button", { name: "Look at these now" }).press("Enter");
    await reads(main, /contacts\.vcf.*Jane Doe/s);
    await past.getByRole("button", { name: "Undo" }).click();
    await asked.getByRole("button", { name: "Undo", exact: true }).click();
    await past.waitFor({ state: "detached" });
  },
  async "a folder can be dropped, and one of too many files is refused"() {
    const folder = mkdtempSync(join(tmpdir(), "kith-folder-"));
    writeFileSync(join(folder, "one.vcf"), card.buffer);
    writeFileSync(join(folder, "two.csv"), "Name,E-mail\nMax Moe,max@acme.example\n");
    const devtools = await page.context().newCDPSession(page);
    const drop = async () => {
      const data = { items: [], files: [folder], dragOperationsMask: 1 };
      for (const type of ["dragEnter", "dragOver", "drop"]) {
        await devtools.send("Input.dispatchDragEvent", { type, x: 180, y: 180, data });
      }
    };
    await drop();
    await page.getByRole("heading", { name: "2 people", exact: true }).waitFor();
    await reads(main, /one\.vcf.*two\.csv/s);
    for (let i = 0; i < 100; i++) writeFileSync(join(folder, `${i}.vcf`), card.buffer);
    await drop();
    await reads(alert, "must be at most 100 files");
    rmSync(folder, { recursive: true });
  },
  async "operations of the reference are found and tried, with the session and with a token, by keyboard"() {
    const { paths } = await (await fetch(`${url}/openapi.json`)).json();
    const all = Object.values(paths).flatMap((item) => Object.values(item)).filter((one) => one.operationId);
    await page.goto(`${url}/docs`);
    await operations.last().waitFor();
    assert.equal(await operations.count(), all.length);
    await tryOut("post createList");
    await reads(answered, '"name": "');
    await hurdles(page, "reference");
    await page.getByLabel("Token").fill("demo_token_global");
    await tryOut("get /v2/user/me");
    await reads(answered, '"demo": true');
    await page.getByLabel("Find an operation").fill("no such thing");
    await page.getByText("No operation has these words.").waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375);
  },
  async "without signing in, files are previewed but not stored; a lost server is named"() {
    await page.goto(`${url}/sign-in`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await reads(state, "You are signed out.");
    await page.goto(`${url}/import`);
    await looking(page, card); // visitors of the demo can see a preview
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await reads(alert, "the demo is shared");
    await reads(main, "Nothing is stored yet."); // the preview stays
    await page.context().setOffline(true);
    await page.getByLabel("Drop files here").setInputFiles(card);
    await reads(alert, "cannot be reached");
    await page.context().setOffline(false);
  },
};

await check(checks, faults, page);
await browser.close();
console.log(`${Object.keys(checks).length} uses of the pages`);
