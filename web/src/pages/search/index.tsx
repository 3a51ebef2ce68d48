import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Person } from "../../api/search";
import { Dialog } from "../../parts/dialog";
import { Split } from "../../parts/split";
import { type Act, ActionDialog, type Acting } from "../../people/actions";
import { PersonPanel } from "../../people/panel";
import { type Given, go, set } from "../../state/route";
import { t } from "../../text";
import { Bar } from "./bar";
import { Chips } from "./chips";
import { FacetBars } from "./facets";
import { follow, found as state, isBusy, search } from "./finder";
import { focusRow, useSearchKeys } from "./keys";
import { givenOf, isEmpty, type Query, queryOf } from "./query";
import { Results } from "./results";
import { Start } from "./start";
import "./search.css";

/** The search: people beside the one who is open. The address has both. */
export default function SearchPage({ given }: { given: Given }) {
  const { query, ask } = useQuery(given);
  const [at, setAt] = useState(0);
  const { selected, select, clear } = useSelection(query);
  const [acting, setActing] = useState<Acting | null>(null);
  const [narrowing, setNarrowing] = useState(false);
  const found = state.value;
  const open = given["person"];
  useEffect(() => { setAt(0); }, [query]);
  const onSearch = (to: Query) => {
    setNarrowing(false);
    ask(to);
  };
  const move = (index: number) => {
    const person = found.people[index];
    if (!person) return;
    setAt(index);
    focusRow(index);
    if (open) set({ person: person.id }, true);
  };
  const act = (name: Act, people: Person[]) => { setActing({ act: name, people }); };
  const close = () => {
    set({ person: undefined });
    focusRow(at);
  };
  const add = (to: Act, person: Person) => { act(to, selected.size > 0 ? [...selected.values()] : [person]); };
  useSearchKeys({ at, people: found.people, open, move, select, add, close });
  const asked = !isEmpty(query);
  const read = found.interpretation;
  const person = found.people.find((p) => String(p.id) === open);
  const busy = isBusy(found);
  const facets = asked && (found.matches > 0 || busy) && <FacetBars query={query} busy={busy} onSearch={onSearch} />;
  return (
    <>
      <h1 class="hidden">{t.search.label}</h1>
      <Split open={open !== undefined} label={open ? t.search.detail : t.search.what} onClose={close} list={(
        <>
          <div class="search-top">
            <Bar query={query} onSearch={onSearch} onDown={() => { move(at); }} />
            {read && asked && <Chips query={query} interpretation={read} onSearch={onSearch} />}
          </div>
          {asked ? <Results query={query} found={found} open={open} at={at} selected={selected} onSelect={select}
            onClear={clear} onAct={act} onSearch={onSearch}
            onNarrow={facets ? () => { setNarrowing(true); } : undefined} /> : <Start />}
        </>
      )}
      aside={open ? <PersonPanel id={open} person={person} onAct={act} onClose={close} /> : <What>{facets}</What>} />
      {narrowing && <Dialog title={t.search.narrow} side onClose={() => { setNarrowing(false); }}>{facets}</Dialog>}
      {acting && <ActionDialog {...acting} onClose={() => { setActing(null); }} />}
    </>
  );
}

function What({ children }: { children: ComponentChildren }) {
  return <div class="what"><h2>{t.search.what}</h2>{children || <p class="soft">{t.search.whatNone}</p>}</div>;
}

/** useSelection keeps the selected people of a search. */
function useSelection(query: Query) {
  const [selected, setSelected] = useState<ReadonlyMap<number, Person>>(new Map());
  const clear = () => { setSelected(new Map()); };
  useEffect(clear, [query]);
  const select = (person: Person) => {
    const next = new Map(selected);
    if (!next.delete(person.id)) next.set(person.id, person);
    setSelected(next);
  };
  return { selected, select, clear };
}

/**
 * useQuery runs the search of the address, and returns ask, which runs another. That one enters the address once its
 * first person is painted, because an entry of the history takes Chromium time that the search needs.
 */
function useQuery(given: Given): { query: Query; ask: (to: Query) => void } {
  const [asked, setAsked] = useState<Given | null>(null);
  const address = JSON.stringify(asked ?? givenOf(queryOf(given)));
  const query = useMemo(() => queryOf(JSON.parse(address) as Given), [address]);
  const waits = isBusy(state.value) && state.value.people.length === 0;
  useEffect(() => { setAsked(null); }, [given]);
  useEffect(() => { follow(query); }, [query]);
  useEffect(() => {
    if (waits) return;
    if (asked) go("search", asked);
    document.title = [query.prompt, ...Object.values(query.filters), "Kith"].filter(Boolean).join(" – ");
  }, [query, asked, waits]);
  const ask = (to: Query) => {
    search(to);
    setAsked(givenOf(to));
  };
  return { query, ask };
}
