import type { Schemas } from "../../api/client";

/** meanings are what a column of a table may hold: the members of a mapping, most common first. */
export const meanings = ["person.full_name", "person.first_name", "person.last_name", "person.emails",
  "current.title", "current.company.name", "current.company.domain", "current.company.industry",
  "person.social_url", "person.location.text", "person.location.city", "person.location.country", "person.headline",
  "person.about_me", "person.skills", "relationship.since", "relationship.kind"] as const;

export type Meaning = typeof meanings[number];

/** Chosen is the meaning of each column that has one. */
export type Chosen = ReadonlyMap<string, Meaning>;

/** isUnknown reports whether a file is a table whose columns nobody has said the meaning of. */
export function isUnknown(file: Schemas["ImportFile"]): boolean {
  return file.format === "" && file.columns.length > 0;
}

/** isOpen reports whether a file was read by the names of its columns, so that they may mean something else. */
export function isOpen(file: Schemas["ImportFile"]): boolean {
  return file.format === "people" || file.format === "mapping" || isUnknown(file);
}

/** startOf returns the meanings that columns have, and guesses for those without. */
export function startOf(file: Schemas["ImportFile"]): Map<string, Meaning> {
  const out = guessed(file.columns.filter((column) => column.as.length === 0).map((column) => column.name));
  for (const { name, as } of file.columns) {
    const meaning = meanings.find((one) => as.includes(one));
    if (meaning) out.set(name, meaning);
  }
  return out;
}

/** toMap writes a mapping as `kith import --map` reads it: JSON is YAML. Without columns it is empty. */
export function toMap(chosen: Chosen): string {
  const groups: Record<string, Record<string, string[]>> = {};
  for (const [column, meaning] of chosen) {
    const at = meaning.indexOf(".");
    const group = (groups[meaning.slice(0, at)] ??= {});
    (group[meaning.slice(at + 1)] ??= []).push(column);
  }
  return chosen.size > 0 ? JSON.stringify(groups) : "";
}

/** hasName reports whether the chosen meanings give each person a name. */
export function hasName(chosen: Chosen): boolean {
  return [...chosen.values()].some((one) => ["person.full_name", "person.first_name", "person.last_name",
    "person.emails"].includes(one));
}

const guesses: [RegExp, Meaning][] = [
  [/^(full|contact|complete)?[ _-]?name$|^person$|^contact$|^vollständiger name$/i, "person.full_name"],
  [/first|given|vorname/i, "person.first_name"], [/last|family|surname|nachname/i, "person.last_name"],
  [/e-?mail/i, "person.emails"], [/web|domain|site/i, "current.company.domain"],
  [/company|organi[sz]ation|employer|firma/i, "current.company.name"],
  [/title|position|role|job/i, "current.title"], [/linkedin|profile|url/i, "person.social_url"],
  [/city|town|stadt|ort$/i, "person.location.city"], [/country|land$/i, "person.location.country"],
  [/location|address|place/i, "person.location.text"], [/skill/i, "person.skills"],
  [/industry|sector|branche/i, "current.company.industry"], [/connected|since|met/i, "relationship.since"],
];

/** guessed chooses a meaning for each column whose name says it; no meaning is chosen twice. */
export function guessed(columns: readonly string[]): Map<string, Meaning> {
  const out = new Map<string, Meaning>();
  for (const column of columns) {
    const found = guesses.find(([pattern]) => pattern.test(column.trim()))?.[1];
    if (found && ![...out.values()].includes(found)) out.set(column, found);
  }
  return out;
}
