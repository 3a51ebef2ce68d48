import { Ban, RotateCw } from "lucide-preact";
import { api, ask, type Schemas } from "../../api/client";
import { Button } from "../../parts/button";
import { More } from "../../parts/more";
import { Failed, Skeleton } from "../../parts/states";
import { attempt, notify } from "../../state/notice";
import { usePages } from "../../state/pages";
import { type Given, set } from "../../state/route";
import { t } from "../../text";
import { ago, exactly } from "../../text/format";

type Job = Schemas["WorkList"]["data"][number];

const states = ["queued", "running", "succeeded", "failed", "canceled"] as const;

/** Jobs lists the background work: what failed can be tried again, what runs can be canceled. */
export function Jobs({ given }: { given: Given }) {
  const state = states.find((one) => one === given["state"]);
  const list = usePages((query, signal) =>
    ask(api.GET("/v2/admin/jobs", { params: { query: { ...query, ...(state && { state }) } }, signal })), [state]);
  const act = (one: Job, what: (path: { id: number }) => Promise<unknown>, done: string) => {
    void attempt(async () => {
      await what({ id: one.id });
      list.reload();
      notify(done);
    });
  };
  return (
    <div class="page">
      <div class="actions">
        <select class="which" aria-label={t.admin.state} value={state ?? ""}
          onChange={(e) => { set({ state: e.currentTarget.value }, true); }}>
          <option value="">{t.admin.allJobs}</option>
          {states.map((one) => <option key={one} value={one}>{t.admin.states[one]}</option>)}
        </select>
        <Button icon={RotateCw} busy={list.loading} onClick={list.reload}>{t.admin.reload}</Button>
      </div>
      {list.error ? <Failed error={list.error} retry={list.reload} /> : !list.data && <Skeleton />}
      {list.data?.length === 0 && <p class="soft">{t.admin.noJobs}</p>}
      <ul class="entries" role="list" aria-label={t.admin.views.jobs}>
        {list.data?.map((one) => (
          <Row key={one.id} one={one}
            onCancel={() => { act(one, cancel, t.admin.canceled(one.id)); }}
            onRetry={() => { act(one, retry, t.admin.queued(one.id)); }} />
        ))}
      </ul>
      <div class="actions"><More more={list.more} loading={list.loading} /></div>
    </div>
  );
}

const cancel = (path: { id: number }) => ask(api.DELETE("/v2/admin/jobs/{id}", { params: { path } }));
const retry = (path: { id: number }) => ask(api.POST("/v2/admin/jobs/{id}/retry", { params: { path } }));

function Row({ one, onCancel, onRetry }: { one: Job; onCancel: () => void; onRetry: () => void }) {
  const open = one.state === "queued" || one.state === "running";
  const failed = one.state === "failed" || one.state === "canceled";
  const name = `${one.kind} ${one.id}`;
  return (
    <li class="card">
      <div>
        <h2>{name}{one.about && <>: <bdi>{one.about}</bdi></>}{" "}
          <span class={one.state === "failed" ? "tag bad" : "tag"}>{t.admin.states[one.state]}</span></h2>
        <p class="soft" title={exactly(one.created_at)}>
          {t.admin.jobAbout(one.attempt, one.attempts, ago(one.created_at), one.ended_at && ago(one.ended_at))}
        </p>
        {one.error && <p class="bad"><bdi>{one.error.message}</bdi></p>}
      </div>
      {open && (
        <Button icon={Ban} aria-label={`${t.admin.cancel}: ${name}`} onClick={onCancel}>{t.admin.cancel}</Button>
      )}
      {failed && <Button icon={RotateCw} aria-label={`${t.retry}: ${name}`} onClick={onRetry}>{t.retry}</Button>}
    </li>
  );
}
