import { Download } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";
import { attempt, notify } from "../../state/notice";
import { href } from "../../state/route";
import type { User } from "../../state/session";
import { chooseTheme, type Theme, theme, themes } from "../../state/theme";
import { choose, type Language, language, languages, t } from "../../text";
import { number } from "../../text/format";
import { Sessions } from "./sessions";

const sharings = ["none", "team", "community"] as const;

/** Account shows who the user is, and what they chose. */
export function Account({ user, onChange }: { user: User; onChange: () => void }) {
  const share = (value: string) => {
    const sharing = sharings.find((one) => one === value);
    if (!sharing) return;
    void attempt(async () => {
      await ask(api.PATCH("/v2/user/me", { body: { sharing } }));
      notify(t.outreach.saved);
    }).then(onChange);
  };
  return (
    <>
      <section class="card form" aria-labelledby="who-title">
        <h2 id="who-title">{user.name ? <bdi>{user.name}</bdi> : t.settings.views.account}</h2>
        <dl class="facts">
          <div><dt>{t.settings.id}</dt><dd><bdi>{user.id}</bdi></dd></div>
          <div><dt>{t.person.email}</dt><dd><bdi>{user.email}</bdi></dd></div>
          <div>
            <dt>{t.settings.knows}</dt>
            <dd><a href={href("people")}>{number(user.network.relationships)}</a></dd>
          </div>
        </dl>
        <Field label={t.settings.sharing} hint={t.settings.sharingHint}>
          {(attributes) => (
            <select {...attributes} value={user.network.sharing} onChange={(e) => { share(e.currentTarget.value); }}>
              {sharings.map((one) => <option key={one} value={one}>{t.settings.sharings[one]}</option>)}
            </select>
          )}
        </Field>
      </section>
      <Looks />
      <Sessions />
      <Export />
    </>
  );
}

/** Looks chooses language and colours of this browser. */
function Looks() {
  const [worn, setWorn] = useState<Theme>(theme());
  return (
    <section class="card form" aria-labelledby="looks">
      <h2 id="looks">{t.settings.looks}</h2>
      <div class="two">
        <Field label={t.settings.language}>
          {(attributes) => (
            <select {...attributes} value={language}
              onChange={(e) => { choose(e.currentTarget.value as Language); }}>
              {Object.entries(languages).map(([id, name]) => <option key={id} value={id} lang={id}>{name}</option>)}
            </select>
          )}
        </Field>
        <Field label={t.settings.theme}>
          {(attributes) => (
            <select {...attributes} value={worn} onChange={(e) => {
              const one = themes.find((other) => other === e.currentTarget.value) ?? "system";
              chooseTheme(one);
              setWorn(one);
            }}>
              {themes.map((one) => <option key={one} value={one}>{t.settings.themes[one]}</option>)}
            </select>
          )}
        </Field>
      </div>
    </section>
  );
}

/** Export downloads all data of the user. */
function Export() {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    await attempt(async () => {
      const file = await ask(api.GET("/v2/user/export", { parseAs: "blob" }));
      const address = URL.createObjectURL(file);
      const link = document.createElement("a");
      link.href = address;
      link.download = "kith-export.ndjson";
      link.click();
      URL.revokeObjectURL(address);
      notify(t.settings.exported);
    });
    setBusy(false);
  };
  return (
    <section class="card form" aria-labelledby="export">
      <h2 id="export">{t.settings.exporting}</h2>
      <p class="soft">{t.settings.exportText}</p>
      <div class="actions">
        <Button icon={Download} busy={busy} onClick={() => { void download(); }}>
          {busy ? t.settings.preparing : t.settings.download}
        </Button>
      </div>
    </section>
  );
}
