import { t } from "../../text";

const browsers = [["Edg/", "Edge"], ["Firefox/", "Firefox"], ["Chrome/", "Chrome"], ["Safari/", "Safari"]] as const;
const systems = [["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Windows", "Windows"],
  ["Mac OS", "macOS"], ["Linux", "Linux"]] as const;

/** nameOf returns a short name for the user agent of a browser. */
export function nameOf(agent: string): string {
  const first = (of: readonly (readonly [string, string])[]) => of.find(([mark]) => agent.includes(mark))?.[1];
  const [browser, system] = [first(browsers), first(systems)];
  if (browser && system) return t.settings.browserOn(browser, system);
  return browser ?? system ?? (agent.slice(0, 60) || t.settings.unknownBrowser);
}
