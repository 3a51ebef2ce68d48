import { KeyRound, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask, type Schemas } from "../../api/client";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";
import { Secret } from "../../parts/secret";
import { Failed, Skeleton } from "../../parts/states";
import { useLoad } from "../../state/load";
import { attempt, confirm, notify } from "../../state/notice";
import { href } from "../../state/route";
import { t } from "../../text";
import { ago, exactly } from "../../text/format";
import { Scopes } from "./scopes";

type Token = Schemas["OwnTokenList"]["data"][number];
type Scope = Schemas["Scope"];

const scopes: Scope[] = ["search", "relationships", "enrich", "refresh", "outreach:read", "outreach:write",
  "outreach:send"];
const usual: Scope[] = ["search", "relationships", "enrich"];
const lifetimes = [30, 90, 365] as const;

/** Tokens lists the tokens for scripts and agents, and creates one. */
export function Tokens() {
  const list = useLoad(async (signal) => (await ask(api.GET("/v2/user/tokens", { signal }))).data, []);
  const [made, setMade] = useState<string | null>(null);
  if (list.error) return <Failed error={list.error} retry={list.reload} />;
  if (!list.data) return <Skeleton rows={2} />;
  return (
    <>
      <p class="soft">{t.settings.tokensText} <a href={href("docs")}>{t.pages.docs}</a></p>
      {made && (
        <Secret label={t.settings.token} hint={t.settings.once} value={made} onClose={() => { setMade(null); }} />
      )}
      <ul class="entries" role="list" aria-label={t.settings.views.tokens}>
        {list.data.map((one) => <Row key={one.id} one={one} onGone={list.reload} />)}
      </ul>
      <NewToken onMade={(token) => { setMade(token); list.reload(); }} />
    </>
  );
}

function Row({ one, onGone }: { one: Token; onGone: () => void }) {
  const names = one.scopes.map((scope) => t.settings.scopes[scope]).join(", ");
  const revoke = async () => {
    if (!await confirm(t.settings.revokeTitle, t.settings.revokeText(names), t.settings.revoke)) return;
    await attempt(async () => {
      await ask(api.DELETE("/v2/user/tokens/{id}", { params: { path: { id: one.id } } }));
      onGone();
      notify(t.settings.revoked);
    });
  };
  return (
    <li class="card">
      <div>
        <h2>{names}</h2>
        <p class="soft" title={`${exactly(one.created_at)} – ${exactly(one.expires_at)}`}>
          {t.settings.tokenAbout(ago(one.created_at), ago(one.expires_at))}
          {one.key && <>, {t.settings.byKey} <bdi>{one.key}</bdi></>}
        </p>
      </div>
      <Button icon={Trash2} aria-label={`${t.settings.revoke}: ${names}`} onClick={() => { void revoke(); }}>
        {t.settings.revoke}
      </Button>
    </li>
  );
}

function NewToken({ onMade }: { onMade: (token: string) => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set(usual));
  const [days, setDays] = useState(90);
  const [busy, setBusy] = useState(false);
  const create = async () => {
    setBusy(true);
    await attempt(async () => {
      const body = { scopes: scopes.filter((one) => chosen.has(one)), expires_in_days: days };
      onMade((await ask(api.POST("/v2/user/tokens", { body }))).data.token);
    });
    setBusy(false);
  };
  return (
    <form class="card form" onSubmit={(e) => { e.preventDefault(); if (chosen.size > 0) void create(); }}>
      <h2>{t.settings.newToken}</h2>
      <Scopes scopes={scopes} chosen={chosen} onChange={setChosen} />
      <Field label={t.settings.lifetime}>
        {(attributes) => (
          <select {...attributes} value={days} onChange={(e) => { setDays(Number(e.currentTarget.value)); }}>
            {lifetimes.map((n) => <option key={n} value={n}>{t.settings.days(n)}</option>)}
          </select>
        )}
      </Field>
      <div class="actions">
        <Button kind="main" type="submit" icon={KeyRound} busy={busy} disabled={chosen.size === 0}>
          {t.settings.createToken}
        </Button>
      </div>
    </form>
  );
}
