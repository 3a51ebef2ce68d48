import { Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Secret } from "../../parts/secret";
import { attempt, notify } from "../../state/notice";
import { t } from "../../text";
import type { App, Shown } from "./apps";
import { Keys } from "./keys";
import { Users } from "./users";

interface OneAppProps {
  app: App;
  secret: Shown | null;
  onSecret: (secret: Shown | null) => void;
  onChange: () => void;
  onGone: () => void;
}

/** OneApp shows an app with its keys and users. */
export function OneApp({ app, secret, onSecret, onChange, onGone }: OneAppProps) {
  const [deleting, setDeleting] = useState(false);
  return (
    <div class="one-app">
      <div class="app-head">
        <h2><bdi>{app.name}</bdi></h2>
        <Button icon={Trash2} onClick={() => { setDeleting(true); }}>{t.admin.deleteApp}</Button>
      </div>
      {secret && <Secret {...secret} onClose={() => { onSecret(null); }} />}
      <Keys app={app.id} onSecret={onSecret} onChange={onChange} />
      <Users app={app.id} onSecret={onSecret} onChange={onChange} />
      {deleting && <Deleting app={app} onClose={() => { setDeleting(false); }} onGone={onGone} />}
    </div>
  );
}

/** Deleting asks for the name of the app, because nothing brings it back. */
function Deleting({ app, onClose, onGone }: { app: App; onClose: () => void; onGone: () => void }) {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const agreed = typed === app.name;
  const remove = async () => {
    setBusy(true);
    const done = await attempt(() => ask(api.DELETE("/v2/admin/apps/{id}", { params: { path: { id: app.id } } })));
    setBusy(false);
    if (!done) return;
    onClose();
    onGone();
    notify(t.admin.appDeleted(app.name));
  };
  return (
    <Dialog title={t.admin.deleteTitle(app.name)} role="alertdialog" onClose={onClose}>
      <form class="form" autocomplete="off" onSubmit={(e) => { e.preventDefault(); if (agreed) void remove(); }}>
        <p>{t.admin.deleteText}</p>
        <Field label={t.admin.typeName(app.name)}>
          {(attributes) => <input {...attributes} value={typed} autofocus
            onInput={(e) => { setTyped(e.currentTarget.value); }} />}
        </Field>
        <footer>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="danger" type="submit" busy={busy} disabled={!agreed}>{t.admin.deleteApp}</Button>
        </footer>
      </form>
    </Dialog>
  );
}
