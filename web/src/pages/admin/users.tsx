import { Link } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask, base, type Schemas } from "../../api/client";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";
import { More } from "../../parts/more";
import { Failed, Skeleton } from "../../parts/states";
import { attempt, notify } from "../../state/notice";
import { usePages } from "../../state/pages";
import { t } from "../../text";
import { ago, exactly } from "../../text/format";
import type { Shown } from "./apps";

type AppUser = Schemas["AppUserList"]["data"][number];
type LinkFor = Schemas["LoginLinkCreate"];

interface UsersProps {
  app: number;
  onSecret: (secret: Shown | null) => void;
  onChange: () => void;
}

/** Users lists the users of an app: each gets a sign-in link, or is disabled. */
export function Users({ app, onSecret, onChange }: UsersProps) {
  const path = { id: app };
  const list = usePages((query, signal) =>
    ask(api.GET("/v2/admin/apps/{id}/users", { params: { path, query }, signal })), [app]);
  const link = (of: LinkFor) => attempt(async () => {
    const { data } = await ask(api.POST("/v2/admin/apps/{id}/login-links", { params: { path }, body: of }));
    onSecret({ label: t.admin.link(of.external_user_id), hint: t.admin.linkHint(exactly(data.expires_at)),
      value: base + data.path });
    list.reload();
    onChange();
  });
  const change = (name: string, disabled: boolean) =>
    ask(api.PATCH("/v2/admin/apps/{id}/users", { params: { path }, body: { external_user_id: name, disabled } }));
  const disable = (name: string, disabled: boolean) => attempt(async () => {
    await change(name, disabled);
    list.reload();
    notify(disabled ? t.admin.disabled(name) : t.admin.enabled(name),
      { undo: async () => { await change(name, !disabled); list.reload(); } });
  });
  return (
    <section class="form" aria-labelledby="users-title">
      <h3 id="users-title">{t.admin.users}</h3>
      {list.error ? <Failed error={list.error} retry={list.reload} /> : !list.data && <Skeleton rows={2} />}
      {list.data?.length === 0 && <p class="soft">{t.admin.noUsers}</p>}
      <ul class="entries" role="list" aria-labelledby="users-title">
        {list.data?.map((one) => (
          <Row key={one.external_user_id} one={one}
            onLink={() => { void link({ external_user_id: one.external_user_id }); }}
            onDisable={(is) => { void disable(one.external_user_id, is); }} />
        ))}
      </ul>
      <More more={list.more} loading={list.loading} />
      <NewLink onAsk={link} />
    </section>
  );
}

interface RowProps {
  one: AppUser;
  onLink: () => void;
  onDisable: (disabled: boolean) => void;
}

function Row({ one, onLink, onDisable }: RowProps) {
  const of = (what: string) => `${what}: ${one.external_user_id}`;
  return (
    <li class="card">
      <div>
        <h2><bdi>{one.external_user_id}</bdi></h2>
        <p class="soft">{one.email && <><bdi>{one.email}</bdi>, </>}{t.admin.tokens(one.tokens)}
          {one.disabled_at && <>, <span class="bad">{t.admin.disabledSince(ago(one.disabled_at))}</span></>}</p>
      </div>
      <div class="actions">
        {one.disabled_at
          ? <Button aria-label={of(t.admin.enable)} onClick={() => { onDisable(false); }}>{t.admin.enable}</Button>
          : (
            <>
              <Button icon={Link} aria-label={of(t.admin.signInLink)} onClick={onLink}>{t.admin.signInLink}</Button>
              <Button aria-label={of(t.admin.disable)} onClick={() => { onDisable(true); }}>{t.admin.disable}</Button>
            </>
          )}
      </div>
    </li>
  );
}

function NewLink({ onAsk }: { onAsk: (of: LinkFor) => Promise<boolean> }) {
  const [user, setUser] = useState("");
  const [email, setEmail] = useState("");
  const [operator, setOperator] = useState(false);
  const create = async () => {
    if (!await onAsk({ external_user_id: user.trim(), ...(email && { email }), ...(operator && { operator }) })) return;
    setUser("");
    setEmail("");
    setOperator(false);
  };
  return (
    <form class="card form" autocomplete="off" onSubmit={(e) => { e.preventDefault(); void create(); }}>
      <div class="two">
        <Field label={t.admin.user}>
          {(attributes) => <input {...attributes} value={user} placeholder="u1" maxLength={255} required
            onInput={(e) => { setUser(e.currentTarget.value); }} />}
        </Field>
        <Field label={t.admin.userEmail}>
          {(attributes) => <input {...attributes} type="email" value={email} placeholder="jane@example.com"
            maxLength={254} onInput={(e) => { setEmail(e.currentTarget.value); }} />}
        </Field>
      </div>
      <label class="check">
        <input type="checkbox" checked={operator} onChange={(e) => { setOperator(e.currentTarget.checked); }} />
        {t.admin.operator}
      </label>
      <div class="actions"><Button kind="main" type="submit">{t.admin.createLink}</Button></div>
    </form>
  );
}
