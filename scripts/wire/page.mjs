// Uses the search, import and reference pages in a browser, and checks what they show. Arguments: the address, and the
// sign-in link that the server printed.
import assert from "node:assert/strict";
import { check, launch, reads, visiting } from "./browser.mjs";
import { replacing } from "./described.mjs";
import { script } from "./files.mjs";

const [url, liveLink] = process.argv.slice(2);

const browser = await launch();
const { someone, faults } = visiting(browser, url);
const replace = await replacing(url);
const page = await someone({ viewport: { width: 375, height: 720 } });

const people = page.locator(".person");
const state = page.locator("#state");
const problem = page.locator("#problem");

async function search(prompt) {
  await page.locator("#prompt").fill(prompt);
  await page.keyboard.press("Enter");
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
  async "the keyboard searches and loads the next page"() {
    await page.goto(url);
    await page.keyboard.type("engineers in Germany");
    await page.keyboard.press("Enter");
    await reads(state, /^25 of \d+ people$/);
    await reads(page.locator("#understood"), "country: Germany");
    await page.locator("#more").focus();
    await page.keyboard.press("Enter");
    await reads(state, /^50 of \d+ people$/);
    const profiles = await people.locator("h2 a").evaluateAll((links) => links.map((a) => a.href));
    assert.equal(new Set(profiles).size, 50);
    await page.waitForFunction((href) => document.activeElement.href === href, profiles[25]);
  },
  async "scrolling to the end loads more people, until an error"() {
    await page.goto(`${url}/#prompt=designers`);
    await page.reload();
    await reads(state, /^25 of/);
    await page.mouse.move(180, 400);
    await page.mouse.wheel(0, 100_000);
    await reads(state, /^50 of/);
    const names = await people.locator("h2 a").evaluateAll((links) => links.map((a) => a.href));
    assert.deepEqual([names.length, new Set(names).size], [50, 50]);
    assert.equal(await page.locator("#more").evaluate((button) => button === document.activeElement), false);
    await replace(page, "searchPeople", { lost: true });
    await page.mouse.wheel(0, 100_000);
    await reads(problem, "cannot be reached");
    await page.mouse.wheel(0, -2000);
    await page.mouse.wheel(0, 100_000);
    await page.locator("#more").click();
    await reads(state, /^75 of/);
    await page.goto(`${url}/#prompt=engineers+in+Germany`);
    await reads(state, /^25 of/);
  },
  async "back, forward, reload and links keep the search"() {
    await search("founders in Paris");
    await reads(state, /^\d+ people$/);
    const second = await state.textContent();
    await page.goBack();
    await reads(state, /^25 of \d+ people$/);
    assert.equal(await page.locator("#prompt").inputValue(), "engineers in Germany");
    await page.goForward();
    await reads(state, second);
    await page.reload();
    await reads(state, second);
    assert.equal(await page.title(), "founders in Paris – Kith – people search");
    await page.goto(`${url}/#school=University&scope=reach`);
    await reads(state, /people$/);
    assert.ok(await page.locator("input[name=school]").isVisible());
    await people.locator(".way").first().waitFor();
    await page.goto(`${url}/#country=Germany`);
    await reads(state, /^25 of \d/);
    const all = await state.textContent();
    await page.goto(`${url}/#country=Germany&scope=reach`);
    await reads(state, /^25 of \d/);
    assert.notEqual(await state.textContent(), all);
    await page.locator("#scope").selectOption("");
    await reads(state, all);
    await page.goBack();
    await page.waitForFunction(() => document.querySelector("#scope").value === "reach");
  },
  async "a part of the interpretation can be removed"() {
    await page.goto(`${url}/#prompt=rising+😀+engineers+in+Germany&city=Berlin`);
    await page.getByRole("button", { name: "Remove city: Berlin" }).click();
    await page.waitForURL((address) => !address.hash.includes("city"));
    await page.locator("#prompt").fill("what is typed since, and not asked");
    await page.getByRole("button", { name: "Remove country: Germany" }).press("Enter");
    await reads(state, /^25 of \d/);
    assert.equal(await page.locator("#prompt").inputValue(), "rising 😀 engineers");
    await page.waitForFunction(() => document.activeElement.id === "state");
  },
  async "a part of the interpretation can be changed, and corrections are shown"() {
    const prompt = `😀 enginers, ideally in Berlin zzgl ${script}`;
    await page.goto(`${url}/#${new URLSearchParams({ prompt, company: "Nonesuch" })}`);
    const understood = page.locator("#understood");
    await reads(understood.locator(".note"), "Read as: engineers (enginers)");
    await reads(understood.locator(".note"), /Not used: .*zzgl/);
    await reads(understood.locator(".chip"), "preferably city: Berlin");
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    await page.locator("#prompt").fill("what is typed since, and not asked");
    await page.getByRole("button", { name: "Change position: enginers" }).press("Enter");
    const marked = () => page.evaluate(() => {
      const field = document.activeElement;
      return [field.name, field.value.slice(field.selectionStart, field.selectionEnd)];
    });
    assert.deepEqual(await marked(), ["prompt", "enginers"]);
    await page.getByRole("button", { name: "Change company: Nonesuch" }).click();
    assert.deepEqual(await marked(), ["company", "Nonesuch"]);
    await page.keyboard.type("Acme");
    await page.keyboard.press("Enter");
    await page.waitForURL((address) => address.hash.endsWith("company=Acme"));
  },
  async "without matches, the page offers fewer conditions"() {
    await page.goto(`${url}/#prompt=sommeliers+in+Paris`);
    const wider = page.getByRole("group", { name: "Search without a condition" }).getByRole("button");
    await reads(wider, /^without sommeliers: [\d,]+ or more$/);
    await wider.filter({ hasText: /^without Paris: [\d,]+$/ }).press("Enter");
    await page.waitForURL((address) => address.hash === "#prompt=sommeliers");
    await page.waitForFunction(() => document.activeElement.id === "state");
    await search("sommeliers in Paris at Nonesuch Nowhere");
    await reads(state, "No one here works at Nonesuch Nowhere.");
  },
  async "another reading is searched by its filters, even if the form lacks them"() {
    await page.goto(`${url}/#prompt=VP+data+in+Berlin`);
    await page.reload();
    await reads(state, /people|matches/);
    const others = page.getByRole("group", { name: "Other readings" }).getByRole("button");
    await others.filter({ hasText: "position: data" }).press("Enter");
    await page.waitForURL((address) => address.hash.includes("position=data"));
    assert.equal(await page.locator("#prompt").inputValue(), "");
    await page.waitForFunction(() => document.activeElement.id === "state");
    await page.goto(`${url}/#prompt=florists+in+Berlin`);
    await others.filter({ hasText: "state: Berlin" }).click();
    await page.waitForURL((address) => address.hash.includes("state=Berlin"));
    await reads(state, /people$|matches/);
    await page.reload();
    await reads(state, /people$|matches/);
    assert.equal(await page.getByRole("textbox", { name: "State" }).inputValue(), "Berlin");
    await page.getByRole("button", { name: "Remove state" }).click();
    await reads(state, /people$/);
    await page.goto(`${url}/#prompt=contacts+in+Berlin`); // the form cannot ask for the first degree alone
    await page.reload();
    await reads(state, /people$|person$/);
    assert.equal(await others.count(), 0);
    await page.goto(`${url}/#submit=1&requestSubmit=2&nosuchfilter=3`);
    await page.reload();
    await reads(problem, "nosuchfilter");
    assert.equal(await page.locator("#search [name=submit], #search [name=requestSubmit]").count(), 0);
    await page.goto(url);
  },
  async "the page shows how many matches are within reach, and by which way"() {
    await page.goto(`${url}/#country=Spain`);
    await page.reload();
    await reads(state, /^25 of .* people$/);
    const within = page.locator("#within");
    const [, reached, all] = (await within.textContent()).match(/^([\d,]+) of ([\d,]+) within reach$/);
    assert.equal(await state.textContent(), `25 of ${all} people`);
    await page.locator("#scope").selectOption("reach");
    await reads(state, `25 of ${reached} people`);
    await reads(within, `${reached} of ${all} within reach`);
    await reads(people.locator(".way"), /^1st degree You know each other$/);
    await reads(people.locator(".way"), /^2nd degree Through .+, .+ or \d+ more$/);
    await page.goto(`${url}/#city=-Atlantis`);
    await reads(within, /^about [\d,]+ of more than 10,000 within reach$/);
    await page.goto(`${url}/#prompt=people+I+know+in+Germany`);
    await reads(state, /people$/);
    assert.equal(await within.textContent(), "");
  },
  async "facets narrow down the results"() {
    await page.goto(`${url}/#prompt=engineers+in+Germany`);
    await page.locator("#narrow summary").click();
    const first = page.getByRole("group", { name: "city", exact: true }).getByRole("button").first();
    const [, city, count] = (await first.textContent()).match(/^(.*) (\d+)$/);
    await first.press("Enter");
    await reads(state, new RegExp(`^(25 of )?${count} people$`));
    assert.equal(await page.locator("input[name=city]").inputValue(), city);
    await page.waitForFunction(() => document.activeElement.id === "state");
    const { metadata } = await ask({ filters: { company: '"Co., Ltd."' }, limit: 1, facets: ["company"] });
    const { value } = metadata.facets.company.find((of) => of.value.includes(","));
    await page.goto(`${url}/#${new URLSearchParams({ company: '"Co., Ltd."' })}`);
    await reads(state, /people$/);
    await page.locator("#narrow summary").click();
    await page.getByRole("group", { name: "company", exact: true }).getByRole("button", { name: value }).click();
    await page.waitForURL((address) => new URLSearchParams(address.hash.slice(1)).get("company") === `"${value}"`);
    await reads(state, /people$|person$/);
  },
  async "a phone shows only the fields in use"() {
    await page.goto(`${url}/#city=Berlin`);
    await reads(state, /people$/);
    const shown = () => page.locator(".filters input:visible").evaluateAll((fields) => fields.map((f) => f.name));
    assert.deepEqual(await shown(), ["city"]);
    await page.locator("input[name=city]").fill("");
    assert.deepEqual(await shown(), ["city"]);
    await page.locator("#further summary").click();
    assert.equal((await shown()).length, 12);
    await page.locator("#further summary").click();
    assert.deepEqual(await shown(), []);
  },
  async "an excluded value is not named by the words of the prompt"() {
    await page.goto(`${url}/#prompt=mid-level+engineers`);
    await reads(page.locator(".chip"), "not seniority: intern, entry, senior, manager");
  },
  async "a long prompt is shown and sent whole"() {
    await page.locator("#prompt").fill("");
    await page.locator("#prompt").focus();
    await page.keyboard.insertText(`designers\n${"in London or ".repeat(80)}`);
    assert.equal(await page.locator("#prompt").evaluate((field) => field.scrollHeight > 100 && field.value.includes("\n")), true);
    await page.keyboard.press("Enter");
    await reads(problem, "at most 1000 characters");
  },
  async "text typed while the page loads is kept"() {
    const slow = await someone();
    let arrive;
    const typed = new Promise((done) => { arrive = done; });
    await slow.route("**/page.js", async (route) => {
      await typed;
      await route.continue();
    });
    await slow.goto(url, { waitUntil: "commit" });
    await slow.locator("#prompt").fill("designers");
    await slow.locator("input[name=city]").fill("Berlin");
    await slow.keyboard.press("Enter");
    arrive();
    await slow.locator("#go").click();
    await reads(slow.locator("#state"), /people$/);
    assert.equal(slow.url(), `${url}/#prompt=designers&city=Berlin`);
    await slow.context().close();
  },
  async "an empty form clears the results"() {
    await page.goto(`${url}/#prompt=founders`);
    await reads(state, /people$/);
    await search("");
    await reads(state, /^Type who/);
    assert.equal(await people.count(), 0);
    assert.equal(await page.locator("#prompt").evaluate((field) => field === document.activeElement), true);
    await page.goBack();
    await reads(state, /people$/);
    assert.equal(await page.locator("#prompt").inputValue(), "founders");
    await page.goto(`${url}/#country=Germany&scope=reach`);
    await reads(state, /^25 of \d/);
  },
  async "details show the career and the ways in"() {
    await people.getByRole("button", { name: "Details" }).first().click();
    const drawer = page.locator("#drawer");
    await drawer.getByRole("heading", { name: "Ways in" }).waitFor();
    await drawer.getByRole("heading", { name: "Career" }).waitFor();
    await drawer.getByRole("button", { name: "Close" }).click();
  },
  async "the page reports no matches, refused searches and lost connections"() {
    await page.goto(`${url}/#city=Atlantis`);
    await reads(state, "No one matches");
    await page.goto(`${url}/#city=Atlantis&scope=reach`);
    await reads(state, "No one in your network matches");
    assert.equal(await page.title(), "Atlantis – Kith – people search");
    await page.goto(`${url}/#companySize=tiny&seniority=god`);
    await reads(problem, "company size:");
    await reads(problem, "seniority:");
    assert.deepEqual(await page.locator("[aria-invalid]").evaluateAll((fields) => fields.map((f) => f.name)), ["seniority", "companySize"]);
    await replace(page, "searchPeople", { gateway: 502 });
    await search("founders");
    await reads(problem, "502");
    const busy = { type: "service_unavailable_error", title: "The service is unavailable", status: 503, retryable: true,
      detail: "too many searches wait", code: "SERVER_BUSY", errors: [] };
    await replace(page, "searchPeople", { status: 503, headers: { "Retry-After": "7" },
      json: { error: busy, metadata: { request_id: "req_01KD8J6Z7Q3V5N9W2X4Y6A8BCD" } } });
    await search("founders");
    await reads(problem, "too many searches wait");
    await reads(problem, "Try again in 7 s.");
    await replace(page, "searchPeople", { lost: true });
    await search("founders");
    await reads(problem, "cannot be reached");
  },
  async "a cut stream resumes after its last person"() {
    await page.goto(`${url}/#prompt=designers`);
    await page.reload();
    await reads(state, /^25 of/);
    const [first, second] = await people.locator("h2").allTextContents();
    const { data, metadata, pagination } = await ask({ prompt: "designers", limit: 1 });
    await replace(page, "searchPeople", { events: [["metadata", metadata],
      ["result", { index: 0, person: data[0] }, pagination.cursor]] });
    await search("designers");
    await reads(problem, "cut off");
    assert.deepEqual(await people.locator("h2").allTextContents(), [first]);
    await page.locator("#more").click();
    await page.waitForFunction(() => document.querySelectorAll(".person").length > 1);
    assert.equal((await people.locator("h2").allTextContents())[1], second);
    assert.equal(await problem.isVisible(), false);
  },
  async "after an error the next page can be requested again, at the same position"() {
    await page.goto(`${url}/#prompt=designers`);
    await page.reload();
    await reads(state, /^25 of/);
    await replace(page, "searchPeople", { lost: true });
    await page.locator("#more").press("Enter");
    await reads(problem, "cannot be reached");
    await page.waitForFunction(() => document.activeElement.id === "more");
    const [last, fault] = [await people.last().boundingBox(), await problem.boundingBox()];
    assert.ok(fault.y > last.y && fault.y < 720, `the error is at ${fault.y}, the last person at ${last.y}`);
    await page.keyboard.press("Enter");
    await reads(state, /^50 of/);
  },
  async "print is dark on light"() {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), "rgb(27, 36, 35)");
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "light");
    await page.emulateMedia({ media: null, colorScheme: null });
  },
  async "links work without local storage"() {
    const strict = await someone();
    await strict.addInitScript(() => Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } }));
    await strict.goto(`${url}/#prompt=founders`);
    await reads(strict.locator("#state"), /^25 of/);
    await strict.context().close();
  },
  async "an ended session is reported, and a reload shows the demo"() {
    await page.evaluate(() => localStorage.setItem("signed-in", "yes"));
    await page.context().clearCookies();
    await page.goto("about:blank");
    await page.goto(`${url}/#prompt=founders`);
    await reads(problem, "You are not signed in.");
    assert.equal(await people.count(), 0);
    await page.reload();
    await reads(state, /^25 of/);
    await reads(page.locator("#who"), "Demo: sign in");
  },
  async "the printed link leads to the demo, from there to one's own data, and back"() {
    await page.goto(liveLink);
    await page.getByRole("button", { name: "Sign in" }).click();
    await reads(page.locator("#who"), /^demo$/);
    await search("founders in London");
    await people.first().waitFor();
    await page.getByRole("button", { name: "Use your own" }).click();
    await page.waitForURL(`${url}/import`);
    await reads(page.locator("#who"), /^me$/);
    await page.goto(`${url}/#prompt=founders+in+London`);
    await reads(state, "No one matches.");
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
    await page.locator("#files").setInputFiles({ name: "contacts.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await reads(state, /^2 people\. Nothing is stored yet/);
    await reads(page.locator("#found"), /contacts\.csv.*3 rows.*5 of 5 columns used.*1 left out: it has no name \(line 4\).*Jane Placeholder · CTO at Acme/s);
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375);
    await page.getByRole("button", { name: "Import" }).press("Enter");
    await reads(state, /^Done: 2 people \(you know 2\)/);
    await reads(page.locator("#imports"), /contacts\.csv.*2 people/s);
    await page.goto(`${url}/#prompt=Placeholder+at+Acme`);
    await reads(people, "Jane Placeholder");
    await page.goto(`${url}/import`);
    await page.getByRole("button", { name: "Undo" }).click();
    const asked = page.getByRole("alertdialog");
    await reads(asked, /Undo the import of contacts\.csv\?.*added 2 people, 2 relationships\./s);
    await asked.getByRole("button", { name: "Undo the import" }).click();
    await reads(state, /^Undone/);
    assert.ok(!(await page.locator("#past").isVisible()));
  },
  async "files can be dropped, and problems are reported"() {
    await page.locator("#drop").evaluate((zone) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["id,colour\n1,red\n"], "nothing.csv", { type: "text/csv" }));
      zone.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    });
    await reads(problem, /nothing\.csv: unknown columns: id, colour/);
    assert.ok(!(await page.getByRole("button", { name: "Import" }).isVisible()));
    await page.getByText("Map columns yourself").click();
    await page.locator("#map").fill("person: {full_name: colour}");
    await page.locator("#map").blur();
    await reads(state, /^1 person/);
    await page.locator("#map").fill("");
    await page.goto(`${url}/sign-in`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await reads(state, "You are signed out.");
    await page.goto(`${url}/import`);
    await page.locator("#files").setInputFiles({ name: "contacts.vcf", mimeType: "text/vcard", buffer: Buffer.from("BEGIN:VCARD\nVERSION:3.0\nFN:Jane Doe\nEMAIL:jane@acme.example\nEND:VCARD\n") });
    await reads(state, /^1 person/); // visitors of the demo can see a preview
    await page.getByRole("button", { name: "Import" }).click();
    await reads(problem, "the demo is shared");
    await replace(page, "createImport", { lost: true });
    await page.locator("#files").setInputFiles({ name: "other.vcf", mimeType: "text/vcard", buffer: Buffer.from("BEGIN:VCARD\n") });
    await reads(problem, "cannot be reached");
  },
  async "an error of a script is not taken for one of the network"() {
    await page.goto(`${url}/people`);
    await page.evaluate(async () => {
      const { attempt } = await import("/assets/problem.js");
      await attempt(() => { throw new TypeError("caught"); });
    });
    await reads(problem, "This page has a fault (caught).");
    await page.evaluate(() => { setTimeout(() => { throw new TypeError("not caught"); }); });
    await reads(problem, "This page has a fault (not caught).");
    await page.evaluate(() => { Promise.reject(new TypeError("not handled")); });
    await reads(problem, "This page has a fault (not handled).");
    const seen = faults.splice(0);
    for (const one of [/^console: TypeError: caught/, /^error: not caught$/, /^error: not handled$/]) {
      assert.ok(seen.some((fault) => one.test(fault)), `${one} is not among ${seen}`);
    }
    await replace(page, "listLists", { lost: true });
    await page.reload();
    await reads(problem, "cannot be reached");
  },
  async "the reference has every operation"() {
    const { paths, components } = await (await fetch(`${url}/openapi.json`)).json();
    await page.goto(`${url}/docs#schema-Person`);
    await page.locator(".schema").last().waitFor();
    const operations = Object.values(paths).flatMap((item) => Object.values(item)).filter((o) => o.operationId);
    assert.equal(await page.locator(".operation").count(), operations.length);
    assert.equal(await page.locator(".schema").count(), Object.keys(components.schemas).length);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375);
    assert.ok(await page.locator("#schema-Person").evaluate((schema) => schema.matches(":target") && schema.getBoundingClientRect().top < 720));
    const named = await page.locator(".contents a, .operation h3 a").evaluateAll((links) => links.map((a) => document.getElementById(a.hash.slice(1))?.id));
    assert.equal(new Set(named).size, operations.length + 1); // and the schemas
    await reads(page.locator("#listLeads table").first(), /limit.*1 to 100.*status.*one of active, not_started/s);
  },
};

await check(checks, faults, page);
await browser.close();
console.log(`${Object.keys(checks).length} uses of the pages`);
