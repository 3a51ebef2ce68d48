import { Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";
import { More } from "../../parts/more";
import { Failed, Skeleton } from "../../parts/states";
import { attempt, notify } from "../../state/notice";
import { usePages } from "../../state/pages";
import { t } from "../../text";
import { ago, exactly } from "../../text/format";

/** Suppressions lists the addresses that no one of the app can write to, and adds one. */
export function Suppressions() {
  const list = usePages((query, signal) => ask(api.GET("/v2/suppressions", { params: { query }, signal })), []);
  const [address, setAddress] = useState("");
  const put = (one: string) => ask(api.POST("/v2/suppressions", { body: { address: one } }));
  const add = () => attempt(async () => {
    const { data } = await put(address.trim());
    setAddress("");
    list.reload();
    notify(t.settings.suppressed(data.address));
  });
  const remove = (id: string, one: string) => attempt(async () => {
    await ask(api.DELETE("/v2/suppressions/{id}", { params: { path: { id } } }));
    list.reload();
    notify(t.settings.released(one), { undo: async () => { await put(one); list.reload(); } });
  });
  if (list.error) return <Failed error={list.error} retry={list.reload} />;
  if (!list.data) return <Skeleton rows={2} />;
  return (
    <>
      <p class="soft">{t.settings.suppressionsText}</p>
      <ul class="entries" role="list" aria-label={t.settings.views.suppressions}>
        {list.data.map((one) => (
          <li key={one.id} class="card">
            <div>
              <h2><bdi>{one.address}</bdi></h2>
              <p class="soft" title={exactly(one.created_at)}>
                {t.settings.reasons[one.reason]}, {ago(one.created_at)}
              </p>
            </div>
            {one.removable && (
              <Button icon={Trash2} aria-label={`${t.remove}: ${one.address}`}
                onClick={() => { void remove(one.id, one.address); }}>{t.remove}</Button>
            )}
          </li>
        ))}
      </ul>
      <More more={list.more} loading={list.loading} />
      <form class="card form" autocomplete="off" onSubmit={(e) => { e.preventDefault(); void add(); }}>
        <Field label={t.settings.suppress}>
          {(attributes) => <input {...attributes} type="email" value={address} placeholder="jane@example.com"
            maxLength={254} required onInput={(e) => { setAddress(e.currentTarget.value); }} />}
        </Field>
        <div class="actions"><Button kind="main" type="submit">{t.act.add}</Button></div>
      </form>
    </>
  );
}
