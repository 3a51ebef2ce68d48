import { useState } from "preact/hooks";
import { api, ask, type Schemas } from "../../api/client";
import { Refused } from "../../api/problem";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";
import { Failed } from "../../parts/states";
import { t } from "../../text";
import type { Account } from "./outcome";
import { presetOf, presets } from "./presets";

type Create = Required<Omit<Schemas["IntegrationCreate"], "port">> & { port: number };

const blank: Create = {
  host: "", port: 587, security: "starttls", username: "", password: "", from_email: "", from_name: "",
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone, window_start: "00:00", window_end: "00:00",
  hourly_cap: 20, daily_cap: 100, min_gap_seconds: 60, track_opens: false, track_clicks: false,
};

interface AccountFormProps {
  onClose: () => void;
  onAdded: (account: Account) => void;
}

/** AccountForm adds a mail account: of a known provider with address and password alone. */
export function AccountForm({ onClose, onAdded }: AccountFormProps) {
  const [given, setGiven] = useState(blank);
  const [chosen, setChosen] = useState<string | null>(null); // null: as the address says
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const preset = chosen === null ? presetOf(given.from_email) : presets.find((one) => one.id === chosen);
  const merged = preset ? { ...given, host: preset.host, port: preset.port, security: preset.security } : given;
  const change = (some: Partial<Create>) => { setGiven({ ...given, ...some }); };
  const add = async () => {
    setBusy(true);
    setError(null);
    try {
      onAdded((await ask(api.POST("/v2/user/integrations", { body: asked(merged) }))).data);
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };
  return (
    <form class="card form account-form" autocomplete="off" onSubmit={(e) => { e.preventDefault(); void add(); }}>
      <h2>{t.outreach.addAccount}</h2>
      {error !== null && <Failed error={error} />}
      <div class="two">
        <Text name="from_email" type="email" given={given} change={change} error={error} required
          placeholder="you@example.com" />
        <Field label={t.outreach.provider}>
          {(attributes) => (
            <select {...attributes} value={preset?.id ?? ""} onChange={(e) => { setChosen(e.currentTarget.value); }}>
              <option value="">{t.outreach.otherProvider}</option>
              {presets.map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}
            </select>
          )}
        </Field>
        <Text name="from_name" given={given} change={change} error={error} placeholder="Jane Doe" />
        <Text name="password" type="password" given={given} change={change} error={error}
          hint={preset?.appPassword ? t.outreach.appPassword(preset.name) : undefined} />
      </div>
      <Server shown={!preset} {...{ given: merged, change, error }} />
      <Limits {...{ given, change, error }} />
      <p class="soft">{t.outreach.untested}</p>
      <div class="actions">
        <Button kind="main" type="submit" busy={busy}>{t.act.add}</Button>
        <Button onClick={onClose}>{t.cancel}</Button>
      </div>
    </form>
  );
}

/** asked leaves out what is empty. The user name is the address unless given. */
function asked(given: Create): Schemas["IntegrationCreate"] {
  const { username, password, from_name, ...rest } = given;
  const name = username || (given.security === "none" ? "" : given.from_email);
  return { ...rest, ...(name && { username: name }), ...(password && { password }), ...(from_name && { from_name }) };
}

interface PartProps {
  given: Create;
  change: (some: Partial<Create>) => void;
  error: unknown;
}

function Server({ shown, ...part }: PartProps & { shown: boolean }) {
  const { given, change } = part;
  return (
    <details open={shown}>
      <summary>{t.outreach.server}{given.host && `: ${given.host}`}</summary>
      <div class="two">
        <Text name="host" {...part} required placeholder="smtp.example.com" />
        <Text name="port" type="number" {...part} required />
        <Field label={t.outreach.account.security}>
          {(attributes) => (
            <select {...attributes} value={given.security} onChange={(e) => {
              const found = (["starttls", "tls", "none"] as const).find((one) => one === e.currentTarget.value);
              if (found) change({ security: found });
            }}>
              <option value="starttls">{t.outreach.securities.starttls}</option>
              <option value="tls">{t.outreach.securities.tls}</option>
              <option value="none">{t.outreach.noTLS}</option>
            </select>
          )}
        </Field>
        <Text name="username" {...part} placeholder={given.from_email} />
      </div>
    </details>
  );
}

function Limits(part: PartProps) {
  const { given, change } = part;
  const box = (name: "track_opens" | "track_clicks") => (
    <label class="check">
      <input type="checkbox" checked={given[name]} onChange={(e) => { change({ [name]: e.currentTarget.checked }); }} />
      {t.outreach.account[name]}
    </label>
  );
  return (
    <details>
      <summary>{t.outreach.limits}: {t.outreach.caps(given.hourly_cap, given.daily_cap)}</summary>
      <div class="two">
        <Text name="window_start" type="time" {...part} />
        <Text name="window_end" type="time" {...part} hint={t.outreach.wholeDay} />
        <Text name="time_zone" {...part} />
        <Text name="min_gap_seconds" type="number" {...part} />
        <Text name="hourly_cap" type="number" {...part} />
        <Text name="daily_cap" type="number" {...part} />
      </div>
      {box("track_opens")}
      {box("track_clicks")}
    </details>
  );
}

type TextName = Exclude<keyof Create, "security" | "track_opens" | "track_clicks">;

interface TextProps extends PartProps {
  name: TextName;
  type?: string;
  required?: boolean;
  placeholder?: string;
  hint?: string | undefined;
}

/** Text is one field of the form, with what the server says about it. */
function Text({ name, type = "text", required = false, placeholder, hint, given, change, error }: TextProps) {
  const problem = error instanceof Refused
    ? error.problem.errors?.find((one) => one.field === name)?.message : undefined;
  return (
    <Field label={t.outreach.account[name]} hint={hint} problem={problem}>
      {(attributes) => (
        <input {...attributes} name={name} type={type} required={required} placeholder={placeholder} value={given[name]}
          autocomplete={type === "password" ? "new-password" : "off"} min={type === "number" ? 0 : undefined}
          onInput={({ currentTarget: { value } }) => {
            change({ [name]: type === "number" ? Number(value) : value });
          }} />
      )}
    </Field>
  );
}
