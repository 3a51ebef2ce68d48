import { setting } from "./session";

/** themes are the colour schemes to choose from; system is the one of the device. */
export const themes = ["system", "light", "dark"] as const;

export type Theme = typeof themes[number];

/** theme returns the chosen one. */
export function theme(): Theme {
  return themes.find((one) => one === setting.get("theme")) ?? "system";
}

/** wear shows the page in the chosen colours. */
export function wear(): void {
  document.documentElement.dataset["theme"] = theme();
}

/** chooseTheme remembers a colour scheme, and shows the page in it. */
export function chooseTheme(one: Theme): void {
  setting.set("theme", one);
  wear();
}
