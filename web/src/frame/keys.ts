import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { go, type PageName } from "../state/route";

/** paletteShown and keysShown open the command palette and the list of keys. */
export const paletteShown = signal(false);
export const keysShown = signal(false);

/** jumps are the second keys after g. */
export const jumps: Record<string, PageName> = { s: "search", n: "people", l: "lists", o: "outreach", i: "import" };

/** useKeys installs the keys that work on every page. */
export function useKeys(): void {
  useEffect(() => {
    let jumping = false;
    const press = (e: KeyboardEvent) => {
      if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "k") {
        e.preventDefault();
        paletteShown.value = !paletteShown.value;
        return;
      }
      if (!isCommand(e)) return;
      const to = jumping ? jumps[e.key] : undefined;
      jumping = e.key === "g";
      if (to) go(to);
      else if (e.key === "?") keysShown.value = true;
      else return;
      e.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => { document.removeEventListener("keydown", press); };
  }, []);
}

/** isCommand reports whether a key is meant for the page, not for a field or a dialog. */
export function isCommand(e: KeyboardEvent): boolean {
  if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return false;
  const at = e.target;
  if (!(at instanceof HTMLElement)) return true;
  return !/^(TEXTAREA|SELECT)$/.test(at.tagName) && !at.isContentEditable
    && !(at instanceof HTMLInputElement && at.type !== "checkbox");
}
