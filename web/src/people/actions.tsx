import type { Person } from "../api/search";
import { AddToList, AddToSequence } from "./adding";
import { Ask, Write } from "./writing";

/** Act is an action on people. Those for one person alone are write and ask. */
export type Act = "write" | "ask" | "list" | "sequence";

/** mainAction is what one usually does: write to people one knows, ask for an introduction to others within reach. */
export function mainAction(person: Person): "write" | "ask" | null {
  const degree = person.match?.network?.degree;
  if (degree === 1) return "write";
  return degree === 2 ? "ask" : null;
}

/** actionsFor returns the actions on a person beside the main one. */
export function actionsFor(person: Person): Act[] {
  return mainAction(person) ? ["list", "sequence"] : ["list", "sequence", "ask"];
}

/** Acting is an action under way. */
export interface Acting {
  act: Act;
  people: Person[];
}

/** ActionDialog asks what an action needs, and carries it out. */
export function ActionDialog({ act, people, onClose }: Acting & { onClose: () => void }) {
  const first = people[0];
  if (!first) return null;
  switch (act) {
    case "list": return <AddToList people={people} onClose={onClose} />;
    case "sequence": return <AddToSequence people={people} onClose={onClose} />;
    case "ask": return <Ask person={first} onClose={onClose} />;
    case "write": return <Write person={first} onClose={onClose} />;
  }
}
