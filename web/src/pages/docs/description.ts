import { t } from "../../text";

/** Description is the part of openapi.yaml that the page reads. */
export interface Description {
  security: Requirement[];
  servers: { url: string }[];
  components: { securitySchemes: Record<string, { in?: string }> };
  paths: Record<string, Record<string, Operation>>;
}

type Requirement = Record<string, unknown>;

interface Operation {
  operationId?: string;
  summary?: string;
  tags?: string[];
  description?: string;
  security?: Requirement[];
  "x-scope"?: string;
}

/**
 * described prepares the description for the reference: requests go to this server, each operation says which
 * credentials it takes, and the session is none to enter, because the browser sends it by itself.
 */
export function described(doc: Description, server: string): Description {
  const schemes = Object.entries(doc.components.securitySchemes).filter(([, scheme]) => scheme.in !== "cookie");
  const paths = Object.entries(doc.paths).map(([path, item]) => [path, Object.fromEntries(
    Object.entries(item).map(([method, one]) => [method, one.operationId ? withCredential(one, doc.security) : one]),
  )] as const);
  return {
    ...doc, servers: [{ url: server }], paths: Object.fromEntries(paths),
    components: { ...doc.components, securitySchemes: Object.fromEntries(schemes) },
  };
}

function withCredential(operation: Operation, usual: Requirement[]): Operation {
  const names = (operation.security ?? usual).flatMap(Object.keys);
  const credential = t.docs.credential(names, operation["x-scope"] ?? "");
  return { ...operation, description: [operation.description, credential].filter(Boolean).join("\n\n") };
}

/** found returns the ids of the operations that have all words of a search: in method, path, id, summary or tags. */
export function found({ paths }: Description, search: string): Set<string> {
  const words = search.toLowerCase().split(/\s+/);
  return new Set(Object.entries(paths).flatMap(([path, item]) => Object.entries(item).flatMap(([method, one]) => {
    const text = [method, path, one.operationId, one.summary, one.tags].join(" ").toLowerCase();
    return one.operationId && words.every((word) => text.includes(word)) ? [one.operationId] : [];
  })));
}
