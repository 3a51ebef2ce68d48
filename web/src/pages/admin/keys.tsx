import { Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask, type Schemas } from "../../api/client";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";
import { Failed, Skeleton } from "../../parts/states";
import { useLoad } from "../../state/load";
import { attempt, confirm, notify } from "../../state/notice";
import { t } from "../../text";
import { ago } from "../../text/format";
import { Scopes } from "../settings/scopes";
import type { Shown } from "./apps";

type Key = Schemas["KeyList"]["data"][number];
type Scope = Schemas["KeyScope"];

const scopes: Scope[] = ["tokens", "search", "relationships", "enrich", "refresh", "outreach:read", "outreach:write",
  "outreach:send", "privacy", "audit", "operator"];
const usual = scopes.slice(0, 8);

interface KeysProps {
  app: number;
  onSecret: (secret: Shown | null) => void;
  onChange: () => void;
}

/** Keys lists the secret keys of an app, and adds one. */
export function Keys({ app, onSecret, onChange }: KeysProps) {
  const list = useLoad(async (signal) =>
    (await ask(api.GET("/v2/admin/apps/{id}/keys", { params: { path: { id: app } }, signal }))).data, [app]);
  const changed = () => {
    list.reload();
    onChange();
  };
  const revoke = async (one: Key) => {
    if (!await confirm(t.admin.revokeTitle(one.name), t.admin.revokeText, t.settings.revoke)) return;
    await attempt(async () => {
      await ask(api.DELETE("/v2/admin/apps/{id}/keys/{key_id}", { params: { path: { id: app, key_id: one.id } } }));
      changed();
      notify(t.admin.keyRevoked(one.name));
    });
  };
  return (
    <section class="form" aria-labelledby="keys-title">
      <h3 id="keys-title">{t.admin.keys}</h3>
      {list.error ? <Failed error={list.error} retry={list.reload} /> : !list.data && <Skeleton rows={2} />}
      <ul class="entries" role="list" aria-labelledby="keys-title">
        {list.data?.map((one) => (
          <li key={one.id} class="card">
            <div>
              <h2><bdi>{one.name}</bdi></h2>
              <p class="soft">{one.scopes.map((scope) => t.settings.scopes[scope]).join(", ")}</p>
              <p class="soft">{t.admin.keyAbout(ago(one.created_at), one.last_used_at && ago(one.last_used_at),
                one.expires_at && ago(one.expires_at))}</p>
            </div>
            <Button icon={Trash2} aria-label={`${t.settings.revoke}: ${one.name}`}
              onClick={() => { void revoke(one); }}>{t.settings.revoke}</Button>
          </li>
        ))}
      </ul>
      <NewKey app={app} onMade={(value) => {
        onSecret({ label: t.admin.secretKey, hint: t.settings.once, value });
        changed();
      }} />
    </section>
  );
}

function NewKey({ app, onMade }: { app: number; onMade: (secret: string) => void }) {
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set(usual));
  const [days, setDays] = useState(0);
  const create = () => attempt(async () => {
    const given = { name: name.trim(), scopes: scopes.filter((one) => chosen.has(one)) };
    const body = { ...given, ...(days > 0 && { expires_in_days: days }) };
    const { data } = await ask(api.POST("/v2/admin/apps/{id}/keys", { params: { path: { id: app } }, body }));
    setName("");
    onMade(data.secret_key);
  });
  return (
    <details>
      <summary>{t.admin.addKey}</summary>
      <form class="card form" autocomplete="off" onSubmit={(e) => {
        e.preventDefault();
        if (chosen.size > 0) void create();
      }}>
        <Field label={t.admin.keyName}>
          {(attributes) => <input {...attributes} value={name} maxLength={100} required
            onInput={(e) => { setName(e.currentTarget.value); }} />}
        </Field>
        <Scopes scopes={scopes} chosen={chosen} onChange={setChosen} />
        <Field label={t.settings.lifetime}>
          {(attributes) => (
            <select {...attributes} value={days} onChange={(e) => { setDays(Number(e.currentTarget.value)); }}>
              <option value={0}>{t.admin.forever}</option>
              <option value={90}>{t.settings.days(90)}</option>
              <option value={365}>{t.settings.days(365)}</option>
            </select>
          )}
        </Field>
        <div class="actions">
          <Button kind="main" type="submit" disabled={chosen.size === 0}>{t.admin.addKey}</Button>
        </div>
      </form>
    </details>
  );
}
