import { Plus, X } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Interpretation } from "../../api/search";
import { brief, filterName } from "../../people/match";
import { t } from "../../text";
import { ValueEditor } from "./editor";
import { canDrop, change, drop, type Part, type Query } from "./query";

interface ChipsProps {
  query: Query;
  interpretation: Interpretation;
  onSearch: (query: Query) => void;
}

interface Chip extends Part {
  text: string;
  title: string;
  /** value is that of a filter, which is edited in place; the words of other parts are edited in the prompt. */
  value?: string;
}

/** Chips show how Kith understood a search: each part can be changed in place and removed. */
export function Chips({ query, interpretation, onSearch }: ChipsProps) {
  const [editing, setEditing] = useState<string | null>(null);
  const chips = chipsOf(interpretation);
  return (
    <section class="chips" aria-label={t.search.understood}>
      {chips.map((chip, i) => {
        const key = `${i} ${chip.text}`;
        return <One key={key} chip={chip} query={query} editing={editing === key} onSearch={onSearch}
          onEdit={(is) => { setEditing(is ? key : null); }} />;
      })}
      <span class="chip-holder">
        <button type="button" class="chip add" aria-expanded={editing === "add"}
          onClick={() => { setEditing(editing === "add" ? null : "add"); }}>
          <Plus size={14} aria-hidden="true" />{t.search.filter}
        </button>
        {editing === "add" && <ValueEditor field="" value="" onClose={() => { setEditing(null); }}
          onApply={(field, value) => { onSearch(change(query, { field }, value)); setEditing(null); }} />}
      </span>
      <Notes interpretation={interpretation} />
    </section>
  );
}

interface OneProps {
  chip: Chip;
  query: Query;
  editing: boolean;
  onEdit: (is: boolean) => void;
  onSearch: (query: Query) => void;
}

function One({ chip, query, editing, onEdit, onSearch }: OneProps) {
  const { text, title, field, value } = chip;
  if (!canDrop(query, chip)) return <span class="chip" title={title}><bdi>{text}</bdi></span>;
  const edit = () => {
    if (field !== undefined && value !== undefined) onEdit(!editing);
    else selectWords(chip.span ?? [0, 0]);
  };
  return (
    <span class="chip-holder">
      <span class="chip" title={title}>
        <button type="button" aria-label={t.search.change(text)} onClick={edit}><bdi>{text}</bdi></button>
        <button type="button" aria-label={t.search.removePart(text)} onClick={() => { onSearch(drop(query, [chip])); }}>
          <X size={13} aria-hidden="true" />
        </button>
      </span>
      {editing && field !== undefined && value !== undefined && (
        <ValueEditor field={field} value={value} onClose={() => { onEdit(false); }}
          onApply={(to, text_) => {
            onEdit(false);
            onSearch(to === field ? change(query, { ...chip, field }, text_)
              : change(drop(query, [chip]), { field: to }, text_));
          }} />
      )}
    </span>
  );
}

/** selectWords selects words of the prompt, by their span in code points. */
function selectWords(span: readonly number[]): void {
  const field = document.getElementById("prompt");
  if (!(field instanceof HTMLTextAreaElement)) return;
  const letters = Array.from(field.value);
  const [from, to] = [span[0] ?? 0, span[1] ?? 0].map((n) => letters.slice(0, n).join("").length);
  field.focus();
  field.setSelectionRange(from ?? 0, to ?? 0);
}

/** chipsOf returns the parts of an interpretation. */
export function chipsOf({ filters, preferences = [], conditions, criteria, steps, network }: Interpretation): Chip[] {
  const whom = network && {
    ...network, field: undefined, title: network.text, text: networkText(network, steps.map((s) => s.says)),
  };
  return [
    ...(whom ? [whom] : []),
    ...filters.map((f) => ({ ...f, text: filterText(f), title: `${filterName(f.field)}: ${f.value}` })),
    ...preferences.map((p) => ({ span: p.span, text: t.search.preferably(filterText(p)), title: p.value })),
    ...conditions.map((c) => ({ span: c.span, text: c.excluded ? t.search.not(c.says) : c.says, title: c.says })),
    ...criteria.map((c) => ({ span: c.span, text: c.name, title: c.formula })),
  ];
}

const long = 40; // characters; longer values are named by the words of the prompt

function filterText({ field, value, text, excluded }: Interpretation["filters"][number]): string {
  const name = filterName(field);
  if (excluded) return t.search.not(`${name}: ${brief(value).replaceAll(/(^|, )-/g, "$1")}`);
  return `${name}: ${value.length > long && text ? text : brief(value).replaceAll('"', "")}`;
}

function networkText(network: NonNullable<Interpretation["network"]>, steps: string[]): string {
  if (network.introducers_of !== null) return t.search.introduces(steps[network.introducers_of] ?? "");
  const degrees = network.degrees.toSorted((a, b) => a - b).join("");
  const who = degrees === "1" ? t.search.network[1] : degrees === "2" ? t.search.network[2] : t.search.network[12];
  return network.order === "strength" || network.last_contact ? t.search.strongest(who) : who;
}

/** Notes say what else there is to know about the interpretation. */
function Notes({ interpretation: { steps, corrections, ignored, notes } }: { interpretation: Interpretation }) {
  const all = [
    ...steps.map((s) => t.search.step(s.says, s.found, s.people.map((p) => p.full_name).join(", "))),
    ...corrections.map((c) => t.search.corrected(c.to, c.from)),
    ...(ignored.length > 0 ? [t.search.ignored(ignored.join(", "))] : []),
    ...notes,
  ];
  return all.length === 0 ? null : <p class="chips-notes">{all.map((one) => <bdi key={one}>{one}</bdi>)}</p>;
}
