// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { Parser } from "./events";

const text = ": hello\n\nevent: result\nid: 1\ndata: {\"a\":\ndata: 1}\n\n"
  + "id: x\n\nevent:done\r\ndata\r\rdata: ü€\n\ndata: cut";
const want = [
  { event: "result", id: "1", data: "{\"a\":\n1}" },
  { event: "done", id: "", data: "" },
  { event: "message", id: "", data: "ü€" },
];

test.each([1, 2, 3, 7, 1000])("events in pieces of %i characters are the same", (size) => {
  const parser = new Parser();
  const got = [];
  for (let i = 0; i < text.length; i += size) got.push(...parser.take(text.slice(i, i + size)));
  expect(got).toEqual(want);
});
