import { useEffect, useRef } from "preact/hooks";
import type { Person } from "../../api/search";
import { isCommand } from "../../frame/keys";
import { stop } from "./finder";

/** focusRow gives the focus to the person at an index of the list. */
export function focusRow(index: number): void {
  document.querySelector<HTMLElement>(`.person a[data-index="${index}"]`)?.focus();
}

interface Keys {
  at: number;
  people: Person[];
  open: string | undefined;
  move: (index: number) => void;
  select: (person: Person) => void;
  /** add adds the selected people, or else the one at hand, to a list or a sequence. */
  add: (to: "list" | "sequence", person: Person) => void;
  close: () => void;
}

/** useSearchKeys installs the keys of the search: / types, arrows and j and k move, x selects, Esc closes or stops. */
export function useSearchKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (!isCommand(e)) {
        const { open, close } = latest.current;
        if (e.key === "Escape" && !e.defaultPrevented && !document.querySelector("dialog[open]")) leave(open, close);
        return;
      }
      if (act(e.key, latest.current)) e.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => { document.removeEventListener("keydown", press); };
  }, []);
}

const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** act carries out a key, and returns whether it has a meaning. */
function act(key: string, { at, people, open, move, select, add, close }: Keys): boolean {
  const inList = document.activeElement?.matches(".person *") ?? false;
  const step = steps[key];
  if (step && people.length > 0) return walk(inList || open ? at + step : at, key, inList, move);
  const person = people[at];
  if (key === "/") prompt()?.focus();
  else if (key === "Escape") leave(open, close);
  else return person !== undefined && (inList || open !== undefined) && onPerson(key, person, select, add);
  return true;
}

/** onPerson carries out a key on the person at hand. */
function onPerson(key: string, person: Person, select: Keys["select"], add: Keys["add"]): boolean {
  if (key === "x") select(person);
  else if (key === "a") add("list", person);
  else if (key === "e") add("sequence", person);
  else return false;
  return true;
}

/** leave stops the search, or else closes the open person. */
function leave(open: string | undefined, close: () => void): void {
  if (!stop() && open) close();
}

/** walk moves to a person, or from the first back to the prompt. Outside the list, arrows scroll as usual. */
function walk(to: number, key: string, inList: boolean, move: (index: number) => void): boolean {
  if (!inList && key.startsWith("Arrow")) return false;
  if (to < 0) prompt()?.focus();
  else move(to);
  return true;
}

function prompt(): HTMLElement | null {
  return document.getElementById("prompt");
}
