import { useState } from "preact/hooks";
import { api, ask, type Schemas } from "../../api/client";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";
import { More } from "../../parts/more";
import { Split } from "../../parts/split";
import { Failed, Skeleton } from "../../parts/states";
import { attempt } from "../../state/notice";
import { usePages } from "../../state/pages";
import { type Given, href, set } from "../../state/route";
import { t } from "../../text";
import { OneApp } from "./app";

export type App = Schemas["AppList"]["data"][number];

/** Shown is a secret that the server shows only once, with what it is. */
export interface Shown {
  label: string;
  hint: string;
  value: string;
}

/** Apps lists the apps of the server, one of them open beside the list. */
export function Apps({ given }: { given: Given }) {
  const list = usePages((query, signal) => ask(api.GET("/v2/admin/apps", { params: { query }, signal })), []);
  const [secret, setSecret] = useState<Shown | null>(null);
  const open = list.data?.find((one) => String(one.id) === given["app"]);
  if (list.error) return <Failed error={list.error} retry={list.reload} />;
  if (!list.data) return <Skeleton />;
  const close = () => {
    setSecret(null);
    set({ app: undefined });
  };
  return (
    <Split open={Boolean(open)} label={t.admin.app} onClose={close}
      list={(
        <>
          <NewApp onMade={(id, value) => {
            setSecret({ label: t.admin.secretKey, hint: t.settings.once, value });
            set({ app: id });
            list.reload();
          }} />
          <ul class="rows" role="list" aria-label={t.admin.views.apps}>
            {list.data.map((one) => (
              <li key={one.id}>
                <a href={href("admin", { app: one.id })} aria-current={one.id === open?.id ? "true" : undefined}
                  onClick={() => { setSecret(null); }}>
                  <strong><bdi>{one.name}</bdi></strong>
                  <span class="soft">{t.admin.counts(one.keys, one.users)}</span>
                </a>
              </li>
            ))}
          </ul>
          <div class="actions center"><More more={list.more} loading={list.loading} /></div>
        </>
      )}
      aside={open
        ? <OneApp key={open.id} app={open} secret={secret} onSecret={setSecret} onChange={list.reload}
            onGone={() => { close(); list.reload(); }} />
        : <p class="hint soft">{t.admin.chooseApp}</p>} />
  );
}

function NewApp({ onMade }: { onMade: (id: number, secret: string) => void }) {
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const create = async () => {
    setBusy(true);
    await attempt(async () => {
      const { data } = await ask(api.POST("/v2/admin/apps", { body: { name: name.trim() } }));
      setName("");
      onMade(data.id, data.secret_key);
    });
    setBusy(false);
  };
  return (
    <form class="list-head one-line" autocomplete="off" onSubmit={(e) => { e.preventDefault(); void create(); }}>
      <Field label={t.admin.newApp}>
        {(attributes) => <input {...attributes} value={name} maxLength={100} required
          onInput={(e) => { setName(e.currentTarget.value); }} />}
      </Field>
      <Button kind="main" type="submit" busy={busy}>{t.outreach.create}</Button>
    </form>
  );
}
