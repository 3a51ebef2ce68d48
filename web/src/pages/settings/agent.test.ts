// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { nameOf } from "./agent";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36", "Chrome on Linux"],
  ["Mozilla/5.0 (Windows NT 10.0) Chrome/140.0.0.0 Safari/537.36 Edg/140.0", "Edge on Windows"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari on iPhone"],
  ["curl/8.0 " + "x".repeat(100), "curl/8.0 " + "x".repeat(51)],
  ["", "Unknown browser"],
])("the name of %j", (agent, name) => {
  expect(nameOf(agent)).toBe(name);
});
