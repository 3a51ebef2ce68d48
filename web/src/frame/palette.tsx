import { useRef, useState } from "preact/hooks";
import { api, ask } from "../api/client";
import { Combobox, type Option } from "../parts/combobox";
import { Dialog } from "../parts/dialog";
import { useLoad } from "../state/load";
import { go, type PageName } from "../state/route";
import { useSettled } from "../state/settled";
import { t } from "../text";
import { keysShown, paletteShown } from "./keys";

interface Command extends Option {
  act: () => void;
}

const pause = 120; // ms after a keystroke

/** Palette finds people, companies, lists, pages and actions by a few letters. */
export function Palette() {
  return paletteShown.value ? <Opened /> : null;
}

function Opened() {
  const [text, setText] = useState("");
  const q = useSettled(text.trim(), pause);
  const { data: found = [] } = useLoad((signal) => find(q, signal), [q]);
  const close = () => { paletteShown.value = false; };
  const all = [...searchFor(text.trim()), ...commands(text.trim()), ...found];
  const acts = useRef(all);
  acts.current = all;
  return (
    <Dialog title={t.palette.title} onClose={close}>
      <Combobox label={t.palette.label} value={text} options={all} onInput={setText} first autofocus
        onPick={(option) => {
          close();
          acts.current.find((one) => one.id === option.id)?.act();
        }} />
    </Dialog>
  );
}

function searchFor(text: string): Command[] {
  if (!text) return [];
  return [{ id: "search", text: t.palette.searchFor(text), act: () => { go("search", { prompt: text }); } }];
}

/** commands are the pages and actions whose names have the letters. */
function commands(text: string): Command[] {
  const pages: PageName[] = ["search", "people", "lists", "outreach", "import", "settings", "docs"];
  const all = [
    ...pages.map((page) => ({ id: page, text: t.pages[page], aside: t.palette.page, act: () => { go(page); } })),
    { id: "keys", text: t.frame.keys, aside: t.palette.action, act: () => { keysShown.value = true; } },
  ];
  return all.filter((one) => one.text.toLowerCase().includes(text.toLowerCase()));
}

/** find asks the server for people, companies and lists. */
async function find(text: string, signal: AbortSignal): Promise<Command[]> {
  if (text.length < 2) return [];
  const suggest = (field: "person" | "company") =>
    ask(api.GET("/v2/suggest", { params: { query: { field, q: text.slice(0, 100), limit: 5 } }, signal }));
  const [people, companies, lists] = await Promise.all([suggest("person"), suggest("company"),
    ask(api.GET("/v2/lists", { params: { query: { limit: 100 } }, signal }))]);
  return [
    ...people.data.flatMap(({ person }): Command[] => person ? [{
      id: `person ${person.id}`, text: person.full_name, aside: person.headline,
      act: () => { go("search", { person: person.id }); },
    }] : []),
    ...companies.data.map(({ text: name }): Command => ({
      id: `company ${name}`, text: name, aside: t.palette.company, act: () => { go("paths", { whom: name }); },
    })),
    ...lists.data.filter((one) => one.name.toLowerCase().includes(text.toLowerCase())).map((one): Command => ({
      id: `list ${one.id}`, text: one.name, aside: t.palette.list, act: () => { go("lists", { list: one.id }); },
    })),
  ];
}
