import { Search, X } from "lucide-preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { api, ask } from "../../api/client";
import { IconButton } from "../../parts/button";
import { useLoad } from "../../state/load";
import { useSettled } from "../../state/settled";
import { t } from "../../text";
import { type Query, withPrompt } from "./query";

interface BarProps {
  query: Query;
  onSearch: (query: Query) => void;
  /** onDown is called when ↓ leaves the bar for the people. */
  onDown: () => void;
}

const pause = 150; // ms after a keystroke
const least = 3; // characters

/** useCompletions returns completions of a prompt while the reader types. */
function useCompletions(text: string, wanted: boolean): string[] {
  const typed = wanted ? text.trim() : "";
  const q = useSettled(typed, pause);
  const { data } = useLoad(async (signal) => {
    if (q.length < least || q.length > 1000) return { q, found: [] };
    const query = { field: "prompt" as const, q, limit: 6 };
    return { q, found: (await ask(api.GET("/v2/suggest", { params: { query }, signal }))).data };
  }, [q]); // the search itself reports errors
  return data?.q === typed ? data.found.map((one) => one.text).filter((one) => one !== q) : [];
}

/** Bar is where one types a search. */
export function Bar({ query, onSearch, onDown }: BarProps) {
  const [text, setText] = useState(query.prompt);
  useEffect(() => { setText(query.prompt); }, [query]);
  return (
    <form class="search-bar" role="search" autocomplete="off"
      onSubmit={(e) => { e.preventDefault(); onSearch(withPrompt(query, text)); }}>
      <Search size={18} aria-hidden="true" />
      <Prompt text={text} asked={query} onText={setText} onDown={onDown}
        onSubmit={() => { onSearch(withPrompt(query, text)); }} />
      {text && <IconButton label={t.search.clear} icon={X} onClick={() => {
        setText("");
        onSearch(withPrompt(query, ""));
        document.getElementById("prompt")?.focus();
      }} />}
      <Scope query={query} onSearch={(scope) => { onSearch({ ...withPrompt(query, text), scope }); }} />
      <button type="submit" class="button main">{t.search.go}</button>
    </form>
  );
}

interface PromptProps {
  text: string;
  /** asked is the search on the page: when another comes, completions close. */
  asked: Query;
  onText: (text: string) => void;
  onSubmit: () => void;
  onDown: () => void;
}

/** Prompt is the field, with completions: arrows and Enter take one, Tab takes the first. */
function Prompt({ text, asked, onText, onSubmit, onDown }: PromptProps) {
  const [typing, setTyping] = useState(false);
  const [at, setAt] = useState(-1);
  const options = useCompletions(text, typing);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const close = () => {
    setTyping(false);
    setAt(-1);
  };
  useEffect(close, [asked]);
  useEffect(() => { field.current?.focus(); }, []);
  const take = (option: string) => {
    close();
    onText(`${option} `);
  };
  const press = (e: KeyboardEvent) => {
    const act = e.isComposing ? undefined : meaning(e, options, at);
    if (!act) return;
    e.preventDefault();
    e.stopPropagation();
    if (act.take !== undefined) take(act.take);
    if (act.to !== undefined) setAt(act.to);
    if (act.close || act.submit) close();
    if (act.submit) onSubmit();
    if (act.down) onDown();
  };
  return (
    <>
      <textarea id="prompt" ref={field} rows={1} dir="auto" enterkeyhint="search" value={text} maxLength={1000}
        aria-label={t.search.label} placeholder={t.search.label}
        aria-controls={`${id}-list`} aria-autocomplete="list" onKeyDown={press} onBlur={close}
        aria-activedescendant={options[at] ? `${id}-${at}` : undefined}
        onInput={(e) => {
          onText(e.currentTarget.value);
          setTyping(true);
          setAt(-1);
        }} />
      <ul role="listbox" id={`${id}-list`} aria-label={t.search.completions} class="options"
        hidden={options.length === 0}>
        {options.map((option, i) => (
          <li key={option} id={`${id}-${i}`} role="option" aria-selected={i === at}
            onMouseDown={(e) => { e.preventDefault(); take(option); }}><bdi>{option}</bdi></li>
        ))}
      </ul>
    </>
  );
}

interface Meaning {
  take?: string | undefined;
  to?: number;
  close?: boolean;
  submit?: boolean;
  down?: boolean;
}

type Key = Pick<KeyboardEvent, "key" | "shiftKey">;

/** meaning returns what a key in the prompt does. at is the chosen completion, or -1. */
export function meaning(e: Key, options: string[], at: number): Meaning | undefined {
  const open = options.length > 0;
  if (e.shiftKey) return undefined;
  switch (e.key) {
    case "Enter": return options[at] === undefined ? { submit: true } : { take: options[at] };
    case "ArrowDown": return open ? { to: Math.min(options.length - 1, at + 1) } : { down: true };
    case "ArrowUp": return open ? { to: Math.max(-1, at - 1) } : undefined;
    case "Tab": return open ? { take: options[Math.max(at, 0)] } : undefined;
    case "Escape": return open ? { close: true } : undefined;
    default: return undefined;
  }
}

/** Scope chooses whose people are searched. A list is among the choices if the address has one. */
function Scope({ query, onSearch }: { query: Query; onSearch: (scope: string) => void }) {
  const list = query.scope.startsWith("list:") ? query.scope.slice("list:".length) : "";
  const loaded = useLoad(async (signal) => list
    ? (await ask(api.GET("/v2/lists/{id}", { params: { path: { id: list } }, signal }))).data.name : "", [list]);
  return (
    <select id="scope" aria-label={t.search.scope} value={query.scope}
      onChange={(e) => { onSearch(e.currentTarget.value); }}>
      {Object.entries(t.search.scopes).map(([scope, text]) => <option key={scope} value={scope}>{text}</option>)}
      {list && <option value={query.scope}>{loaded.data ? t.search.list(loaded.data) : t.search.aList}</option>}
    </select>
  );
}
