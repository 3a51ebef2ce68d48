import { Ellipsis } from "lucide-preact";
import { memo } from "preact/compat";
import type { Person } from "../api/search";
import { Menu } from "../parts/menu";
import { Initials } from "../parts/initials";
import { t } from "../text";
import { actionsFor, type Act, mainAction } from "./actions";
import { Marked } from "./marked";
import { filterName, inYears, missing, place, telling, wantedWords, way, work } from "./match";
import { Button } from "../parts/button";
import "./people.css";

interface RowProps {
  person: Person;
  /** index is the position among all people shown; nth is that in the list, which has so many. */
  index: number;
  nth: number;
  of: number;
  href: string;
  open: boolean;
  selected: boolean;
  /** focusable makes the row the one that Tab reaches. */
  focusable: boolean;
  onSelect: (person: Person) => void;
  onAct: (act: Act, people: Person[]) => void;
}

/** PersonRow shows a person in a list: the name leads to the person, the box selects, the button does the usual. */
export const PersonRow = memo(function PersonRow(props: RowProps) {
  const { person, index, nth, of, href, open, selected, focusable, onSelect, onAct } = props;
  const words = wantedWords(person);
  const main = mainAction(person);
  return (
    <li class={`person${open ? " open" : ""}${selected ? " selected" : ""}`} aria-setsize={of}
      aria-posinset={nth + 1}>
      <span class="person-mark">
        <Initials name={person.full_name} />
        <input type="checkbox" tabIndex={-1} aria-label={t.person.select(person.full_name)} checked={selected}
          onChange={() => { onSelect(person); }} />
      </span>
      <div class="person-text">
        <p class="person-name">
          <a href={href} data-index={index} tabIndex={focusable ? 0 : -1} aria-current={open || undefined}>
            <bdi>{person.full_name}</bdi>
          </a>
          <Way person={person} />
        </p>
        <p class="person-work"><Marked text={work(person) || person.headline} words={words} />
          <span class="soft person-place"><Marked text={place(person.location)} words={words} /></span>
        </p>
        <Why person={person} words={words} />
      </div>
      <div class="person-actions">
        {main && <Button tabIndex={-1} onClick={() => { onAct(main, [person]); }}>{t.act.short[main]}</Button>}
        <Menu label={`${t.person.actions}: ${person.full_name}`} icon={Ellipsis} inList
          items={actionsFor(person).map((act) => ({ text: t.act[act], act: () => { onAct(act, [person]); } }))} />
      </div>
    </li>
  );
});

/** Way says the degree of a person and how to reach them. */
export function Way({ person }: { person: Person }) {
  const degree = person.match?.network?.degree;
  if (!degree) return null;
  return (
    <span class="person-way">
      <span class={`degree degree-${degree}`}>
        {degree === 1 ? t.person.first : t.person.second}<span class="hidden"> {t.person.degree}</span>
      </span>
      <bdi class="soft" title={way(person)}>{way(person)}</bdi>
    </span>
  );
}

/** Why shows what the row does not say already: the evidence, or what is missing; else the headline. */
function Why({ person, words }: { person: Person; words: ReadonlySet<string> }) {
  const lacks = missing(person);
  if (lacks) return <p class="person-why lacks" title={lacks}><bdi>{t.search.missing(lacks)}</bdi></p>;
  const reason = telling(person);
  if (reason) {
    return (
      <p class="person-why" title={reason.evidence}>
        <span class="soft">{filterName(reason.field)}:</span> <Marked text={inYears(reason.evidence)} words={words} />
      </p>
    );
  }
  const job = work(person);
  const said = job === "" || job.startsWith(person.headline.replace(" @ ", " at "));
  return <p class="person-why soft">{!said && <Marked text={person.headline} words={words} />}</p>;
}
