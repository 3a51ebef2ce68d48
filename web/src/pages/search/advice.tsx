import { Button } from "../../parts/button";
import { brief, filterName } from "../../people/match";
import { t } from "../../text";
import { number } from "../../text/format";
import { useSuggestions } from "./editor";
import type { Found } from "./finder";
import { canDrop, change, drop, literal, type Query, valuesOf } from "./query";

interface AdviceProps {
  query: Query;
  found: Found;
  onSearch: (query: Query) => void;
}

/** Meant offers other likely readings of the prompt. If Kith doubts its own reading, it asks. */
export function Meant({ query, found, onSearch }: AdviceProps) {
  const read = found.interpretation;
  const others = read?.question?.answers ?? read?.alternatives ?? [];
  if (!query.prompt || others.length === 0) return null;
  return (
    <div class={read?.question ? "advice asks" : "advice"} role="group" aria-label={t.search.meant}>
      <span>{t.search.meant}</span>
      {others.map(({ reading, says }) => (
        <Button key={reading} title={says} onClick={() => { onSearch({ ...query, reading }); }}>
          <bdi>{brief(says)}</bdi>
        </Button>
      ))}
    </div>
  );
}

const most = 4; // suggestions, to keep the people in view

/** Wider offers the search without some conditions, with the number of people each would have. */
export function Wider({ query, found, onSearch }: AdviceProps) {
  const parts = found.interpretation?.filters ?? [];
  const offers = (found.told?.without ?? []).flatMap(({ fields, count, is_capped: capped }) => {
    const gone = parts.filter((p) => fields.includes(p.field));
    const possible = fields.every((f) => gone.some((p) => p.field === f)) && gone.every((p) => canDrop(query, p));
    if (!possible) return [];
    const says = t.search.without(gone.map((p) => p.text || brief(p.value)).join(t.search.and));
    return [{ says, count: capped ? t.search.orMore(number(count)) : number(count), gone }];
  }).slice(0, most);
  if (offers.length === 0) return null;
  return (
    <div class="advice" role="group" aria-label={t.search.giveUp}>
      {offers.map(({ says, count, gone }) => (
        <Button key={says} onClick={() => { onSearch(drop(query, gone)); }}><bdi>{says}</bdi>: {count}</Button>
      ))}
    </div>
  );
}

/** Similar offers known names like the first one of the search that nobody has. */
export function Similar({ query, found, onSearch }: AdviceProps) {
  const { field = "", value = "" } = found.told?.unknown?.[0] ?? {};
  const part = found.interpretation?.filters.find((p) => p.field === field);
  const options = useSuggestions(field, (valuesOf(value)[0] ?? "").replace(/^[=+]?"?/, ""));
  if (!part || !canDrop(query, part) || options.length === 0) return null;
  return (
    <div class="advice" role="group" aria-label={t.search.similar}>
      <span>{t.search.similar}</span>
      {options.slice(0, most).map(({ id, text }) => (
        <Button key={id} onClick={() => { onSearch(change(query, part, literal(id))); }}><bdi>{text}</bdi></Button>
      ))}
    </div>
  );
}

/** nobody says why no one matches, and what helps. */
export function nobody(query: Query, { told, people }: Found): string {
  const unknown = told?.unknown ?? [];
  if (unknown.length > 0) return unknown.map(stranger).join(" ");
  const no = query.scope === "reach" ? t.search.nobodyInReach : t.search.nobody;
  return `${no} ${people.length > 0 ? t.search.closestBelow : t.search.widen}`;
}

function stranger({ field, value }: { field: string; value: string }): string {
  const names = valuesOf(value).map((one) => one.replace(/^[=+]?"?/, "")).join(t.search.or);
  const verbs: Record<string, string> = t.search.strangers;
  return t.search.stranger(verbs[field] ?? t.search.strangerOf(filterName(field)), names);
}
