import type { Node, Plugin, UI, Wrapper } from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { type Description, found } from "./description";

/**
 * show shows the operations and schemas of a description. What surrounds them in Swagger UI is the page's own. Swagger
 * UI is a file of its own, whose name does not change with this page.
 */
export async function show(domNode: HTMLElement, spec: Description): Promise<UI> {
  const { default: SwaggerUI } = await import("swagger-ui-dist/swagger-ui-es-bundle.js");
  return SwaggerUI({
    domNode, spec, layout: "Reference", defaultModelsExpandDepth: 0, displayRequestDuration: true,
    syntaxHighlight: false, validatorUrl: null, plugins: [ours(spec)],
  });
}

/** ours replaces the layout, finds operations by any of their words, and names controls for screen readers. */
const ours = (spec: Description): Plugin => ({ React: { createElement } }) => {
  const named = (name: string): Wrapper => (original) => (props) => createElement("label", null,
    createElement("span", { className: "hidden" }, name), createElement(original, props));
  return {
    components: {
      Reference: ({ getComponent }) => createElement("div", { className: "swagger-ui" },
        ...["errors", "operations", "Models"].map((name) => createElement(getComponent(name, true), null))),
      authorizeOperationBtn: () => null,
    },
    wrapComponents: {
      ExamplesSelect: named("Example"),
      RequestBodyEditor: named("Request body"),
      HighlightCode: (original) => (props) => createElement("div",
        { className: "scrolls", tabIndex: 0, role: "group", "aria-label": "Code" }, createElement(original, props)),
    },
    fn: { opsFilter: (tags: Node, search: string) => keep(tags, found(spec, search)) },
  };
};

/** keep returns the tags that have some of these operations, with no others. */
function keep(tags: Node, ids: Set<string>): Node {
  const keeps = (operation: Node) => ids.has((operation.get("operation") as Node).get("operationId") as string);
  return tags.map((tag) => tag.update("operations", (all) => all.filter(keeps)))
    .filter((tag) => (tag.get("operations") as Node).size > 0);
}
