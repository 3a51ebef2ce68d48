import type { Schemas } from "../../api/client";

export type Relationship = Schemas["RelationshipList"]["data"][number];

const year = 365 * 86_400_000; // ms
const well = 4; // the score of a good relationship

/** outOfTouch returns the good relationships without contact for a year, strongest first. */
export function outOfTouch(all: readonly Relationship[], now: number): Relationship[] {
  return all.filter((one) => one.score >= well && one.contact?.last && now - Date.parse(one.contact.last) > year)
    .toSorted((a, b) => b.score - a.score);
}

/** matching returns the relationships with people whose names have all words. */
export function matching(all: readonly Relationship[], words: string): Relationship[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((one) => wanted.every((word) => one.person.name.toLowerCase().includes(word)));
}

/** contacts is how often the reader and the person were in contact. */
export function contacts({ contact }: Relationship): number {
  return (contact?.outgoing ?? 0) + (contact?.incoming ?? 0);
}
