import { expect, test } from "vitest";
import { presetOf, presets } from "./presets";

test.each([["Max@GMail.com", "google"], ["a@outlook.com ", "outlook"], ["a@acme.example", undefined], ["", undefined],
])("the provider of %j", (address, id) => {
  expect(presetOf(address)?.id).toBe(id);
});

test("presets have servers with encryption, and no domain twice", () => {
  for (const { host, security } of presets) {
    expect(host).toContain(".");
    expect(security).toMatch(/tls/);
  }
  const domains = presets.flatMap((one) => one.domains);
  expect(new Set(domains).size).toBe(domains.length);
});
