import { LogOut } from "lucide-preact";
import { api, ask, type Schemas } from "../../api/client";
import { Button } from "../../parts/button";
import { Failed, Skeleton } from "../../parts/states";
import { useLoad } from "../../state/load";
import { attempt, confirm, notify } from "../../state/notice";
import { go } from "../../state/route";
import { me, noteSignedOut, visiting } from "../../state/session";
import { t } from "../../text";
import { ago, exactly } from "../../text/format";
import { nameOf } from "./agent";

type Session = Schemas["SessionList"]["data"][number];

/** Sessions lists the browsers that are signed in, and ends their sessions. */
export function Sessions() {
  const list = useLoad(async (signal) => (await ask(api.GET("/v2/user/sessions", { signal }))).data, []);
  const everywhere = async () => {
    if (!await confirm(t.settings.everywhereTitle, t.settings.everywhereText, t.settings.everywhere)) return;
    await attempt(async () => {
      await ask(api.DELETE("/v2/user/sessions"));
      leave();
    });
  };
  const end = (one: Session) => attempt(async () => {
    await ask(api.DELETE("/v2/user/sessions/{id}", { params: { path: { id: one.id } } }));
    if (one.current) leave();
    else {
      list.reload();
      notify(t.settings.ended(nameOf(one.agent)));
    }
  });
  if (list.error) return <Failed error={list.error} retry={list.reload} />;
  if (!list.data) return <Skeleton rows={2} />;
  return (
    <section class="card form" aria-labelledby="sessions">
      <h2 id="sessions">{t.settings.views.sessions}</h2>
      <p class="soft">{list.data.length > 0 ? t.settings.sessionsText : t.settings.noSessions}</p>
      <ul class="entries" role="list" aria-labelledby="sessions">
        {list.data.map((one) => (
          <li key={one.id}>
            <div>
              <h3 title={one.agent}>
                <bdi>{nameOf(one.agent)}</bdi>{" "}
                {one.current && <span class="tag">{t.settings.here}</span>}
              </h3>
              <p class="soft" title={exactly(one.last_used_at)}>
                {t.settings.used(ago(one.last_used_at), ago(one.created_at))}
              </p>
            </div>
            <Button icon={LogOut} aria-label={`${t.signIn.out}: ${nameOf(one.agent)}`}
              onClick={() => { void end(one); }}>{t.signIn.out}</Button>
          </li>
        ))}
      </ul>
      {list.data.length > 0 && (
        <div class="actions"><Button onClick={() => { void everywhere(); }}>{t.settings.everywhere}</Button></div>
      )}
    </section>
  );
}

/** leave goes to the sign-in page. A visitor of the demo keeps the session of their own data. */
function leave() {
  if (!visiting()) {
    noteSignedOut();
    me.value = null;
  }
  go("sign-in");
}
