// Takes the screenshots of the documents (docs/images) from the demo, and fails if one is too large to commit.
// Arguments: the address, the program, kith's data directory, the folder for the screenshots.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { launch, reads, signIn, visiting } from "./browser.mjs";

const [url, kith, data, folder] = process.argv.slice(2);
const most = 300_000; // bytes
mkdirSync(folder, { recursive: true });

const browser = await launch();
const { someone, faults } = visiting(browser, url);
const page = await someone({ viewport: { width: 1280, height: 720 }, colorScheme: "light" });
const sizes = [];

async function shoot(of) {
  await page.mouse.move(0, 0);
  const { length } = await page.screenshot({ path: `${folder}/${of}.png`, animations: "disabled", caret: "hide" });
  assert.ok(length < most, `${of}.png has ${length} bytes; at most ${most}`);
  sizes.push(`${of} ${Math.round(length / 1000)} kB`);
}

await signIn(page, { url, kith, data }, "demo");

await page.goto(`${url}/#${new URLSearchParams({ prompt: "product managers in London" })}`);
await page.reload();
await reads(page.locator("#state"), /\d people/);
const introduced = page.locator(".person").filter({ hasText: "Through" }).first();
await introduced.getByRole("link").click();
const detail = page.getByRole("complementary", { name: "Person", exact: true });
await detail.locator(".way").first().waitFor();
await detail.getByRole("heading", { name: "Career" }).waitFor();
await shoot("search");

const name = await introduced.getByRole("link").textContent();
await page.setViewportSize({ width: 960, height: 800 });
await page.goto(`${url}/paths#${new URLSearchParams({ whom: name })}`);
await page.locator(".way").first().waitFor();
await shoot("paths");

await page.goto(`${url}/outreach`);
await page.locator(".mails a").filter({ hasNotText: "no address" }).first().click();
await page.locator(".mail h2").waitFor();
await shoot("outreach");

assert.deepEqual(faults, []);
await browser.close();
console.log(sizes.join(", "));
