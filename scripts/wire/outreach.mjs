// Uses the outreach page by mouse and by keyboard. Arguments: the address, the program, kith's data directory.
import assert from "node:assert/strict";
import { check, launch, reads, signIn, visiting } from "./browser.mjs";
import { script } from "./files.mjs";

const [url, kith, data] = process.argv.slice(2);
const server = { url, kith, data };

const browser = await launch();
const { someone, hurdles, faults } = visiting(browser, url);
const page = await someone();
const notice = page.locator(".notice");
const dialog = page.getByRole("dialog");
const mails = page.locator(".mails a");
const open = page.locator(".mails a[aria-current]");
const detail = page.locator(".split-aside");

async function go(hash = "") {
  await page.goto("about:blank"); // a change of the fragment alone loads nothing
  await page.goto(`${url}/outreach${hash}`);
}

// lead opens the first sequence with its people, and the one with this place in the list.
async function lead(n) {
  await go("#view=sequences");
  await page.locator(".table a").first().click();
  await mails.nth(n).click();
  await detail.getByRole("button", { name: "Write", exact: true }).waitFor();
}

// queued opens the queue, and the e-mail with a subject in it.
async function queued(subject) {
  await go();
  await mails.first().waitFor();
  await mails.filter({ hasText: subject }).first().click();
  await reads(detail.locator("h2"), subject);
}

const checks = {
  async "a user of the demo sees the queue, and that nothing is sent"() {
    await signIn(page, server, "olaf");
    await page.getByRole("link", { name: "Outreach" }).click();
    await reads(page.getByRole("note"), "This server sends no e-mail");
    await open.waitFor(); // the first is open
    await hurdles(page, "outreach");
    await page.getByRole("link", { name: "Mail accounts" }).click();
    await reads(page.locator(".empty"), "This server sends no e-mail");
    await hurdles(page, "accounts");
  },
  async "an e-mail is written with variables, by keyboard, and refused with reasons"() {
    await lead(0);
    await hurdles(page, "lead");
    await detail.getByRole("button", { name: "Write", exact: true }).press("Enter");
    await dialog.getByLabel("Subject").fill("Hello {nobody_knows}");
    await dialog.getByLabel("Text").fill(`${script}\n\nHi `);
    await dialog.getByLabel("Insert a variable…").selectOption("first_name");
    await page.waitForFunction(() => document.activeElement.name === "body");
    await page.keyboard.type("!");
    assert.ok((await dialog.getByLabel("Text").inputValue()).endsWith("Hi {first_name}!"));
    await reads(dialog.locator(".preview"), "No value for {nobody_knows}");
    assert.match(await dialog.locator(".preview").textContent(), /Hi \p{L}+!/u);
    await dialog.getByRole("button", { name: "Put up for approval" }).press("Enter");
    await reads(dialog.getByRole("alert"), "nobody_knows");
    await hurdles(page, "write");
    await dialog.getByLabel("Subject").fill("Hello from a test");
    await dialog.getByRole("button", { name: "Put up for approval" }).press("Enter");
    await reads(notice, "The e-mail is awaiting approval.");
    await reads(detail.locator(".history"), "E-mail: draft");
    assert.equal(await page.evaluate(() => window.pwned), undefined);
  },
  async "it is edited, scheduled and approved by keys, and taken back"() {
    await queued("Hello from a test");
    await page.keyboard.press("e");
    await page.waitForFunction(() => document.activeElement.name === "subject");
    await detail.getByLabel("Subject").fill("Hello again, {first_name}");
    await detail.getByRole("button", { name: "Save", exact: true }).press("Enter");
    await reads(notice, "Saved.");
    await reads(detail.locator("h2"), /^Hello again, \p{L}+$/u);
    await page.keyboard.press("e");
    await detail.getByLabel("Send no earlier than").fill("2030-01-02T09:30");
    await detail.getByRole("button", { name: "Save and approve" }).press("Enter");
    await reads(notice, "Approved:");
    await go("#view=sent");
    await mails.filter({ hasText: "Hello again" }).first().click();
    await reads(detail, "scheduled");
    await hurdles(page, "sent");
    await detail.getByRole("button", { name: "Back to approval" }).press("Enter");
    await reads(notice, "The e-mail is awaiting approval.");
    await queued("Hello again");
    await reads(detail, "2030");
    await page.keyboard.press("e");
    await detail.getByLabel("Send no earlier than").fill("");
    await detail.getByRole("button", { name: "Save", exact: true }).press("Enter");
    await page.waitForFunction(() => !document.querySelector(".split-aside").textContent.includes("2030"));
  },
  async "keys move, approve and reject; a decision is undone"() {
    const before = await mails.count();
    await page.keyboard.press("a");
    await reads(notice, "Approved:");
    await page.waitForFunction((n) => document.querySelectorAll(".mails a").length === n - 1, before);
    await page.locator(".notice").filter({ hasText: "Approved:" }).last().getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction((n) => document.querySelectorAll(".mails a").length === n, before);
    await mails.filter({ hasText: "Hello again" }).first().click();
    await reads(detail.locator("h2"), "Hello again");
    await page.keyboard.press("r");
    await reads(notice, "Rejected:");
    await page.waitForFunction((n) => document.querySelectorAll(".mails a").length === n - 1, before);
    await mails.first().click();
    const first = await mails.first().textContent();
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction((was) => document.querySelector(".mails a[aria-current]").textContent !== was, first);
    await page.keyboard.press("k");
    await page.waitForFunction((was) => document.querySelector(".mails a[aria-current]").textContent === was, first);
  },
  async "an e-mail without an address is approved only with one"() {
    await go();
    const bare = mails.filter({ hasText: "no address" });
    await bare.filter({ hasNotText: "Re:" }).first().click(); // not an answer, whose lead is finished
    await reads(detail.getByRole("note"), "can be approved once it has one");
    assert.ok(await detail.getByRole("button", { name: "Approve" }).isDisabled());
    const before = await bare.count();
    await page.keyboard.press("a");
    await page.waitForFunction(() => document.activeElement.name === "to");
    await page.keyboard.type("not an address");
    await detail.getByRole("button", { name: "Save and approve" }).click();
    await reads(detail, "must be a valid e-mail address");
    await hurdles(page, "address");
    await detail.getByLabel("To", { exact: true }).fill("jane@acme.example");
    await detail.getByRole("button", { name: "Save and approve" }).click();
    await reads(notice, "Approved:");
    await page.waitForFunction((n) => [...document.querySelectorAll(".mails a")]
      .filter((one) => one.textContent.includes("no address")).length === n - 1, before);
  },
  async "a sequence is created by keyboard, with a step, people and drafts"() {
    await go("#view=sequences");
    await page.locator(".table").waitFor();
    await hurdles(page, "sequences");
    await page.getByRole("button", { name: "New sequence" }).press("Enter");
    await page.keyboard.type(script);
    await page.keyboard.press("Enter");
    await reads(page.locator(".sequence-name"), script);
    await page.getByRole("button", { name: "Add a step" }).press("Enter");
    await page.waitForFunction(() => document.activeElement.tagName === "INPUT");
    await page.keyboard.type("First");
    await page.getByLabel("Subject").fill("{subject");
    await page.getByLabel("Text").fill("Hi {first_name}");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await reads(notice, "has a brace that opens no placeholder");
    await page.getByLabel("Subject").fill("About {company}");
    await hurdles(page, "step");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await reads(page.locator(".steps"), "About {company}");
    await page.getByRole("button", { name: "Remove: First" }).press("Enter");
    await reads(notice, "Removed: First.");
    await notice.getByRole("button", { name: "Undo" }).last().click();
    await reads(page.locator(".steps"), "About {company}");
    await page.getByRole("link", { name: /^People/ }).press("Enter");
    await page.getByRole("button", { name: "Add people" }).press("Enter");
    await page.keyboard.type("nobody@nowhere.example, 1");
    await dialog.getByRole("button", { name: "Add", exact: true }).press("Enter");
    await reads(dialog.getByRole("status"), /refused/);
    await hurdles(page, "add-people");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => window.pwned), undefined);
  },
  async "a lead is finished after a question, and reopened; the sequence is paused and started"() {
    await lead(0);
    await detail.getByRole("button", { name: "Finish" }).press("Enter");
    const asked = page.getByRole("alertdialog");
    await reads(asked, /^Finish .*drafts can no longer be approved/s);
    await hurdles(page, "finish");
    await asked.getByRole("button", { name: "Cancel" }).press("Enter");
    await detail.getByRole("button", { name: "Finish" }).click();
    await asked.getByRole("button", { name: "Finish" }).click();
    await detail.getByRole("button", { name: "Reopen" }).click();
    await detail.getByRole("button", { name: "Write", exact: true }).waitFor();
    const name = page.locator(".sequence-name .tag");
    await page.getByRole("button", { name: "Pause" }).press("Enter");
    await reads(name, "paused");
    await page.getByRole("button", { name: "Start" }).press("Enter");
    await reads(name, "active");
    await page.getByLabel("Show").selectOption("pending");
    await page.waitForFunction(() => {
      const chosen = document.querySelector(".which")?.selectedOptions[0].textContent;
      const tags = [...document.querySelectorAll(".mails .tag")];
      return tags.length > 0 && tags.every((one) => one.textContent === chosen);
    });
    await mails.first().click();
    await open.waitFor();
    assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("status"), "pending");
  },
  async "a mail account of a large provider needs an address and a password"() {
    const own = await someone(); // of the app home: the demo sends nothing
    await signIn(own, { ...server, home: true }, "sender");
    await own.goto(`${url}/outreach#view=accounts`);
    await own.getByRole("button", { name: "Add a mail account" }).press("Enter");
    await own.getByLabel("Address").fill("sender@gmail.com");
    await reads(own.locator("summary"), "smtp.gmail.com");
    await reads(own.locator(".account-form"), "may want an app password");
    await hurdles(own, "account-form");
    await own.getByLabel("Password", { exact: true }).fill("secret");
    await own.getByText("Hours and limits").press("Enter");
    await own.getByLabel("At most an hour").fill("7");
    await own.getByRole("button", { name: "Add", exact: true }).press("Enter");
    await reads(own.locator(".accounts"), /sender@gmail\.com.*smtp\.gmail\.com:587.*at most 7 an hour/s);
    await hurdles(own, "account");
    await own.getByRole("button", { name: "Remove: sender@gmail.com" }).press("Enter");
    await own.getByRole("alertdialog").getByRole("button", { name: "Remove" }).press("Enter");
    await reads(own.locator(".empty"), "No mail accounts");
    await own.context().close();
  },
};

await check(checks, faults, page, ["a user of the demo"]);
await browser.close();
console.log(`${Object.keys(checks).length} uses of the outreach page`);
