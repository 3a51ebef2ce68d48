import { BookOpen, CircleUser, List, type LucideIcon, Search, Send, Settings, ShieldCheck, Upload, Users } from "lucide-preact";
import { isOperator } from "../state/account";
import { href, type PageName } from "../state/route";
import { me, signedIn } from "../state/session";
import { t } from "../text";
import { keysShown, paletteShown } from "./keys";

const main: [PageName, LucideIcon][] = [["search", Search], ["people", Users], ["lists", List], ["outreach", Send],
  ["import", Upload]];

/** Sidebar leads to the pages: at the left, or at the bottom of a phone. */
export function Sidebar({ page }: { page: PageName }) {
  const further: [PageName, LucideIcon][] = [["settings", Settings], ["docs", BookOpen]];
  if (isOperator()) further.push(["admin", ShieldCheck]);
  const shown = page === "paths" ? "people" : page;
  const link = ([name, Icon]: [PageName, LucideIcon]) => (
    <a key={name} href={href(name)} aria-current={name === shown ? "page" : undefined} class={`to-${name}`}>
      <Icon size={18} aria-hidden="true" /><span>{t.pages[name]}</span>
    </a>
  );
  return (
    <nav class="sidebar" aria-label={t.frame.pages}>
      <a class="brand" href={href("search")}><span aria-hidden="true" class="logo" />Kith</a>
      <button type="button" class="find" onClick={() => { paletteShown.value = true; }}>
        <span>{t.frame.find}</span><kbd>{t.frame.paletteKey}</kbd>
      </button>
      <div class="sidebar-main">{main.map(link)}</div>
      <div class="sidebar-further">
        {further.map(link)}
        <a href={href("sign-in")} aria-current={page === "sign-in" ? "page" : undefined} class="to-sign-in">
          <CircleUser size={18} aria-hidden="true" /><span><bdi id="who">{who()}</bdi></span>
        </a>
        <button type="button" class="keys-button" onClick={() => { keysShown.value = true; }}>
          <kbd>?</kbd><span>{t.frame.keys}</span>
        </button>
      </div>
    </nav>
  );
}

function who(): string {
  const user = me.value;
  if (user && (signedIn.value || !user.demo)) return user.name || user.id;
  return t.signIn.title;
}
