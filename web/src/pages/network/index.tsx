import { Users } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask, type Schemas } from "../../api/client";
import { Button } from "../../parts/button";
import { Empty, Failed, Skeleton } from "../../parts/states";
import { type Pages, usePages } from "../../state/pages";
import { go, type Given, href, set } from "../../state/route";
import { me } from "../../state/session";
import { t } from "../../text";
import { Duplicates } from "./duplicates";
import { Known } from "./known";
import "../../people/people.css";
import "./network.css";
import { Pictures } from "./pictures";
import { outOfTouch, type Relationship } from "./relationship";

const views = ["known", "duplicates"] as const;
const step = 10; // pages of 100 people

/** Network shows the people that the reader knows: as pictures, as a table, and those out of touch. */
export default function Network({ given }: { given: Given }) {
  const list = usePages((query, signal) => ask(api.GET("/v2/user/relationships", { params: { query }, signal })),
    [me.value?.id], step);
  const { data, error, loading, reload } = list;
  const view = given["show"] === "duplicates" ? "duplicates" : "known";
  return (
    <div class="page network">
      <h1>{t.pages.people}</h1>
      <Ask />
      <div class="actions" role="tablist" aria-label={t.pages.people}>
        {views.map((one) => (
          <Button key={one} role="tab" aria-selected={one === view} kind={one === view ? "quiet" : "plain"}
            onClick={() => { set({ show: one === "known" ? undefined : one }); }}>{t.network.views[one]}</Button>
        ))}
      </div>
      {view === "duplicates" ? <Duplicates /> : (
        <>
          {error !== null && <Failed error={error} retry={reload} />}
          {!data && loading && <Skeleton />}
          {data?.length === 0 && <Nobody />}
          {data && data.length > 0 && <Everybody all={data} list={list} />}
        </>
      )}
    </div>
  );
}

/** Ask leads to the ways to a company or a person. */
function Ask() {
  const [whom, setWhom] = useState("");
  return (
    <form class="actions ask" role="search" onSubmit={(e) => {
      e.preventDefault();
      if (whom.trim()) go("paths", { whom: whom.trim() });
    }}>
      <input aria-label={t.paths.label} placeholder={t.network.whom} dir="auto" value={whom}
        onInput={(e) => { setWhom(e.currentTarget.value); }} />
      <Button type="submit">{t.paths.find}</Button>
    </form>
  );
}

function Nobody() {
  return (
    <Empty icon={Users} title={t.firstRun.title} text={t.firstRun.text}>
      <a class="button main" href={href("import")}>{t.pages.import}</a>
    </Empty>
  );
}

function Everybody({ all, list }: { all: Relationship[]; list: Pages<Relationship> }) {
  const lost = outOfTouch(all, Date.now());
  return (
    <>
      <Pictures />
      {lost.length > 0 && (
        <section class="card">
          <h2>{t.network.lost}</h2>
          <ul class="lost" role="list">
            {lost.slice(0, 5).map((one) => (
              <li key={one.id}>
                <Name person={one.person} /> <span class="soft">{t.network.lastContact(one.contact?.last ?? "")}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Known all={all} list={list} />
    </>
  );
}

/** Name links to a person. */
export function Name({ person }: { person: Schemas["PersonReference"] }) {
  return <a href={href("search", { person: person.id })}><bdi>{person.name}</bdi></a>;
}
