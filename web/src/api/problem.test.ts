// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { inOneLine, refusal, tell } from "./problem";

const limited = new Response(null, { status: 429, headers: { "Retry-After": "3" } });
const body = { error: {
  status: 429, code: "RATE_LIMITED", retryable: true, detail: "too many requests; wait for the time in Retry-After",
} };

test("after too many requests the reader learns when to try again, by a button", () => {
  const text = "These were many requests in a short time. Try again in 3 s.";
  expect(tell(refusal(limited, body))).toEqual({ text, fields: [], remedy: "retry" });
  expect(inOneLine(refusal(limited, body))).toBe(text);
});

test("without a session the reader is asked to sign in", () => {
  const missing = { error: { status: 401, code: "TOKEN_MISSING", detail: "the request has no token" } };
  expect(tell(refusal(new Response(null, { status: 401 }), missing)))
    .toEqual({ text: "You are not signed in.", fields: [], remedy: "sign-in" });
});
