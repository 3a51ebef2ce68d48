import { Download, Save } from "lucide-preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Person } from "../../api/search";
import { downloadCSV } from "../../api/search";
import { Button } from "../../parts/button";
import { Failed, Skeleton } from "../../parts/states";
import { VirtualList } from "../../parts/virtual";
import type { Act } from "../../people/actions";
import { PersonRow } from "../../people/row";
import { attempt } from "../../state/notice";
import { href } from "../../state/route";
import { t } from "../../text";
import { number } from "../../text/format";
import { Meant, nobody, Similar, Wider } from "./advice";
import { type Found, goOn, isBusy, stop } from "./finder";
import { givenOf, type Query, requestOf } from "./query";
import { SaveSearch } from "./saving";

interface ResultsProps {
  query: Query;
  found: Found;
  open: string | undefined;
  at: number;
  selected: ReadonlyMap<number, Person>;
  onSelect: (person: Person) => void;
  onClear: () => void;
  onAct: (act: Act, people: Person[]) => void;
  onSearch: (query: Query) => void;
  /** onNarrow shows the values to narrow down by, where there is no room beside the list. */
  onNarrow?: (() => void) | undefined;
}

/** Results shows the people of a search, and what to do if there are few. */
export function Results(props: ResultsProps) {
  const { query, found, selected } = props;
  const { people, phase, next } = found;
  return (
    <div class="results">
      <Meant {...props} />
      <State query={query} found={found} onNarrow={props.onNarrow} />
      {found.error && phase !== "resuming" ? <Failed error={found.error} retry={goOn} /> : null}
      {phase === "done" && <Similar {...props} />}
      {phase === "done" && <Wider {...props} />}
      {selected.size > 0 && <Selected {...props} />}
      {phase === "searching" && people.length === 0 && <Skeleton rows={8} />}
      <People {...props} />
      {(phase === "stopped" || (phase === "done" && next)) && people.length > 0 && (
        <p class="results-end"><Button onClick={goOn}>{t.search.loadMore}</Button></p>
      )}
    </div>
  );
}

/** People lists those who match, and after them the closest people, with a heading between. */
function People({ query, found, open, at, selected, onSelect, onAct }: ResultsProps) {
  const { people, matches, phase, next } = found;
  const height = useHeight();
  const list = (label: string, from: number, to: number) => from < to && (
    <VirtualList items={people.slice(from, to)} height={height} label={label} busy={isBusy(found)}
      onEnd={next && phase === "done" && to === people.length ? goOn : undefined}
      row={(person, nth) => (
        <PersonRow key={person.id} person={person} index={from + nth} nth={nth} of={next ? -1 : to - from}
          href={href("search", { ...givenOf(query), person: person.id })} open={open === String(person.id)}
          selected={selected.has(person.id)} focusable={from + nth === at} onSelect={onSelect} onAct={onAct} />
      )} />
  );
  return (
    <>
      {list(t.search.results, 0, matches)}
      {matches > 0 && matches < people.length && <h2 class="others">{t.search.closestBelow}</h2>}
      {list(t.search.closest, matches, people.length)}
    </>
  );
}

const narrow = matchMedia("(max-width: 640px)");

/** useHeight returns the height of a row, as people.css has it. */
function useHeight(): number {
  const [small, setSmall] = useState(narrow.matches);
  useEffect(() => {
    const look = () => { setSmall(narrow.matches); };
    narrow.addEventListener("change", look);
    return () => { narrow.removeEventListener("change", look); };
  }, []);
  return small ? 86 : 58;
}

/** State says what the search does and found, and keeps it. */
function State({ query, found, onNarrow }: Pick<ResultsProps, "query" | "found" | "onNarrow">) {
  const [saving, setSaving] = useState(false);
  const { phase, people, request } = found;
  const done = phase === "done";
  const download = () => attempt(async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await downloadCSV(requestOf(query)));
    link.download = "people.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  });
  return (
    <div class="state">
      <p id="state" role="status" tabIndex={-1}>{says(query, found)}</p>
      {isBusy(found) && <Button kind="plain" onClick={stop}>{t.search.stop}</Button>}
      <span class="state-actions">
        {onNarrow && <Button kind="plain" class="narrow-button" onClick={onNarrow}>{t.search.narrow}</Button>}
        {done && request?.scope !== "specific_list" && (
          <Button kind="plain" icon={Save} onClick={() => { setSaving(true); }}>{t.search.save}</Button>
        )}
        {done && people.length > 0 && (
          <Button kind="plain" class="csv" icon={Download} onClick={() => { void download(); }}>{t.search.csv}</Button>
        )}
      </span>
      {saving && <SaveSearch query={query} onClose={() => { setSaving(false); }} />}
    </div>
  );
}

/** says tells the state of a search in a sentence. */
function says(query: Query, found: Found): string {
  const { phase, matches, people } = found;
  const shown = t.search.found(matches, total(query, found));
  switch (phase) {
    case "idle": return "";
    case "searching": return people.length > 0 ? `${shown} · ${t.search.searching}` : t.search.searching;
    case "resuming": return `${t.search.cut(shown)} ${t.search.resuming}`;
    case "stopped": return t.search.stopped(people.length);
    case "lost": return people.length > 0 ? t.search.cut(shown) : "";
    case "failed": return people.length > 0 ? shown : "";
    case "done": return matches === 0 ? nobody(query, found) : all(shown, query, found);
  }
}

function all(shown: string, query: Query, found: Found): string {
  const { counts } = found;
  const within = counts?.network && query.scope !== "reach" && total(query, found)
    ? t.search.within(counted(counts.network.value, false, counts.network.is_estimated)) : "";
  return [shown, within].filter(Boolean).join(" · ");
}

/** total is the number of people who match, if more match than are shown. The counts ignore a network in the prompt. */
function total({ scope }: Query, { counts, interpretation, next }: Found): string {
  if (!counts || (interpretation?.network && !scope) || !next) return "";
  if (scope === "reach" && counts.network) return counted(counts.network.value, false, counts.network.is_estimated);
  return counts.global ? counted(counts.global.value, counts.global.is_capped, false) : "";
}

function counted(n: number, capped: boolean, estimated: boolean): string {
  if (capped) return t.search.moreThan(number(n));
  return estimated ? t.search.about(number(n)) : number(n);
}

/** Selected has the actions on the selected people. */
function Selected({ selected, onAct, onClear }: ResultsProps) {
  const people = [...selected.values()];
  const at = useRef<HTMLDivElement>(null);
  return (
    <div class="selection" ref={at} role="group" aria-label={t.act.selectedPeople}>
      <span role="status">{t.act.selected(people.length)}</span>
      <Button onClick={() => { onAct("list", people); }}>{t.act.list}</Button>
      <Button onClick={() => { onAct("sequence", people); }}>{t.act.sequence}</Button>
      <Button kind="plain" onClick={onClear}>{t.act.clear}</Button>
    </div>
  );
}
