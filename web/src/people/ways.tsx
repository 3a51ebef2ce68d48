import { useState } from "preact/hooks";
import { api, ask, type Schemas } from "../api/client";
import { Button } from "../parts/button";
import { href, route } from "../state/route";
import { t } from "../text";

type Path = Schemas["Path"];

/** loadPaths returns the ways to a person, strongest first. */
export async function loadPaths(id: number | string, signal: AbortSignal): Promise<Schemas["PathTarget"]> {
  return (await ask(api.POST("/v2/people/{id}/paths", { params: { path: { id: String(id) } }, signal }))).data;
}

const best = 3;

/** Ways shows the ways to a person in one line each: the best three, then the others. */
export function Ways({ paths, name }: { paths: Path[]; name: string }) {
  const [all, setAll] = useState(false);
  if (paths.length === 0) return <p class="soft">{t.person.noWays}</p>;
  const others = paths.length - best;
  return (
    <>
      <ul class="ways" role="list">
        {paths.slice(0, all ? undefined : best).map((path, i) => <Line key={i} path={path} name={name} />)}
      </ul>
      {others > 0 && (
        <Button kind="plain" aria-expanded={all} onClick={() => { setAll(!all); }}>
          {all ? t.person.fewerWays : t.person.moreWays(others)}
        </Button>
      )}
    </>
  );
}

/** Line is one way: you → the introducer → the person · how they know each other · how strong that is. */
function Line({ path, name }: { path: Path; name: string }) {
  const by = path.introducer?.profile;
  const why = (by ? path.starters : path.score_meta) ?? [];
  const all = [...(path.introducer?.score_meta ?? []), ...why].map(inFull).join("; ");
  const short = why[0] && inShort(why[0]);
  const arrow = <span class="soft" aria-hidden="true"> → </span>;
  return (
    <li class="way" title={all}>
      <span aria-hidden="true"><Strength score={path.score} label={path.score_label} /></span>
      <span>
        {t.person.you}{arrow}
        {by && <a href={href("search", { ...route.value.given, person: by.id })}><bdi>{by.full_name}</bdi></a>}
        {by && arrow}<bdi>{name}</bdi>
        <span class="soft"> · {[short, t.person.strength[path.score_label]].filter(Boolean).join(" · ")}</span>
      </span>
    </li>
  );
}

function inFull({ title, description }: Schemas["PathReason"]): string {
  return [title, description].filter(Boolean).join(", ");
}

/** inShort is a reason with its years: Worked together at Acme, 2019–2021. */
export function inShort({ title, description }: Schemas["PathReason"]): string {
  const years = /^(\d{4})(?:-\d\d)*(?: to (\d{4}|today)(?:-\d\d)*)?/.exec(description);
  if (!years) return title;
  const [, from = "", to = ""] = years;
  return `${title}, ${from}${to && to !== from ? `–${to}` : ""}`;
}

/** Strength shows the score of a relationship, from 0 to 10, as a bar, and says it in a word. */
export function Strength({ score, label }: { score: number; label: Path["score_label"] }) {
  const word = t.person.strength[label];
  return (
    <span class="strength" role="img" aria-label={word} title={`${word}. ${t.person.strengthTitle}`}>
      <span class={`strength-${label || "weak"}`} style={{ width: `${Math.max(6, score * 10)}%` }} />
    </span>
  );
}
