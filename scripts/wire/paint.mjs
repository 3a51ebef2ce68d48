// Measures the time to the first painted person of a search, as a multiple of the API's time to the first result. It
// prints the ratio of the medians and asserts nothing about it, because both depend on the machine. Arguments: the
// address, and the number of runs of each prompt.
import assert from "node:assert/strict";
import { launch, visiting } from "./browser.mjs";

const [url, runs = "7"] = process.argv.slice(2);
const prompts = ["engineers in Germany", "designers", "founders in London", "product managers at startups"];

// first returns the API's time to its first result, in ms.
async function first(search) {
  const began = performance.now();
  const answer = await fetch(`${url}/v2/people/search`, {
    method: "POST", headers: { "Content-Type": "application/json", Authorization: "Bearer demo_token_global" },
    body: JSON.stringify(search),
  });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { value, done } = await reader.read();
    text += value || "";
    if (done || /^event: ?result$/m.test(text)) break;
  }
  const took = performance.now() - began;
  await reader.cancel();
  return took;
}

// painting returns, in the page, the time at which the first person is painted.
const painting = () => new Promise((done) => {
  new PerformanceObserver((seen, observer) => {
    observer.disconnect();
    done(seen.getEntries()[0].renderTime);
  }).observe({ type: "element" });
  new MutationObserver((changes, observer) => {
    const person = changes.flatMap((c) => [...c.addedNodes])
      .map((n) => n instanceof Element && (n.matches(".person") ? n : n.querySelector(".person"))).find(Boolean);
    if (!person) return;
    observer.disconnect();
    person.querySelector(".person-name a").setAttribute("elementtiming", "first");
  }).observe(document, { childList: true, subtree: true });
});

// painted returns the browser's time from Enter to the paint of the first person, in ms.
async function painted(page, prompt) {
  await page.locator("#prompt").fill(prompt);
  return page.evaluate(async () => {
    const painted = window.painting();
    const began = performance.now();
    document.querySelector(".search-bar").requestSubmit();
    return await painted - began;
  });
}

// opened returns the browser's time from an address that has a search, with nothing of Kith in the browser's cache, to
// the paint of the first person, in ms.
async function opened(prompt) {
  const page = await someone();
  await page.addInitScript(() => { window.painted = window.painting(); });
  await page.goto(`${url}/#${new URLSearchParams({ prompt })}`);
  const paint = await page.evaluate(() => window.painted);
  await idle(page);
  await page.context().close();
  return paint;
}

// idle waits until the page has finished, so that it does not slow down the API.
async function idle(page) {
  await page.locator(".virtual[aria-busy=false]").first().waitFor();
  await page.locator(".facets").waitFor();
}

const median = (of) => [...of].sort((a, b) => a - b)[Math.floor(of.length / 2)];

const browser = await launch();
const { someone: anyone, faults } = visiting(browser, url);

// someone opens a page that can say when it paints.
async function someone() {
  const page = await anyone();
  await page.addInitScript(`window.painting = ${painting}`);
  return page;
}

const page = await someone();
let asked = {};
page.on("request", (r) => {
  const search = r.url().endsWith("/v2/people/search") && r.postDataJSON();
  if (search && search.stream) asked = search; // not the request for facets
});
await page.goto(url);
await page.locator("#prompt").waitFor();

const times = { api: [], enter: [], address: [] };
for (let i = 0; i <= Number(runs); i++) {
  for (const prompt of prompts) {
    const enter = await painted(page, prompt);
    await idle(page);
    const api = await first(asked);
    const address = await opened(prompt);
    if (i === 0) continue; // warm-up
    for (const [name, took] of Object.entries({ api, enter, address })) times[name].push(took);
  }
}
await browser.close();
assert.deepEqual(faults, []);
const { api, enter, address } = Object.fromEntries(Object.entries(times).map(([name, took]) => [name, median(took)]));
const ratio = (ms) => `${(ms / api).toFixed(2)} times (${ms.toFixed(0)} ms)`;
console.log(`first person painted ${ratio(enter)} after Enter and ${ratio(address)} after an address `
  + `is opened, of the API's first result (${api.toFixed(0)} ms; medians of ${times.api.length})`);
