// Shared by the scripts that use the pages: the browser, sign-in, the check for barriers, and the runner of checks.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

export const patience = 120_000; // in ms: for a busy machine

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: process.getuid() === 0 ? ["--no-sandbox"] : [],
    timeout: patience,
  });
}

// link creates a sign-in link for a user of the demo or of the app home; further are flags.
export function link({ url, kith, data, home }, user, ...further) {
  const app = home ? ["--app", "home"] : ["--demo", "--app", "demo"];
  const names = ["--user", user, "--email", `${user}@example.com`, ...further];
  return execFileSync(kith, ["login-link", ...app, "--data", data, ...names, "--url", url], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

export async function reads(locator, pattern) {
  await locator.filter({ hasText: pattern }).first().waitFor();
}

export async function signIn(page, server, user, ...further) {
  await page.goto(link(server, user, ...further));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${server.url}/`);
  await reads(page.locator("#who"), user);
}

// looking chooses files on the import page, and waits until it says what they contain.
export async function looking(page, files) {
  await page.getByLabel("Drop files here").setInputFiles(files);
  await page.getByText("Nothing is stored yet.").waitFor();
}

// storing imports what is looked at, by keyboard, and waits for what it brought.
export async function storing(page) {
  await page.getByRole("button", { name: "Import", exact: true }).press("Enter");
  await page.getByRole("heading", { name: /\(you know [\d,]+\)$/ }).waitFor();
}

// importing imports a file as the signed-in user, on the import page.
export async function importing(page, url, file) {
  await page.goto(`${url}/import`);
  await looking(page, file);
  await storing(page);
}

// visiting opens browser contexts for users, and records what is always wrong: errors of scripts, 500s and foreign
// requests.
export function visiting(browser, url) {
  const faults = [];
  return {
    faults,
    hurdles,
    // someone opens a page in a browser context of its own.
    async someone(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1000, height: 720 }, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(patience);
      page.on("pageerror", (err) => faults.push(`error: ${err.message}`)); // also if a promise has no handler
      page.on("console", (m) => m.type() === "error" && !/^Failed to load resource/.test(m.text())
        && faults.push(`console: ${m.text()}`));
      page.on("response", (r) => r.status() >= 500 && faults.push(`${r.status()} ${r.url()}`));
      page.on("request", (r) => /^(blob|data):/.test(r.url()) || new URL(r.url()).origin === url
        || faults.push(`asks ${r.url()}`));
      return page;
    },
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = process.env.KITH_SHOTS;

// hurdles fails if axe finds barriers on a page, in both sizes and colour schemes.
async function hurdles(page, name) {
  const was = page.viewportSize();
  for (const [width, height] of [[375, 720], [1000, 720]]) {
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.evaluate(axe); // through the debugger, because the pages' CSP blocks foreign scripts
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const told = violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", ")}`);
      assert.deepEqual(told, [], `${name}, ${width} px wide, ${colorScheme}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${name} is ${wide} px too wide at ${width}`);
      if (shots) {
        mkdirSync(shots, { recursive: true });
        await page.screenshot({ path: `${shots}/${name}-${width}-${colorScheme}.png` });
      }
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(was);
}

// check runs checks in order, and fails at the first error or fault. If ONLY is set, it runs only checks whose names
// contain it or begin with one of always.
export async function check(checks, faults, page, always = []) {
  const only = process.env.ONLY;
  for (const [name, run] of Object.entries(checks)) {
    if (only && !name.includes(only) && !always.some((one) => name.startsWith(one))) continue;
    try {
      await run();
      assert.deepEqual(faults, []);
    } catch (err) {
      const says = await page.locator("[role=status], [role=alert]").allTextContents();
      console.log(`${name}: the page says ${JSON.stringify([page.url(), says, faults])}`);
      throw err;
    }
  }
}
