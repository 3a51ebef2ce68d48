// Replaces answers of the API to show faults that a test cannot cause otherwise. Each is an answer that /openapi.json
// describes.
import assert from "node:assert/strict";
import addFormats from "ajv-formats";
import Ajv from "ajv/dist/2020.js";

// replacing returns replace(page, operation, answer), which replaces the next answer to an operation, named by its
// operationId. An answer is one of
// - {lost: true}: the connection is lost; {hangs: true}: no answer comes
// - {gateway: 502}: a proxy answers, because it does not reach the server
// - {status, json, headers}: the server answers, as the description says
// - {events: [[name, data, id]]}: the server sends these events of a stream, and the connection ends
export async function replacing(url) {
  const doc = await (await fetch(`${url}/openapi.json`)).json();
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(doc, "openapi");
  const conforms = (pointer, value) => {
    const valid = ajv.compile({ $ref: `openapi#${pointer}` });
    assert.ok(valid(value), `the replaced answer is not described: ${ajv.errorsText(valid.errors)} in ${JSON.stringify(value)}`);
  };

  return async function replace(page, operation, answer) {
    const { path, method, responses, at } = found(doc, operation);
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    const respond = answered(answer, { responses, at, conforms, doc });
    let left = 1;
    await page.route(({ pathname }) => pattern.test(pathname), (route) => {
      if (route.request().method() !== method.toUpperCase() || left === 0) return route.fallback();
      left--;
      return respond(route);
    });
  };
}

// found returns an operation of the description, and the JSON pointer to its answers.
function found(doc, id) {
  for (const [path, item] of Object.entries(doc.paths)) {
    for (const [method, { operationId, responses }] of Object.entries(item)) {
      if (operationId === id) return { path, method, responses, at: `/paths/${escaped(path)}/${method}/responses` };
    }
  }
  return assert.fail(`/openapi.json has no operation ${id}`);
}

const escaped = (name) => name.replaceAll("~", "~0").replaceAll("/", "~1");

// answered checks an answer, and returns the function that gives it.
function answered({ lost, hangs, gateway, status = 200, json, events, headers = {} }, { responses, at, conforms, doc }) {
  if (lost) return (route) => route.abort();
  if (hangs) return () => {};
  const mark = { ...headers, "X-Replaced": "by a test" };
  if (gateway) {
    assert.ok(!responses[gateway], `Kith itself answers ${gateway}`);
    return (route) => route.fulfill({ status: gateway, headers: mark, contentType: "text/html", body: "<html>" });
  }
  assert.ok(responses[status], `no answer ${status} is described`);
  const ref = responses[status].$ref;
  const response = ref ? ref.slice(1) : `${at}/${status}`;
  const content = (type) => `${response}/content/${escaped(type)}`;
  if (!events) {
    conforms(`${content("application/json")}/schema`, json);
    return (route) => route.fulfill({ status, headers: mark, json });
  }
  const known = Object.keys(responses[status].content["text/event-stream"]["x-events"]);
  assert.ok(doc && events.every(([name]) => known.includes(name)), `the events are ${known}`);
  for (const [name, data] of events) conforms(`${content("text/event-stream")}/x-events/${name}`, data);
  const body = events.map(([name, data, id = ""]) => `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`).join("");
  return (route) => route.fulfill({ headers: mark, contentType: "text/event-stream", body });
}
