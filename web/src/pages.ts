import type { ComponentType } from "preact";
import type { Given, PageName } from "./state/route";

/** Page is the component of a page: given is what its address asks for. */
export type Page = ComponentType<{ given: Given }>;

interface PageFile {
  default: Page;
}

// The file of each page is a chunk of its own.
const files: Record<PageName, () => Promise<PageFile>> = {
  search: () => import("./pages/search"),
  people: () => import("./pages/network"),
  paths: () => import("./pages/network/paths"),
  lists: () => import("./pages/lists"),
  outreach: () => import("./pages/outreach"),
  import: () => import("./pages/importing"),
  settings: () => import("./pages/settings"),
  admin: () => import("./pages/admin"),
  docs: () => import("./pages/docs"),
  "sign-in": () => import("./pages/sign-in"),
};

const loaded = new Map<PageName, Page>();

/** loadedPage returns a page that loadPage has loaded. */
export function loadedPage(name: PageName): Page | undefined {
  return loaded.get(name);
}

/** loadPage loads the file of a page. */
export async function loadPage(name: PageName): Promise<void> {
  loaded.set(name, (await files[name]()).default);
}
