import { Hammer, Trash2 } from "lucide-preact";
import { useEffect } from "preact/hooks";
import { api, ask, type Schemas } from "../../api/client";
import { Button } from "../../parts/button";
import { Failed, Skeleton } from "../../parts/states";
import { useLoad } from "../../state/load";
import { attempt, notify } from "../../state/notice";
import { t } from "../../text";
import { ago, number } from "../../text/format";

type State = Schemas["IndexAnswer"]["data"];

const pause = 2000; // ms, between questions about a rebuild

/** Index shows the search index, and rebuilds it. */
export function Index() {
  const { data, error, reload } = useLoad(async (signal) =>
    (await ask(api.GET("/v2/admin/index", { signal }))).data, []);
  const running = data?.rebuild?.status === "running";
  useEffect(() => {
    if (!running) return undefined;
    const timer = setTimeout(reload, pause);
    return () => { clearTimeout(timer); };
  }, [running, data, reload]);
  const rebuild = () => attempt(async () => {
    await ask(api.POST("/v2/admin/index/rebuild"));
    reload();
    notify(t.admin.rebuilding);
  });
  const prune = () => attempt(async () => {
    const { data: { dropped } } = await ask(api.POST("/v2/admin/index/prune"));
    reload();
    notify(t.admin.dropped(dropped));
  });
  if (error) return <Failed error={error} retry={reload} />;
  if (!data) return <Skeleton rows={3} />;
  return (
    <div class="page">
      <section class="card form" aria-label={t.admin.views.index}>
        <dl class="facts">
          {rows(data).map(([name, is]) => <div key={name}><dt>{name}</dt><dd><bdi>{is}</bdi></dd></div>)}
        </dl>
        {running && data.rebuild && (
          <progress max={data.rebuild.total} value={data.rebuild.done} aria-label={t.admin.rebuild} />
        )}
        <div class="actions">
          <Button icon={Hammer} busy={running} onClick={() => { void rebuild(); }}>{t.admin.rebuild}</Button>
          <Button icon={Trash2} onClick={() => { void prune(); }}>{t.admin.prune}</Button>
        </div>
      </section>
    </div>
  );
}

function rows(index: State): [string, string][] {
  return [
    [t.admin.engine, index.engine],
    [t.admin.state, index.is_complete && index.is_current ? t.admin.complete : t.admin.building],
    [t.admin.people, t.admin.part(index.people.indexed, index.people.stored)],
    [t.admin.companies, t.admin.part(index.companies.indexed, index.companies.stored)],
    [t.admin.waiting, number(index.waiting)],
    [t.admin.versions, index.versions.map((v) => v.active ? t.admin.active(v.name) : v.name).join(", ")],
    [t.admin.lastRebuild, rebuilt(index.rebuild)],
  ];
}

/** rebuilt says how the last rebuild went. */
function rebuilt(one: State["rebuild"]): string {
  if (!one) return t.admin.neverRebuilt;
  if (one.status === "running") return t.admin.rebuildRuns(one.done, one.total);
  const when = one.ended_at ? ago(one.ended_at) : "";
  return one.status === "failed" ? t.admin.rebuildFailed(when) : t.admin.rebuildEnded(when);
}
