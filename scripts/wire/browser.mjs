// What the scripts that use the pages share: the browser, and how a user of the demo signs in.
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";

export const patience = 120_000; // in ms: for a machine that has much else to do

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: process.getuid() === 0 ? ["--no-sandbox"] : [],
    timeout: patience,
  });
}

// link makes a new link with which a user of the demo signs in.
export function link({ url, kith, data }, user) {
  const names = ["--app", "demo", "--user", user, "--email", `${user}@example.com`];
  return execFileSync(kith, ["login-link", "--demo", "--data", data, ...names, "--url", url], {
    encoding: "utf8", stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

export async function reads(locator, pattern) {
  await locator.filter({ hasText: pattern }).first().waitFor();
}

export async function signIn(page, server, user) {
  await page.goto(link(server, user));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${server.url}/`);
  await reads(page.locator("#who"), user);
}
