// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { type Description, described, found } from "./description";

const doc: Description = {
  security: [{ bearer: [] }, { session: [] }],
  servers: [{ url: "/" }],
  components: { securitySchemes: { bearer: {}, session: { in: "cookie" }, secretKey: { in: "header" } } },
  paths: {
    "/v2/lists": { get: { operationId: "listLists", summary: "List the lists", tags: ["Lists"], "x-scope": "search" } },
    "/v2/auth/tokens": {
      post: {
        operationId: "issueToken", summary: "Issue a token", description: "Once.", security: [{ secretKey: [] }],
      },
    },
  },
};

test("operations say which credentials they take, and the browser sends the session by itself", () => {
  const { servers, components, paths } = described(doc, "https://kith.example/below");
  expect(servers).toEqual([{ url: "https://kith.example/below" }]);
  expect(Object.keys(components.securitySchemes)).toEqual(["bearer", "secretKey"]);
  expect(paths["/v2/lists"]?.["get"]?.description).toBe("Credential: a token or a browser session. Scopes: search.");
  expect(paths["/v2/auth/tokens"]?.["post"]?.description).toBe("Once.\n\nCredential: a secret key.");
});

test.each([
  ["", ["listLists", "issueToken"]],
  ["token", ["issueToken"]],
  ["POST /v2/auth", ["issueToken"]],
  ["the LISTS get", ["listLists"]],
  ["token lists", []],
])("the operations with the words of %s are found", (search, ids) => {
  expect([...found(doc, search)]).toEqual(ids);
});
