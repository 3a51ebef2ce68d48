/** The part of Swagger UI that the page uses. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  /** Node is an immutable map or list of the description. */
  export interface Node {
    get(key: string): unknown;
    update(key: string, change: (value: Node) => Node): Node;
    map(change: (value: Node) => Node): Node;
    filter(keeps: (value: Node) => boolean): Node;
    readonly size: number;
  }

  type Component = (props: { getComponent: (name: string, connected?: boolean) => unknown }) => unknown;

  /** Wrapper returns a component around another one. */
  export type Wrapper = (original: unknown) => (props: object) => unknown;

  interface System {
    React: { createElement: (type: unknown, props: object | null, ...children: unknown[]) => unknown };
  }

  export type Plugin = (system: System) => {
    components: Record<string, Component>;
    wrapComponents: Record<string, Wrapper>;
    fn: object;
  };

  export interface UI {
    preauthorizeApiKey(scheme: string, value: string): void;
    authActions: { logout(schemes: string[]): void };
    layoutActions: { updateFilter(text: string): void };
  }

  export default function SwaggerUI(settings: {
    domNode: HTMLElement;
    spec: object;
    layout: string;
    plugins: Plugin[];
    defaultModelsExpandDepth: number;
    displayRequestDuration: boolean;
    syntaxHighlight: boolean;
    validatorUrl: null;
  }): UI;
}
