// Measures how smoothly a long list of people scrolls: it loads many people, scrolls through them for some seconds, and
// prints the frames a second. It asserts that the page renders only the rows in view, and nothing of the time, which
// depends on the machine. Arguments: the address of a demo, and the number of people.
import assert from "node:assert/strict";
import { launch, visiting } from "./browser.mjs";

const [url, wanted = "10000"] = process.argv.slice(2);
const seconds = 5;

const browser = await launch();
const { someone, faults } = visiting(browser, url);
const page = await someone({ viewport: { width: 1280, height: 800 } });
await page.goto(`${url}/#${new URLSearchParams({ prompt: "people in Europe" })}`);
await page.locator(".person").first().waitFor();

// shown is the number of people that the page has.
const shown = async () => Number((await page.locator("#state").textContent()).replaceAll(/[,.]/g, "").match(/^\d+/)?.[0]);

for (let before = -1; await shown() < Number(wanted);) {
  const now = await shown();
  assert.ok(now >= before);
  before = now;
  await page.evaluate(() => { window.scrollTo(0, document.body.scrollHeight); });
  await page.waitForFunction((n) => {
    const text = document.getElementById("state").textContent.replaceAll(/[,.]/g, "");
    return Number(text.match(/^\d+/)?.[0]) > n;
  }, now);
}

// frames scrolls back and forth through the list, some rows each frame, and returns the times of the frames.
const frames = await page.evaluate((ms) => new Promise((done) => {
  const times = [];
  const end = document.body.scrollHeight - window.innerHeight;
  let at = 0, step = 180;
  const next = (time) => {
    times.push(time);
    if (time - times[0] > ms) return done(times);
    if (at + step > end || at + step < 0) step = -step;
    at += step;
    window.scrollTo(0, at);
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}), seconds * 1000);
const rows = await page.locator(".person").count();
const people = await shown();
await browser.close();
assert.deepEqual(faults, []);
assert.ok(rows < 100, `${rows} rows are rendered`);
const gaps = frames.slice(1).map((time, i) => time - frames[i]);
const late = gaps.filter((gap) => gap > 25).length;
console.log(`${people} people: ${(gaps.length / seconds).toFixed(1)} frames a second while scrolling, `
  + `${(100 * late / gaps.length).toFixed(1)} % later than 25 ms, ${rows} rows rendered`);
