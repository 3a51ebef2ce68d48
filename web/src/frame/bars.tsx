import { useEffect, useState } from "preact/hooks";
import { Button } from "../parts/button";
import { href } from "../state/route";
import { demoServed, me, signedIn, visit, visiting } from "../state/session";
import { t } from "../text";

/** DatasetBar says whose people the page shows if the server has a demo, and leads to the others. */
export function DatasetBar() {
  const user = me.value;
  if (!demoServed || !user) return null;
  if (visiting() && signedIn.value) {
    return (
      <aside class="dataset" aria-label={t.frame.demo}>{t.frame.demo}
        <Button kind="plain" onClick={() => { visit(false, "."); }}>{t.frame.useOwn}</Button>
      </aside>
    );
  }
  if (visiting() || user.demo) {
    return (
      <aside class="dataset" aria-label={t.frame.demo}>
        {t.frame.demo} <a href={href("sign-in")}>{t.frame.useOwn}</a>
      </aside>
    );
  }
  return (
    <aside class="dataset own" aria-label={t.frame.own}>{t.frame.own}
      <Button kind="plain" onClick={() => { visit(true); }}>{t.frame.backToDemo}</Button>
    </aside>
  );
}

/** OfflineBar says that the browser has no network. */
export function OfflineBar() {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = () => { setOnline(navigator.onLine); };
    window.addEventListener("online", look);
    window.addEventListener("offline", look);
    return () => {
      window.removeEventListener("online", look);
      window.removeEventListener("offline", look);
    };
  }, []);
  return online ? null : <div class="offline" role="status">{t.frame.offline}</div>;
}
