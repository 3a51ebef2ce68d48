import type { Schemas } from "../../api/client";

/** placeholders are the names that the server knows, those used most first. */
export const placeholders = ["first_name", "company", "title", "full_name", "last_name", "city", "country",
  "introducer_name", "sender_name", "sender_email", "headline", "company_domain", "state", "email",
  "sequence_name"] as const;

export type Placeholder = typeof placeholders[number];

export type Values = Record<Placeholder, string>;

interface Lead {
  person: Schemas["SequencePerson"];
  introducers: Schemas["Introducer"][];
}

/** valuesOf returns what the server will put in the place of each placeholder. */
export function valuesOf(lead: Lead, sequence: string, from?: { name: string; address: string }): Values {
  const { person, introducers } = lead;
  return {
    first_name: person.first_name, last_name: person.last_name, full_name: person.full_name,
    headline: person.headline, email: person.email,
    city: person.location.city, state: person.location.state, country: person.location.country,
    title: person.position?.title ?? "", company: person.position?.company.name ?? "",
    company_domain: person.position?.company.domain ?? "", introducer_name: introducers[0]?.name ?? "",
    sequence_name: sequence, sender_name: from?.name ?? "", sender_email: from?.address ?? "",
  };
}

/** Part is a piece of a text: as written, a filled placeholder, or one that has no value. */
export interface Part {
  text: string;
  is: "text" | "filled" | "missing";
}

const pattern = /\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}/g;

/** fill puts values in the place of placeholders, as the server does. */
export function fill(text: string, values: Partial<Record<string, string>>): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > end) parts.push({ text: text.slice(end, found.index), is: "text" });
    const value = (values[found[1] ?? ""] ?? "").trim().replace(/\s+/g, " ");
    parts.push(value && !/[{}]/.test(value) ? { text: value, is: "filled" } : { text: found[0], is: "missing" });
    end = found.index + found[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), is: "text" });
  return parts;
}

/** missing returns the placeholders of texts that have no value, each once. */
export function missing(texts: string[], values: Partial<Record<string, string>>): string[] {
  const all = texts.flatMap((text) => fill(text, values)).filter((part) => part.is === "missing");
  return [...new Set(all.map((part) => part.text))];
}

/** inserted returns a text with a placeholder in the place of a selection, and where the caret then belongs. */
export function inserted(text: string, from: number, to: number, name: Placeholder): { text: string; caret: number } {
  const put = `{${name}}`;
  return { text: text.slice(0, from) + put + text.slice(to), caret: from + put.length };
}
