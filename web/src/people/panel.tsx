import { Ellipsis, ExternalLink, Link, X } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { api, ask, type Schemas } from "../api/client";
import type { Person } from "../api/search";
import { Button, IconButton } from "../parts/button";
import { Initials } from "../parts/initials";
import { Menu, type MenuItem } from "../parts/menu";
import { Failed, Skeleton } from "../parts/states";
import { type Loaded, useLoad } from "../state/load";
import { href } from "../state/route";
import { t } from "../text";
import { month } from "../text/format";
import { actionsFor, type Act, mainAction } from "./actions";
import { filterName, inYears, place, profileAddress, reasons, work } from "./match";
import { Way } from "./row";
import { loadPaths, Strength, Ways } from "./ways";
import { copy, isAddress } from "./writing";
import "./people.css";

type Profile = Schemas["PersonAnswer"]["data"];

interface PanelProps {
  id: string;
  /** person is what a list knows of them already; with match it has the reasons. */
  person?: Person | undefined;
  onAct: (act: Act, people: Person[]) => void;
  onClose: () => void;
}

/** PersonPanel shows a person in full: ways, reasons, career, education and skills. */
export function PersonPanel({ id, person, onAct, onClose }: PanelProps) {
  const params = { path: { id } };
  const profile = useLoad(async (signal) =>
    (await ask(api.GET("/v2/people/{id}/profile", { params, signal }))).data, [id]);
  const paths = useLoad((signal) => loadPaths(id, signal), [id]);
  const known = profile.data && !person?.match ? withDegree(profile.data, paths.data?.paths) : person;
  return (
    <article class="panel" aria-label={known?.full_name}>
      <div class="panel-close"><IconButton label={t.close} icon={X} onClick={onClose} /></div>
      {known && <Head person={known} onAct={onAct} />}
      {known && (
        <Section title={t.person.ways}>
          <Later of={paths} rows={1}>{(data) => <Ways paths={data.paths} name={known.full_name} />}</Later>
        </Section>
      )}
      {person && <Reasons person={person} />}
      <Later of={profile} rows={4}>{(data) => <Record profile={data} />}</Later>
    </article>
  );
}

/** Later shows what is loaded, once it is. */
function Later<T>({ of, rows, children }: { of: Loaded<T>; rows: number; children: (data: T) => ComponentChildren }) {
  if (of.error) return <Failed error={of.error} retry={of.reload} />;
  return <>{of.data ? children(of.data) : <Skeleton rows={rows} />}</>;
}

/** withDegree gives a person the degree that the ways to them show. */
function withDegree(profile: Profile, paths: Schemas["Path"][] | undefined): Person {
  const first = paths?.[0];
  const degree = first ? first.type === "direct" ? 1 : 2 : null;
  const introducers = (paths ?? []).flatMap((p, rank) => p.introducer
    ? [{ social_identifier: "", name: p.introducer.profile.full_name, rank, is_direct: true }] : []);
  return { ...profile, match: { network: { degree, introducers } } };
}

function Head({ person, onAct }: { person: Person; onAct: PanelProps["onAct"] }) {
  const main = mainAction(person);
  const address = profileAddress(person);
  const items: MenuItem[] = [
    ...actionsFor(person).filter((act) => act !== "list")
      .map((act) => ({ text: t.act[act], act: () => { onAct(act, [person]); } })),
    { text: t.person.copyLink, icon: Link,
      act: () => { void copy(new URL(href("search", { person: person.id }), document.baseURI).href); } },
    ...(address ? [{ text: t.person.profile, icon: ExternalLink, act: () => { leave(address); } }] : []),
  ];
  const company = person.work_relevant?.company;
  const staff = company?.employee_count ? t.person.employees(company.employee_count) : "";
  return (
    <header class="panel-head">
      <Initials name={person.full_name} large />
      <div>
        <h2><bdi>{person.full_name}</bdi></h2>
        <p><bdi>{work(person) || person.headline}</bdi></p>
        <p class="soft"><bdi>{[place(person.location), company?.industry, staff].filter(Boolean).join(" · ")}</bdi></p>
        <Way person={person} />
        <div class="actions">
          {main && <Button kind="main" onClick={() => { onAct(main, [person]); }}>{t.act[main]}</Button>}
          <Button onClick={() => { onAct("list", [person]); }}>{t.act.list}</Button>
          <Menu label={t.person.actions} icon={Ellipsis} items={items} />
        </div>
      </div>
    </header>
  );
}

function leave(address: string): void {
  window.open(address, "_blank", "noopener");
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return <section class="panel-section"><h3>{title}</h3>{children}</section>;
}

function Reasons({ person }: { person: Person }) {
  const all = reasons(person);
  const introduces = person.match?.network?.introduces ?? [];
  return (
    <>
      {all.length > 0 && (
        <Section title={t.person.why}>
          <dl class="reasons">
            {all.map((r) => (
              <div key={r.criterion} title={r.criterion}>
                <dt>{filterName(r.field)}{r.satisfied !== "yes" && ` (${t.person[r.satisfied]})`}</dt>
                <dd><bdi>{inYears(r.evidence)}</bdi></dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      {introduces.length > 0 && (
        <Section title={t.person.introductions}>
          <ul class="ways" role="list">
            {introduces.map((i) => (
              <li key={i.person.id} class="way">
                <Strength score={i.score} label={i.score_label} />
                <a href={href("search", { person: i.person.id })}><bdi>{i.person.full_name}</bdi></a>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Record({ profile }: { profile: Profile }) {
  const now = profile.work_relevant ? [profile.work_relevant] : [];
  const jobs = profile.work_history.length > 0 ? profile.work_history : now;
  return (
    <>
      {profile.email && (
        <Section title={t.person.email}>
          {isAddress(profile.email) ? <a href={`mailto:${profile.email}`}>{profile.email}</a> : profile.email}
        </Section>
      )}
      {profile.about_me && <Section title={t.person.about}><p><bdi>{profile.about_me}</bdi></p></Section>}
      {jobs.length > 0 && (
        <Section title={t.person.career}>
          <Timeline entries={jobs.map((job) => ({ ...job, first: job.title, second: job.company.name }))} />
        </Section>
      )}
      {profile.education_history.length > 0 && (
        <Section title={t.person.education}>
          <Timeline entries={profile.education_history.map((e) =>
            ({ ...e, first: [e.degree, e.field_of_study].filter(Boolean).join(", "), second: e.institute }))} />
        </Section>
      )}
      {profile.skills.length > 0 && (
        <Section title={t.person.skills}>
          <ul class="skills" role="list">{profile.skills.map((s) => <li key={s}><bdi>{s}</bdi></li>)}</ul>
        </Section>
      )}
    </>
  );
}

interface Entry {
  first: string;
  second: string;
  start_date: string | null;
  start_date_precision?: string;
  end_date: string | null;
  end_date_precision?: string;
}

function Timeline({ entries }: { entries: Entry[] }) {
  return (
    <ol class="timeline" role="list">
      {entries.map((entry, i) => (
        <li key={i}>
          <span>
            <bdi>{entry.first || entry.second}</bdi>
            {entry.first && entry.second && <bdi class="soft"> {entry.second}</bdi>}
          </span>
          <span class="soft">{period(entry)}</span>
        </li>
      ))}
    </ol>
  );
}

function period(entry: Entry): string {
  if (!entry.start_date && !entry.end_date) return t.person.unknownDates;
  const end = month(entry.end_date, entry.end_date_precision) || t.person.today;
  return `${month(entry.start_date, entry.start_date_precision) || "?"} – ${end}`;
}
