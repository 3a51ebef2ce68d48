import { setting } from "../state/session";
import { en } from "./en";

/** Text is all texts of the app. en.ts says which there are; each other language must have the same. */
export type Text = typeof en;

/** languages are those that the app speaks, each by its own name. */
export const languages = { en: "English", de: "Deutsch" } as const;

export type Language = keyof typeof languages;

/** t has the texts in the reader's language. Read it while rendering, not when a module loads. */
export let t: Text = en;

/** language is the one in use. */
export let language: Language = "en";

/** speak loads the reader's language: the one chosen before, or the browser's first that the app speaks. */
export async function speak(): Promise<void> {
  const wanted = [setting.get("language") ?? "", ...navigator.languages].map((one) => one.slice(0, 2));
  const found = wanted.find((one): one is Language => one in languages) ?? "en";
  if (found === "de") t = (await import("./de")).de;
  language = found;
  document.documentElement.lang = found;
}

/** choose remembers a language and loads the page again in it. */
export function choose(one: Language): void {
  setting.set("language", one);
  location.reload();
}
