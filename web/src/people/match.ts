import type { Person } from "../api/search";
import { t } from "../text";

/** filterName names a filter in words. */
export function filterName(field: string): string {
  return t.filters[field] ?? (/^[a-z]+([A-Z][a-z]+)+$/.test(field)
    ? field.replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`) : field);
}

/** place writes where a person is. */
export function place({ city, state, country }: Person["location"]): string {
  return [city, state === city ? "" : state, country].filter(Boolean).join(", ");
}

/** work writes the present job of a person. */
export function work(person: Pick<Person, "work_relevant">): string {
  const job = person.work_relevant;
  return job ? t.person.at(job.title, job.company.name) : "";
}

/** Run is a piece of a text that is marked or not. */
export interface Run {
  text: string;
  marked: boolean;
}

/** marked splits a text into runs: words that begin with one of the given words are marked. */
export function marked(text: string, words: ReadonlySet<string>): Run[] {
  const runs: Run[] = [];
  for (const piece of text.split(/([\p{L}\p{N}]+)/u)) {
    if (!piece) continue;
    const is = isWanted(plain(piece), words);
    const last = runs.at(-1);
    if (last?.marked === is) last.text += piece;
    else runs.push({ text: piece, marked: is });
  }
  return runs;
}

function isWanted(word: string, words: ReadonlySet<string>): boolean {
  if (words.has(word)) return true;
  return word.length > 3 && [...words].some((one) => one.length > 3 && word.startsWith(one));
}

function plain(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

const small = new Set(["and", "or", "of", "the", "in", "at", "for", "a", "an", "to"]);

/** wantedWords returns the words of a person's criteria that a text can be marked by. */
export function wantedWords(person: Person): Set<string> {
  const values = (person.match?.criteria ?? []).filter((c) => c.satisfied === "yes" && !c.criterion.includes(": -"))
    .map((c) => c.criterion.replace(/^[^:]*: /, ""));
  const words = values.flatMap((value) => value.match(/[\p{L}\p{N}]+/gu) ?? []).map(plain);
  return new Set(words.flatMap((word) => small.has(word) ? [] : [word.length > 4 ? word.replace(/s$/, "") : word]));
}

/** Reason is evidence for one criterion. */
export interface Reason {
  field: string;
  criterion: string;
  satisfied: "yes" | "no" | "unclear";
  evidence: string;
}

/** reasons returns the evidence of a person's criteria. Exclusions have none. */
export function reasons(person: Person): Reason[] {
  return (person.match?.criteria ?? []).filter((c) => c.evidence !== "" && !c.criterion.includes(": -"))
    .map((c) => ({ ...c, field: c.criterion.split(": ").at(-2) ?? c.criterion }));
}

/** telling returns the evidence that the row does not show already: not the present job, and not the place. */
export function telling(person: Person): Reason | undefined {
  const job = person.work_relevant;
  const shown = [person.full_name, work(person), place(person.location)].join(" ");
  const now = job ? `${job.title} at ${job.company.name}` : "\n";
  return reasons(person).find(({ evidence }) =>
    !evidence.startsWith(now) && !shown.includes(evidence) && !isPlace(evidence, person));
}

function isPlace(evidence: string, { location }: Person): boolean {
  return evidence.startsWith(location.city || "\n") || evidence === location.country;
}

/** inYears shortens the dates of evidence: 2011-02-01 to 2015-10-31 is 2011–2015. */
export function inYears(evidence: string): string {
  return evidence.replaceAll(/\b(\d{4})(-\d\d){1,2}\b/g, "$1").replaceAll(/\b(\d{4}) to (\d{4})\b/g, "$1–$2");
}

/** missing returns the conditions that one of the closest people does not meet, in words. */
export function missing(person: Person): string {
  const one = (m: { field: string; value: string; instead: string | null }) =>
    `${filterName(m.field)} ${brief(m.value)}${m.instead ? ` (${m.instead})` : ""}`.trim();
  return (person.match?.closest?.missing ?? []).map(one).join("; ");
}

const long = 60; // characters

/** brief cuts a long value after a whole alternative. */
export function brief(value: string): string {
  return value.length <= long ? value : `${value.slice(0, long).replace(/, [^,]*$/, ",")} …`;
}

/** names writes the first two of several names, and the number of the others. */
export function names(all: readonly string[]): string {
  const others = all.length - 2;
  const first = all.slice(0, 2);
  return others > 0 ? [...first, t.person.more(others)].join(", ") : first.join(t.search.or);
}

/** way says how a person can be reached, in a few words; empty if they cannot. */
export function way(person: Person): string {
  const network = person.match?.network;
  if (!network?.degree) return "";
  if (network.introduces) return t.person.canIntroduce(names(network.introduces.map((i) => i.person.full_name)));
  if (network.degree === 1) return t.person.youKnow;
  return t.person.through(names(network.introducers.map((i) => i.name)));
}

/** profileAddress returns the web address of a profile, with or without a scheme in the record; else empty. */
export function profileAddress(person: Pick<Person, "social_url">): string {
  const url = person.social_url ?? "";
  const address = /^[\w.-]+\.\w+\//.test(url) ? `https://${url}` : url;
  return /^https?:\/\//i.test(address) ? address : "";
}
