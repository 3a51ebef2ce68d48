import { useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";
import { Failed } from "../../parts/states";
import { Refused } from "../../api/problem";
import { t } from "../../text";
import { Preview, TemplateFields, type Text } from "./editor";
import { missing, type Values } from "./fill";
import { type Account, local } from "./outcome";

/** Written is a text with its address, time and mail account, as a request has them. */
export interface Written {
  subject: string;
  body: string;
  to_email?: string;
  scheduled_at?: string | null;
  user_integration_id?: number;
}

interface Start {
  to: string;
  subject: string;
  text: string;
  at: string | null;
}

interface ComposerProps {
  start: Start;
  /** values fill the placeholders of the preview. The server fills those of the e-mail. */
  values: Values;
  accounts: Account[];
  /** toHint says why an address is missing. */
  toHint?: string | undefined;
  /** isNew is true for an e-mail that does not exist yet: it cannot be approved at once. */
  isNew: boolean;
  onSend: (written: Written, approve: boolean) => Promise<void>;
  onCancel: () => void;
}

/** Composer writes an e-mail. It stays open, with what is wrong, if the server refuses it. */
export function Composer({ start, values, accounts, toHint, isNew, onSend, onCancel }: ComposerProps) {
  const [to, setTo] = useState(start.to);
  const [text, setText] = useState({ subject: start.subject, body: start.text });
  const [at, setAt] = useState(start.at ? local(start.at) : "");
  const [account, setAccount] = useState(isNew ? accounts[0]?.id ?? 0 : 0);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const from = accounts.find((one) => one.id === account);
  const filled = { ...values, ...(from && { sender_name: from.from_name, sender_email: from.from_email }) };
  const submit = async (approve: boolean) => {
    setBusy(true);
    setError(null);
    try {
      await onSend(written(text, start, to.trim(), at, account), approve);
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };
  return (
    <form class="form" onSubmit={(e) => { e.preventDefault(); void submit(false); }}>
      {error !== null && !isOnly(error, "to_email") && <Failed error={error} />}
      <Field label={t.outreach.to} hint={toHint} problem={problemOf(error, "to_email")}>
        {(attributes) => <input {...attributes} name="to" value={to} maxLength={254} inputMode="email"
          placeholder="jane@example.com" onInput={(e) => { setTo(e.currentTarget.value); }} />}
      </Field>
      <TemplateFields text={text} onChange={setText} />
      <Preview text={text} values={filled} gaps={missing([text.subject, text.body], filled)} />
      <Field label={t.outreach.notBefore} hint={t.outreach.notBeforeHint}>
        {(attributes) => <input {...attributes} name="at" type="datetime-local" value={at}
          onInput={(e) => { setAt(e.currentTarget.value); }} />}
      </Field>
      {accounts.length > 0 && (
        <Field label={t.outreach.through}>
          {(attributes) => (
            <select {...attributes} value={account} onChange={(e) => { setAccount(Number(e.currentTarget.value)); }}>
              {!isNew && <option value={0}>{t.outreach.unchanged}</option>}
              {accounts.map((one) => <option key={one.id} value={one.id}>{one.from_email}</option>)}
            </select>
          )}
        </Field>
      )}
      <div class="actions">
        {!isNew && (
          <Button kind="main" busy={busy} onClick={() => { void submit(true); }}>{t.outreach.saveApprove}</Button>
        )}
        <Button kind={isNew ? "main" : "quiet"} type="submit" busy={busy}>{isNew ? t.outreach.toQueue : t.save}</Button>
        <Button onClick={onCancel}>{t.cancel}</Button>
      </div>
    </form>
  );
}

/** written leaves out what did not change, so that the server keeps it. */
function written(text: Text, start: Start, to: string, at: string, account: number): Written {
  return {
    ...text,
    ...(to && to !== start.to && { to_email: to }),
    ...(at !== (start.at ? local(start.at) : "") && { scheduled_at: at ? new Date(at).toISOString() : null }),
    ...(account && { user_integration_id: account }),
  };
}

/** problemOf returns what is wrong with a field. */
function problemOf(error: unknown, field: string): string | undefined {
  return error instanceof Refused ? error.problem.errors?.find((one) => one.field === field)?.message : undefined;
}

/** isOnly reports whether an error says nothing but what is wrong with a field. */
function isOnly(error: unknown, field: string): boolean {
  return error instanceof Refused && error.problem.errors?.length === 1 && problemOf(error, field) !== undefined;
}
