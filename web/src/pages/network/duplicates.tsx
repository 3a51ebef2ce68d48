import { api, ask, everything, type Schemas } from "../../api/client";
import { Button } from "../../parts/button";
import { Empty, Failed, Skeleton } from "../../parts/states";
import { useLoad } from "../../state/load";
import { attempt, notify } from "../../state/notice";
import { me } from "../../state/session";
import { t } from "../../text";
import { ago, exactly } from "../../text/format";

type Pair = Schemas["DuplicateList"]["data"][number];
type Decision = "merge" | "apart" | null;

/** Duplicates shows pairs of records that may be one person, for the reader to decide, and the decisions. */
export function Duplicates() {
  const open = useLoad((signal) => everything((query) =>
    api.GET("/v2/people/duplicates", { params: { query }, signal })), [me.value?.id]);
  const decided = useLoad(async (signal) => (await ask(api.GET("/v2/people/duplicates/decided", { signal }))).data,
    [me.value?.id]);
  const decide = async (people: number[], decision: Decision) => {
    await ask(api.POST("/v2/people/duplicates", { body: { people, decision } }));
    open.reload();
    decided.reload();
  };
  const settle = (pair: Pair, decision: "merge" | "apart") => attempt(async () => {
    const people = pair.people.map((one) => one.id);
    await decide(people, decision);
    notify(t.network.decided[decision](namesOf(pair)), { undo: () => decide(people, null) });
  });
  if (open.error !== null) return <Failed error={open.error} retry={open.reload} />;
  if (!open.data) return <Skeleton rows={3} />;
  return (
    <>
      {open.data.length === 0 && <Empty title={t.network.noPairs} text={t.network.pairs} />}
      {open.data.map((pair) => (
        <section key={pair.people.map((one) => one.id).join()} class="card">
          <div class="pair">{pair.people.map((one) => <Side key={one.id} person={one} />)}</div>
          <p class="soft">{pair.reasons.join("; ")}</p>
          {pair.decidable
            ? (
              <div class="actions">
                <Button kind="main" onClick={() => { void settle(pair, "merge"); }}>{t.network.merge}</Button>
                <Button onClick={() => { void settle(pair, "apart"); }}>{t.network.apart}</Button>
              </div>
            )
            : <p class="soft">{t.network.operatorDecides}</p>}
        </section>
      ))}
      {decided.data && decided.data.length > 0 && (
        <details class="card">
          <summary>{t.network.decisions(decided.data.length)}</summary>
          <ul role="list">
            {decided.data.map((one) => (
              <li key={one.decided_at} class="actions">
                <span>{one.people.map((p) => p.full_name).join(", ")}: {t.network[one.decision]}, <time
                  title={exactly(one.decided_at)} dateTime={one.decided_at}>{ago(one.decided_at)}</time></span>
                <Button onClick={() => { void attempt(() => decide(one.people.map((p) => p.id), null)); }}>
                  {t.undo}
                </Button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function namesOf(pair: Pair): string {
  return [...new Set(pair.people.map((one) => one.full_name))].join(", ");
}

function Side({ person }: { person: Pair["people"][number] }) {
  const job = person.work_relevant;
  const lines = [person.headline, job ? t.person.at(job.title, job.company.name) : "",
    [person.location.city, person.location.country].filter(Boolean).join(", "), person.social_url ?? ""];
  return (
    <div>
      <h2><bdi>{person.full_name}</bdi></h2>
      {[...new Set(lines.filter(Boolean))].map((line) => <p key={line}><bdi>{line}</bdi></p>)}
    </div>
  );
}
