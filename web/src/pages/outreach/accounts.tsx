import { MailPlus, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask, base } from "../../api/client";
import { Button } from "../../parts/button";
import { Secret } from "../../parts/secret";
import { Empty, Failed, Skeleton } from "../../parts/states";
import type { Loaded } from "../../state/load";
import { attempt, confirm, notify } from "../../state/notice";
import { t } from "../../text";
import { AccountForm } from "./account";
import type { Account } from "./outcome";
import type { Sending } from "./sending";

/** Accounts shows the mail accounts that send, and adds one. */
export function Accounts({ loaded }: { loaded: Loaded<Sending> }) {
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<Account | null>(null);
  const { data, error, reload } = loaded;
  if (error) return <Failed error={error} retry={reload} />;
  if (!data) return <Skeleton />;
  if (!data.sends) return <Empty icon={MailPlus} title={t.outreach.noAccounts} text={t.outreach.nothingSent} />;
  const add = <Button kind="main" icon={MailPlus} onClick={() => { setAdding(true); }}>{t.outreach.addAccount}</Button>;
  return (
    <div class="page">
      {made?.feedback_secret && (
        <Secret label={t.outreach.feedbackSecret} hint={t.outreach.feedbackHint(base + made.feedback_path)}
          value={made.feedback_secret} onClose={() => { setMade(null); }} />
      )}
      {data.accounts.length === 0 && !adding && (
        <Empty icon={MailPlus} title={t.outreach.noAccounts} text={t.outreach.noAccountsText}>{add}</Empty>
      )}
      {data.accounts.length > 0 && (
        <ul class="accounts" role="list" aria-label={t.outreach.views.accounts}>
          {data.accounts.map((one) => <Row key={one.id} one={one} onGone={reload} />)}
        </ul>
      )}
      {data.accounts.length > 0 && !adding && <div class="actions">{add}</div>}
      {adding && (
        <AccountForm onClose={() => { setAdding(false); }} onAdded={(one) => {
          setAdding(false);
          setMade(one);
          reload();
          notify(t.outreach.accountAdded(one.from_email));
        }} />
      )}
    </div>
  );
}

function Row({ one, onGone }: { one: Account; onGone: () => void }) {
  const remove = async () => {
    if (!await confirm(t.outreach.removeAccount(one.from_email), t.outreach.accountLoss, t.remove)) return;
    await attempt(async () => {
      await ask(api.DELETE("/v2/user/integrations/{id}", { params: { path: { id: one.id } } }));
      onGone();
      notify(t.outreach.accountRemoved(one.from_email));
    });
  };
  const always = one.window_start === one.window_end;
  return (
    <li class="card">
      <div>
        <h2><bdi>{one.from_name ? `${one.from_name}, ${one.from_email}` : one.from_email}</bdi></h2>
        <p class="soft"><bdi>{one.host}:{one.port}</bdi>, {t.outreach.securities[one.security]}</p>
        <p>{t.outreach.caps(one.hourly_cap, one.daily_cap)}, {always ? t.outreach.always
          : t.outreach.hours(one.window_start, one.window_end, one.time_zone)}</p>
        {(one.track_opens || one.track_clicks) && <p class="soft">{t.outreach.tracks}</p>}
      </div>
      <Button icon={Trash2} aria-label={`${t.remove}: ${one.from_email}`} onClick={() => { void remove(); }}>
        {t.remove}
      </Button>
    </li>
  );
}
