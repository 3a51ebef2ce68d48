// Measures how soon the first person of a search is painted, as a multiple of when the API gives its first result.
// It prints the ratio of the medians and asserts nothing: both depend on the machine. Arguments: the address, and how
// often each prompt is searched for.
import { launch, patience } from "./browser.mjs";

const [url, times = "7"] = process.argv.slice(2);
const prompts = ["engineers in Germany", "designers", "founders in London", "product managers at startups"];

// first is how long the API takes to its first result, in ms.
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

// painted is how long the page takes from Enter until the first person is on the screen, in ms, as the browser says it.
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

// idle waits until the page has everything: else it and the API would slow each other.
async function idle(page) {
  await page.locator("#people[aria-busy=false]").waitFor();
  await page.locator("#values").filter({ hasText: "Counting" }).waitFor({ state: "detached" });
}

const median = (of) => [...of].sort((a, b) => a - b)[Math.floor(of.length / 2)];

const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1000, height: 720 } });
page.setDefaultTimeout(patience);
let asked = {};
page.on("request", (r) => {
  const search = r.url().endsWith("/v2/people/search") && r.postDataJSON();
  if (search && search.stream) asked = search; // else it counts
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
    if (i === 0) continue; // the first of each warms up
    shown.push(paint);
    api.push(result);
  }
}
await browser.close();
const [p, a] = [median(shown), median(api)];
console.log(`first person painted after ${(p / a).toFixed(2)} times the API's first result (${p.toFixed(0)} and ${a.toFixed(0)} ms at the median of ${api.length})`);
