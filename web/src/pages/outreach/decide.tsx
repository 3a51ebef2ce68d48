import { Check, Pencil, X } from "lucide-preact";
import { useEffect, useRef } from "preact/hooks";
import { api, ask } from "../../api/client";
import { Button } from "../../parts/button";
import { notify } from "../../state/notice";
import { href, set } from "../../state/route";
import { t } from "../../text";
import { exactly } from "../../text/format";
import { Composer, type Written } from "./composer";
import { valuesOf } from "./fill";
import { type Activity, addressOf, textOf } from "./outcome";
import type { Sending } from "./sending";

interface ToDecideProps {
  activity: Activity;
  sending: Sending | undefined;
  editing: boolean;
  onSettle: (decision: "approved" | "rejected") => void;
  /** onGone is called when the e-mail has left the queue, onChange when it stays with another text. */
  onGone: () => void;
  onChange: () => void;
}

/** ToDecide shows an e-mail as it will be sent, to be approved, edited or rejected. */
export function ToDecide(props: ToDecideProps) {
  const { activity, sending, editing, onSettle } = props;
  const mail = activity.email_outgoing;
  const address = addressOf(activity);
  if (!mail) return <div class="mail"><h2><bdi>{activity.person.full_name}</bdi></h2><p>{activity.note}</p></div>;
  if (editing) return <Edit {...props} />;
  return (
    <article class="mail" aria-label={t.outreach.mailTo(activity.person.full_name)}>
      <div class="actions">
        <Button kind="main" icon={Check} disabled={!address} aria-describedby={address ? undefined : "no-address"}
          onClick={() => { onSettle("approved"); }}>
          {t.outreach.approve} <kbd>a</kbd>
        </Button>
        <Button icon={Pencil} onClick={() => { set({ edit: "yes" }, true); }}>{t.outreach.edit} <kbd>e</kbd></Button>
        <Button icon={X} onClick={() => { onSettle("rejected"); }}>{t.outreach.reject} <kbd>r</kbd></Button>
      </div>
      {!address && (
        <p class="note bad" id="no-address" role="note">{t.outreach.noAddressOf(activity.person.full_name)}{" "}
          <Button kind="plain" onClick={() => { set({ edit: "yes" }, true); }}>{t.outreach.addAddress}</Button>
        </p>
      )}
      <Waits activity={activity} sending={sending} />
      <MailHead activity={activity} />
      <h2><bdi>{mail.subject}</bdi></h2>
      <p class="mail-text" dir="auto">{textOf(mail)}</p>
    </article>
  );
}

/** MailHead says from whom to whom an e-mail goes, when, and in which sequence. */
export function MailHead({ activity }: { activity: Activity }) {
  const { person, sequence, email_outgoing: mail } = activity;
  const when = mail?.sent_at ?? mail?.scheduled_at;
  const rows: [string, string][] = [
    [t.outreach.to, [person.full_name, addressOf(activity)].filter(Boolean).join(", ")],
    [t.outreach.from, mail?.from_email ?? ""],
    [mail?.sent_at ? t.outreach.sentAt : t.outreach.at, when ? exactly(when) : ""],
    [t.outreach.introducer, activity.introducer_data.map((one) => one.name).join(", ")],
    [t.outreach.note, activity.note],
  ];
  return (
    <dl class="facts">
      {rows.filter(([, is]) => is).map(([name, is]) => <div key={name}><dt>{name}</dt><dd><bdi>{is}</bdi></dd></div>)}
      <div>
        <dt>{t.outreach.sequence}</dt>
        <dd><a href={href("outreach", { view: "sequences", sequence: sequence.id })}><bdi>{sequence.name}</bdi></a></dd>
      </div>
    </dl>
  );
}

/** Waits says why an approved e-mail would not be sent yet. */
function Waits({ activity, sending }: { activity: Activity; sending: Sending | undefined }) {
  const { status, id } = activity.sequence;
  if (!sending?.sends) return null;
  if (sending.accounts.length === 0) {
    return (
      <p class="note" role="note">{t.outreach.noAccount}{" "}
        <a href={href("outreach", { view: "accounts" })}>{t.outreach.addAccount}</a>
      </p>
    );
  }
  if (status === "active") return null;
  return (
    <p class="note" role="note">{t.outreach.waits(t.outreach.statuses[status])}{" "}
      <a href={href("outreach", { view: "sequences", sequence: id })}>{t.outreach.openSequence}</a>
    </p>
  );
}

function Edit({ activity, sending, onGone, onChange }: ToDecideProps) {
  const mail = activity.email_outgoing;
  const at = useRef<HTMLDivElement>(null);
  useEffect(() => {
    at.current?.querySelector<HTMLElement>(addressOf(activity) ? '[name="subject"]' : '[name="to"]')?.focus();
  }, [activity]);
  if (!mail) return null;
  const send = async (written: Written, approve: boolean) => {
    await ask(api.PATCH("/v2/sequences/activities/{activity_id}", {
      params: { path: { activity_id: activity.id } },
      body: { decision: approve ? "approved" : null, ...written },
    }));
    set({ edit: undefined }, true);
    if (approve) onGone();
    else onChange();
    notify(approve ? t.outreach.approved(activity.person.full_name) : t.outreach.saved);
  };
  return (
    <div class="mail" ref={at}>
      <h2>{t.outreach.mailTo(activity.person.full_name)}</h2>
      <Composer toHint={addressOf(activity) ? undefined : t.outreach.noAddressOf(activity.person.full_name)}
        start={{ to: addressOf(activity), subject: mail.subject, text: textOf(mail), at: mail.scheduled_at }}
        values={valuesOf({ person: activity.person, introducers: activity.introducer_data }, activity.sequence.name)}
        accounts={sending?.accounts ?? []} isNew={false} onSend={send}
        onCancel={() => { set({ edit: undefined }, true); }} />
    </div>
  );
}
