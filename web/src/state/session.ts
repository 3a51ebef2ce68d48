import { signal } from "@preact/signals";
import type { components } from "../api/schema";

export type User = components["schemas"]["User"];

const demo = document.querySelector<HTMLMetaElement>('meta[name="kith-token"]');

/** demoServed is true if the server serves a demo. */
export const demoServed = Boolean(demo?.content);

const chosen = "kith_dataset=demo"; // the cookie with which the server answers from the demo
const kept = storage();

/** signedIn is true if this browser has a session. Scripts cannot see its cookie, so local storage has a note. */
export const signedIn = signal(kept.getItem("signed-in") === "yes");

/** me is the caller, once known. */
export const me = signal<User | null>(null);

/** noteSignedIn remembers the start of a session. */
export function noteSignedIn(): void {
  kept.setItem("signed-in", "yes");
  signedIn.value = true;
}

/** noteSignedOut remembers the end of a session. A page loaded after it shows the demo, if there is one. */
export function noteSignedOut(): void {
  kept.removeItem("signed-in");
  signedIn.value = false;
}

/** visiting reports whether requests are answered from the demo, with or without a session. */
export function visiting(): boolean {
  return demoServed && document.cookie.split("; ").includes(chosen);
}

/** visit makes the server answer from the demo, or from the session's own data, and loads the page again. */
export function visit(theDemo: boolean, page = "."): void {
  chooseDemo(theDemo);
  location.assign(page);
}

function chooseDemo(is: boolean): void {
  if (demoServed) document.cookie = `${chosen}; path=/; samesite=strict; max-age=${is ? 30 * 86400 : 0}`;
}

if (!signedIn.value) chooseDemo(true);

/** setting reads and writes a choice of the reader that this browser remembers. */
export const setting = {
  get: (name: string): string | null => kept.getItem(name),
  set: (name: string, value: string): void => { kept.setItem(name, value); },
};

type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** storage returns local storage, or a substitute if the browser forbids it. */
function storage(): Kept {
  try {
    return window.localStorage;
  } catch {
    const values = new Map<string, string>();
    return {
      getItem: (name) => values.get(name) ?? null,
      setItem: (name, value) => { values.set(name, value); },
      removeItem: (name) => { values.delete(name); },
    };
  }
}
