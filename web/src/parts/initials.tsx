import { useMemo } from "preact/hooks";

const hues = 12; // classes of style.css

/** Initials stand for the picture of a person or company. Their colour depends on the name alone. */
export function Initials({ name, large = false }: { name: string; large?: boolean }) {
  const letters = useMemo(() => initials(name), [name]);
  return <span class={`initials hue-${hue(name)}${large ? " large" : ""}`} aria-hidden="true">{letters}</span>;
}

/** initials returns the first letter of the first and of the last word that have one. */
export function initials(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => word.match(/[\p{L}\p{N}]/u) ?? []);
  const ends = letters.length > 1 ? [letters[0], letters.at(-1)] : letters;
  return ends.join("").toUpperCase();
}

function hue(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return sum % hues;
}
