import { Building2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client";
import { Button } from "../../parts/button";
import { Combobox, type Option } from "../../parts/combobox";
import { Initials } from "../../parts/initials";
import { Empty, Failed, Skeleton } from "../../parts/states";
import { Ways } from "../../people/ways";
import { useLoad } from "../../state/load";
import { go, type Given, href } from "../../state/route";
import { useSettled } from "../../state/settled";
import { t } from "../../text";
import "../../people/people.css";
import "./network.css";
import { reach, type Reach } from "./reach";

/** Paths shows who at a company the reader can reach, and the best ways to each. */
export default function Paths({ given }: { given: Given }) {
  const whom = given["whom"] ?? "";
  return (
    <div class="page network">
      <h1>{t.pages.paths}</h1>
      <Finder key={whom} start={whom} />
      {whom || given["person"] ? <Answer given={given} />
        : <Empty icon={Building2} title={t.paths.start} text={t.paths.startText} />}
    </div>
  );
}

const pause = 120; // ms after a keystroke

function Finder({ start }: { start: string }) {
  const [text, setText] = useState(start);
  const q = useSettled(text.trim(), pause);
  const { data: found = [] } = useLoad(async (signal) =>
    q.length < 2 || q === start ? [] : await suggested(q, signal), [q, start]);
  return (
    <form class="actions ask" role="search" onSubmit={(e) => {
      e.preventDefault();
      if (text.trim()) go("paths", { whom: text.trim() });
    }}>
      <Combobox label={t.paths.label} value={text} options={found} onInput={setText} autofocus={start === ""}
        onPick={({ id, text: name }) => {
          go("paths", id.startsWith("person ") ? { person: id.slice("person ".length) } : { whom: name });
        }} />
      <Button type="submit" kind="main">{t.paths.find}</Button>
    </form>
  );
}

async function suggested(q: string, signal: AbortSignal): Promise<Option[]> {
  const of = (field: "company" | "person") =>
    ask(api.GET("/v2/suggest", { params: { query: { field, q: q.slice(0, 100), limit: 5 } }, signal }));
  const [companies, people] = await Promise.all([of("company"), of("person")]);
  return [
    ...companies.data.map(({ text }) => ({ id: `company ${text}`, text, aside: t.palette.company })),
    ...people.data.flatMap(({ person }) => person
      ? [{ id: `person ${person.id}`, text: person.full_name, aside: person.headline }] : []),
  ];
}

function Answer({ given }: { given: Given }) {
  const { whom, company, person } = given;
  const { data, error, loading, reload } = useLoad((signal) => reach(given, signal), [whom, company, person]);
  if (error !== null) return <Failed error={error} retry={reload} />;
  if (!data) return loading ? <Skeleton /> : null;
  if (data.choice) return <Choice whom={whom ?? ""} companies={data.choice} />;
  return (
    <>
      {data.company && <About company={data.company} count={data.targets.length} total={data.total} />}
      {data.targets.length === 0 && (
        <Empty title={data.company ? t.paths.nobody : t.paths.unknown} text={t.person.noWays}>
          <a class="button main" href={href("import")}>{t.pages.import}</a>
        </Empty>
      )}
      {data.targets.map(({ target, paths }) => (
        <section key={target.id} class="card target">
          <Initials name={target.full_name} />
          <div>
            <h2><a href={href("search", { person: target.id })}><bdi>{target.full_name}</bdi></a></h2>
            <p><bdi>{target.headline}</bdi></p>
            <Ways paths={paths} name={target.full_name} />
          </div>
        </section>
      ))}
    </>
  );
}

/** Choice asks which of the companies of one name is meant. */
function Choice({ whom, companies }: { whom: string; companies: NonNullable<Reach["choice"]> }) {
  return (
    <section class="card">
      <h2>{t.paths.several(whom)}</h2>
      <ul role="list">
        {companies.map((one) => (
          <li key={one.id}>
            <a href={href("paths", { whom, company: one.id })}><bdi>{one.name}</bdi></a>{" "}
            <span class="soft">{[one.domain || one.social_url, one.industry].filter(Boolean).join(" · ")}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function About({ company, count, total }: { company: NonNullable<Reach["company"]>; count: number; total: number }) {
  const facts = [company.industry, company.domain,
    company.employee_count ? t.person.employees(company.employee_count) : ""];
  return (
    <section class="card company">
      <Initials name={company.name} large />
      <div>
        <h2><bdi>{company.name}</bdi></h2>
        <p class="soft">{facts.filter(Boolean).join(" · ")}</p>
        <p>{t.paths.reach(count, total)}</p>
      </div>
      <a class="button quiet" href={href("search", { company: company.name })}>{t.paths.everyone}</a>
    </section>
  );
}
