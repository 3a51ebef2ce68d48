import { useEffect, useState } from "preact/hooks";
import { api, ask, base } from "../../api/client";
import { Button } from "../../parts/button";
import { Failed } from "../../parts/states";
import { href } from "../../state/route";
import { me, noteSignedIn, noteSignedOut, signedIn, visiting } from "../../state/session";
import { t } from "../../text";

/**
 * The page takes the link from the fragment of its address, which browsers send to no server, and removes it there at
 * once. Only the button uses it, so that scanners of mail do not use it up.
 */
export default function SignIn() {
  const [link, setLink] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [left, setLeft] = useState(false);
  useEffect(() => {
    const take = () => {
      const given = location.hash.slice(1);
      if (!given) return;
      setLink(given);
      setError(null);
      history.replaceState(null, "", location.pathname);
    };
    take();
    window.addEventListener("hashchange", take);
    return () => { window.removeEventListener("hashchange", take); };
  }, []);
  useEffect(() => { document.getElementById("go")?.focus(); }, [link]);
  const enter = async () => {
    setBusy(true);
    try {
      await ask(api.POST("/v2/auth/sessions", { body: { link } }));
      noteSignedIn();
      location.assign(`${base}/`);
    } catch (err) {
      setError(err);
      setLink("");
      setBusy(false);
    }
  };
  const leave = async () => {
    try {
      await ask(api.DELETE("/v2/user/sessions/{id}", { params: { path: { id: "current" } } }));
      noteSignedOut();
      me.value = null;
      setLeft(true);
    } catch (err) {
      setError(err);
    }
  };
  return (
    <div class="page">
      <h1>{t.signIn.title}</h1>
      {error ? <Failed error={error} /> : null}
      {left && <p id="state" role="status">{t.signIn.signedOut}</p>}
      {link ? (
        <section class="card actions">
          <p>{t.signIn.once}</p>
          <Button kind="main" id="go" busy={busy} onClick={() => { void enter(); }}>{t.signIn.title}</Button>
        </section>
      ) : signedIn.value && me.value ? <Inside leave={() => { void leave(); }} /> : <How again={error !== null} />}
    </div>
  );
}

function Inside({ leave }: { leave: () => void }) {
  const user = me.value;
  if (!user) return null;
  return (
    <section class="card actions">
      <p>{t.signIn.as(user.name || user.id)}</p>
      <a class="button main" href={href("search")}>{t.signIn.search}</a>
      {!visiting() && <Button onClick={leave}>{t.signIn.out}</Button>}
    </section>
  );
}

/** How says how to get a link. */
function How({ again }: { again: boolean }) {
  const [own, ownEnd] = t.signIn.own;
  const [command, commandEnd] = t.signIn.command;
  return (
    <section class="card">
      <p>{again ? t.signIn.used : t.signIn.how}</p>
      <ul>
        <li>{own}<code>kith serve</code>{ownEnd}</li>
        <li>{command}<code>kith login-link --app home --user me</code>{commandEnd}</li>
        <li>{t.signIn.team}</li>
      </ul>
    </section>
  );
}
