// Measures the time to the first painted person of a search, as a multiple of the API's time to the first result. It
// prints the ratio of the medians and asserts nothing about it, because both depend on the machine. Arguments: the
// address, and the number of runs of each prompt.
import assert from "node:assert/strict";
import { launch, visiting } from "./browser.mjs";

const [url, times = "7"] = process.argv.slice(2);
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

// painted returns the browser's time from Enter to the paint of the first person, in ms.
async function painted(page, prompt) {
  await page.locator("#prompt").fill(prompt);
  return page.evaluate(() => new Promise((done) => {
    let began = 0;
    new PerformanceObserver((seen, observer) => {
      observer.disconnect();
      done(seen.getEntries()[0].renderTime - began);
    }).observe({ type: "element" });
    new MutationObserver((changes, observer) => {
      const person = changes.flatMap((c) => [...c.addedNodes]).find((n) => n.matches(".person"));
      if (!person) return;
      observer.disconnect();
      person.querySelector("h2").setAttribute("elementtiming", "first");
    }).observe(document.getElementById("people"), { childList: true });
    began = performance.now();
    document.getElementById("search").requestSubmit();
  }));
}

// idle waits until the page has finished, so that it does not slow down the API.
async function idle(page) {
  await page.locator("#people[aria-busy=false]").waitFor();
  await page.locator("#values").filter({ hasText: "Counting" }).waitFor({ state: "detached" });
}

const median = (of) => [...of].sort((a, b) => a - b)[Math.floor(of.length / 2)];

const browser = await launch();
const { someone, faults } = visiting(browser, url);
const page = await someone();
let asked = {};
page.on("request", (r) => {
  const search = r.url().endsWith("/v2/people/search") && r.postDataJSON();
  if (search && search.stream) asked = search; // not the request for facets
});
await page.goto(url);
await page.locator("#go:enabled").waitFor();

const api = [];
const shown = [];
for (let i = 0; i <= Number(times); i++) {
  for (const prompt of prompts) {
    const paint = await painted(page, prompt);
    await idle(page);
    const result = await first(asked);
    if (i === 0) continue; // warm-up
    shown.push(paint);
    api.push(result);
  }
}
await browser.close();
assert.deepEqual(faults, []);
const [p, a] = [median(shown), median(api)];
console.log(`first person painted after ${(p / a).toFixed(2)} times the API's first result (${p.toFixed(0)} and ${a.toFixed(0)} ms at the median of ${api.length})`);
