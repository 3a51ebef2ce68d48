// Signs in and searches in the browser, by keyboard and by mouse, at the sizes of a laptop and of a phone, and loses the
// server in the middle. Arguments: the address, the program, kith's data directory.
import assert from "node:assert/strict";
import { check, launch, link, reads, signIn, visiting } from "./browser.mjs";
import { losing } from "./losing.mjs";

const [real, kith, data] = process.argv.slice(2);
const proxy = await losing(real);
const { url } = proxy;
const server = { url, kith, data };

const browser = await launch();
const { someone, hurdles, faults } = visiting(browser, url);
const page = await someone({ viewport: { width: 1280, height: 800 } });
const people = page.locator(".person");
const state = page.locator("#state");
const failed = page.locator(".failed");
const detail = page.getByRole("complementary", { name: "Person", exact: true });
const dialog = page.getByRole("dialog");
const notice = page.locator(".notice");

// search asks in the address, and waits for the answer.
async function search(given) {
  await page.goto("about:blank");
  await page.goto(`${url}/#${new URLSearchParams(given)}`);
  await reads(state, /\d (people|person)( |$)/);
  await page.locator(".virtual[aria-busy=false]").first().waitFor();
}

const names = () => page.locator(".person-name a").allTextContents();
const focused = () => page.evaluate(() => document.activeElement.textContent);
const address = () => new URLSearchParams(new URL(page.url()).hash.slice(1));

// api calls the API as the page does.
function api(method, path, body) {
  return page.evaluate(async ([m, p, b]) => {
    const headers = b && { "Content-Type": "application/json" };
    return (await fetch(p, { method: m, headers, body: b && JSON.stringify(b) })).json();
  }, [method, path, body]);
}

const checks = {
  async "a link signs in once, and only through its button"() {
    const secret = link(server, "jane");
    await page.goto(secret);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
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
    await reads(thief.locator(".failed"), "was used already");
    await hurdles(thief, "sign-in");
    await thief.context().close();
  },
  async "Enter, down and Enter open a person, who has an address"() {
    await page.goto(url);
    await page.locator("#prompt").waitFor();
    await hurdles(page, "start");
    await page.keyboard.type("engineers in Germany");
    await page.keyboard.press("Enter");
    await reads(state, /^25 of .* people · .* within reach$/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const [first, second] = await names();
    await reads(detail.getByRole("heading", { level: 2 }), first);
    for (const name of ["Who can introduce you", "Why this person", "Career", "Education", "Skills"]) {
      await detail.getByRole("heading", { name, exact: true }).waitFor();
    }
    await page.keyboard.press("j");
    await reads(detail.getByRole("heading", { level: 2 }), second);
    assert.equal(await focused(), second);
    const person = address().get("person");
    await hurdles(page, "person");
    await page.reload();
    await reads(detail.getByRole("heading", { level: 2 }), second);
    await reads(state, /^25 of/); // before that, Escape stops the search
    await page.keyboard.press("Escape");
    await detail.waitFor({ state: "detached" });
    assert.equal(address().get("person"), null);
    await page.goto(`${url}/#person=${person}`);
    await reads(detail.getByRole("heading", { level: 2 }), second);
    await page.goBack();
    await reads(state, /^25 of/);
  },
  async "a laptop shows ten people, a phone four"() {
    const seen = () => people.evaluateAll((rows) => rows.filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    }).length);
    await search({ prompt: "engineers in Germany" });
    assert.ok(await seen() >= 10, `${await seen()} people at 1280 x 800`);
    await hurdles(page, "search");
    await page.setViewportSize({ width: 390, height: 844 });
    await search({ prompt: "engineers in Germany" });
    assert.ok(await seen() >= 4, `${await seen()} people at 390 x 844`);
    await people.nth(1).getByRole("link").click();
    await detail.getByRole("button", { name: "Back" }).click();
    await people.first().waitFor();
    await page.getByRole("button", { name: "Narrow down" }).click();
    await dialog.getByRole("checkbox").first().click(); // which closes the dialog
    await page.waitForURL((to) => to.hash.includes("city="));
    await page.setViewportSize({ width: 1280, height: 800 });
  },
  async "scrolling to the end loads more people, and each only once"() {
    await search({ prompt: "engineers in Germany" });
    for (const n of [50, 75]) {
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await reads(state, new RegExp(`^${n} of`));
    }
    assert.ok(await people.count() < 50, "rows out of view are rendered");
  },
  async "parts of the interpretation are removed, changed and added"() {
    await search({ prompt: "designers in Berlin" });
    await page.getByRole("button", { name: "Change city: Berlin" }).click();
    await page.getByRole("combobox", { name: "Value" }).fill("Munich");
    await page.keyboard.press("Enter");
    await page.waitForURL((to) => to.hash.includes("city=Munich"));
    assert.equal(address().get("prompt"), "designers");
    await reads(people, "Munich");
    await page.getByRole("button", { name: "Filter", exact: true }).press("Enter");
    await page.getByRole("combobox", { name: "Filter" }).selectOption("seniority");
    await page.getByRole("combobox", { name: "Value" }).fill("senior");
    await hurdles(page, "editor");
    await page.keyboard.press("Enter");
    await page.waitForURL((to) => to.hash.includes("seniority=senior"));
    await page.getByRole("button", { name: "Remove level: senior" }).click();
    await page.waitForURL((to) => !to.hash.includes("seniority"));
    await page.goBack();
    await page.waitForURL((to) => to.hash.includes("seniority=senior"));
  },
  async "a filter is typed while people arrive"() {
    await search({ prompt: "engineers in Germany" });
    await page.getByRole("button", { name: "Filter", exact: true }).press("Enter");
    await page.getByRole("combobox", { name: "Filter" }).selectOption("seniority");
    await page.getByRole("combobox", { name: "Value" }).fill("senior");
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await reads(state, /^50 of/);
    await page.keyboard.press("Enter"); // the field still has the focus
    await page.waitForURL((to) => to.hash.includes("seniority=senior"));
  },
  async "values are checked one by one"() {
    await search({ prompt: "engineers in Germany" });
    const city = page.getByRole("group", { name: "City" }).getByRole("checkbox");
    await city.first().check();
    await page.waitForURL((to) => to.hash.includes("city="));
    await reads(page.locator(".chips"), "city: ");
    await city.nth(1).check();
    await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("city")?.includes(","));
    await city.first().uncheck();
    await page.waitForFunction(() => !new URLSearchParams(location.hash.slice(1)).get("city")?.includes(","));
  },
  async "without matches there is a next step"() {
    await search({ prompt: "florists in Nairobi who worked at Google" }).catch(() => undefined);
    await page.getByRole("group", { name: "Give up a condition" }).getByRole("button").first().click();
    await reads(state, /\d (people|person)/);
  },
  async "for a company that no one works at, similar names are offered"() {
    await page.goto("about:blank");
    await page.goto(`${url}/#${new URLSearchParams({ prompt: "designers", company: "Googel" })}`);
    await reads(state, "No one here works at Googel.");
    const similar = page.getByRole("group", { name: "Similar names" }).getByRole("button", { name: "Google", exact: true });
    await similar.waitFor();
    await hurdles(page, "nobody");
    await similar.press("Enter");
    await page.waitForURL((to) => to.hash.includes("company=Google"));
    await reads(state, /^\d+ (of .* )?people/);
  },
  async "a prompt is completed during typing, by keyboard"() {
    await page.goto("about:blank");
    await page.goto(url);
    await page.locator("#prompt:focus").waitFor();
    await page.keyboard.type("engineers in Berl");
    const first = page.getByRole("listbox", { name: "Completions" }).getByRole("option").first();
    await reads(first, /Berlin/);
    await hurdles(page, "completions");
    const text = await first.textContent();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#prompt").inputValue(), `${text} `);
    await page.keyboard.press("Enter");
    await reads(state, /people/);
    assert.equal(await first.count(), 0);
  },
  async "several people are added to a list by keyboard, and taken back"() {
    await search({ prompt: "engineers in Germany" });
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    const bar = page.getByRole("group", { name: "Selected people" });
    await reads(bar, "2 selected");
    await hurdles(page, "selected");
    await bar.getByRole("button", { name: "Add to list" }).press("Enter");
    await dialog.getByLabel("List").waitFor();
    await dialog.getByLabel("List").selectOption({ label: "New list…" });
    await dialog.getByLabel("Name").fill("Two");
    await hurdles(page, "add-to-list");
    await page.keyboard.press("Enter");
    await reads(notice, "2 people added to Two.");
    const count = async () => (await api("GET", "v2/lists")).data.find((one) => one.name === "Two").people;
    assert.equal(await count(), 2);
    await notice.getByRole("button", { name: "Undo" }).click();
    await notice.waitFor({ state: "detached" });
    await page.waitForFunction(async () => (await (await fetch("v2/lists")).json()).data
      .find((one) => one.name === "Two").people === 0);
  },
  async "a list is searched"() {
    const { data: [{ id, name }] } = await api("GET", "v2/lists");
    const { data: [first] } = await api("POST", "v2/people/search", { prompt: "designers", limit: 1 });
    await api("POST", `v2/lists/${id}/people`, { people: [first.id] });
    await search({ scope: `list:${id}` });
    await page.waitForFunction((want) => document.getElementById("scope").selectedOptions[0].text === want, `List: ${name}`);
    assert.deepEqual(await names(), [first.full_name]);
  },
  async "a person is added to a sequence, by mouse"() {
    await search({ prompt: "engineers in Germany" });
    await people.first().getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Add to sequence" }).click();
    await dialog.getByLabel("Sequence").selectOption({ label: "New sequence…" });
    await dialog.getByLabel("Name").fill("Hello");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await reads(notice, /added to Hello\.|Not added: /);
  },
  async "an introduction is drafted"() {
    await signIn(page, server, "demo");
    await search({ prompt: "friends of friends in Germany" });
    await people.filter({ hasText: "Through" }).first().getByRole("button", { name: "Ask", exact: true }).click();
    const message = dialog.getByLabel("Message");
    await message.waitFor();
    assert.match(await message.inputValue(), /^Hi \S+,\n\nI would like to get to know /);
    await message.fill("Please & thank you?");
    const mail = new URL(await dialog.getByRole("link", { name: "Open in your mail program" }).getAttribute("href"));
    assert.deepEqual([mail.protocol, mail.searchParams.get("body")], ["mailto:", "Please & thank you?"]);
    await hurdles(page, "introduction");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  },
  async "a search is saved, and found again at the start"() {
    await search({ prompt: "founders in London", scope: "global" });
    await page.getByRole("button", { name: "Save search" }).press("Enter");
    assert.equal(await dialog.getByLabel("Name of the search").inputValue(), "founders in London");
    await hurdles(page, "save-search");
    await page.keyboard.type("Founders nearby");
    await page.keyboard.press("Enter");
    await reads(notice, "Saved as Founders nearby.");
    await page.getByRole("button", { name: "Clear the search" }).click();
    await page.getByRole("link", { name: "Founders nearby" }).click();
    await reads(state, /people/);
    assert.deepEqual([address().get("prompt"), address().get("scope")], ["founders in London", "global"]);
  },
  async "a server lost in the middle is waited for, and the rest comes once"() {
    await search({ prompt: "designers" });
    const all = await names();
    proxy.hold(3);
    await page.locator("#prompt").press("Enter");
    await page.waitForFunction(() => document.querySelectorAll(".person").length === 3);
    proxy.cut();
    await reads(state, /^25 of/);
    assert.deepEqual(await names(), all);
    assert.equal(await failed.count(), 0);
  },
  async "a server that does not come back is said to be lost, and found by a button"() {
    proxy.lose();
    await page.locator("#prompt").fill("product managers");
    await page.keyboard.press("Enter");
    await reads(failed, "The server cannot be reached");
    await hurdles(page, "lost");
    proxy.find();
    await failed.getByRole("button", { name: "Try again" }).click();
    await reads(state, /^25 of/);
    assert.equal(await failed.count(), 0);
  },
  async "Esc stops a search"() {
    proxy.hold(0);
    await page.locator("#prompt").fill("founders");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await page.keyboard.press("Escape");
    await reads(state, "Stopped.");
    proxy.release();
  },
  async "the palette finds a person, and keys are listed"() {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("jane");
    await reads(page.getByRole("option"), "Jane");
    await hurdles(page, "palette");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("?");
    await dialog.getByText("next and previous person").waitFor();
    await hurdles(page, "keys");
    await page.keyboard.press("Escape");
  },
  async "an error of a script is not taken for one of the network"() {
    await page.evaluate(() => { setTimeout(() => { throw new TypeError("not caught"); }); });
    await reads(notice, "This page has a fault (not caught).");
    await page.evaluate(() => { Promise.reject(new TypeError("not handled")); });
    await reads(notice, "This page has a fault (not handled).");
    const seen = faults.splice(0);
    for (const one of [/^error: not caught$/, /^error: not handled$/]) assert.ok(seen.some((fault) => one.test(fault)), `${seen}`);
  },
  async "an empty account is asked for its network"() {
    await signIn(page, { ...server, home: true }, "empty");
    await reads(page.locator(".start"), "Bring your network");
    await hurdles(page, "first-run");
    await page.getByLabel("Choose or drop files").setInputFiles({ name: "contacts.csv", mimeType: "text/csv",
      buffer: Buffer.from("Name,E-mail\nMax Moe,max@acme.example\n") });
    await page.waitForURL(`${url}/import`);
    await page.getByRole("heading", { name: "1 person", exact: true }).waitFor();
  },
  async "print is dark on light"() {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), "rgb(23, 32, 31)");
    await page.emulateMedia({ media: null, colorScheme: null });
  },
  async "German is complete"() {
    const german = await someone({ locale: "de-DE" });
    await german.goto(`${url}/#prompt=founders`);
    await reads(german.locator("#state"), /Personen/);
    await hurdles(german, "german");
    await german.context().close();
  },
};

await check(checks, faults, page, ["a link signs in"]);
await browser.close();
proxy.close();
console.log(`${Object.keys(checks).length} uses of the search`);
