import { signal } from "@preact/signals";

/**
 * The address of a page is its name, as the last segment of the path, and what it shows, in the fragment: people#id=17.
 * The server never sees the fragment, so no log has searches or people.
 */
export const pageNames = ["search", "people", "lists", "paths", "outreach", "import", "settings", "admin", "docs",
  "sign-in"] as const;

export type PageName = typeof pageNames[number];

/** Given is what a page shows: the members of the fragment. */
export type Given = Record<string, string>;

export interface Route {
  page: PageName;
  given: Given;
}

/** route is the address of the page. Read route.value while rendering; change it with go. */
export const route = signal<Route>(read(location));

/** read returns the route of an address. An unknown page is the search. */
export function read({ pathname, hash }: Pick<URL, "pathname" | "hash">): Route {
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  const page = pageNames.find((name) => name === last) ?? "search";
  return { page, given: Object.fromEntries(new URLSearchParams(hash.slice(1))) };
}

/** href returns the address of a page, for links. Empty and missing members are left out. */
export function href(page: PageName, given: Record<string, string | number | undefined> = {}): string {
  const members = Object.entries(given).filter(([, value]) => value !== undefined && value !== "");
  const hash = new URLSearchParams(members.map(([name, value]) => [name, String(value)])).toString();
  return `${page === "search" ? "." : page}${hash && `#${hash}`}`;
}

/** go shows a page. With replace it takes the present one's place in the history. */
export function go(page: PageName, given: Parameters<typeof href>[1] = {}, replace = false): void {
  const to = new URL(href(page, given), document.baseURI);
  if (to.href === location.href) return;
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  const before = route.value.page;
  route.value = read(to);
  if (before !== page) window.scrollTo(0, 0);
}

/** set changes members of the present address; undefined removes one. */
export function set(change: Record<string, string | number | undefined>, replace = false): void {
  go(route.value.page, { ...route.value.given, ...change }, replace);
}

/** followLinks makes links to pages change the route instead of loading a page. */
export function followLinks(): void {
  window.addEventListener("popstate", () => { route.value = read(location); });
  document.addEventListener("click", (e) => {
    const link = e.target instanceof Element ? e.target.closest("a") : null;
    const held = e.ctrlKey || e.metaKey || e.shiftKey || e.altKey;
    if (!link || e.defaultPrevented || e.button !== 0 || held) return;
    const to = within(link);
    if (!to) return;
    e.preventDefault();
    go(to.page, to.given);
  });
}

/** within returns the route of a link to a page of this app, else null. */
function within(link: HTMLAnchorElement): Route | null {
  if (link.target || link.hasAttribute("download")) return null;
  const to = new URL(link.href);
  const here = new URL(".", document.baseURI);
  if (to.origin !== here.origin || !to.pathname.startsWith(here.pathname)) return null;
  const name = to.pathname.slice(here.pathname.length);
  return name === "" || pageNames.some((page) => page === name) ? read(to) : null;
}
