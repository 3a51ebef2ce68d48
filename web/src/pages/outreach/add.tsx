import { useState } from "preact/hooks";
import { api, ask, type Schemas } from "../../api/client";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { attempt } from "../../state/notice";
import { t } from "../../text";
import type { Sequence } from "./sequences";

type Results = Schemas["LeadsAddAnswer"]["data"];

interface AddLeadsProps {
  sequence: Sequence;
  onClose: () => void;
  onDone: () => void;
}

/** AddLeads adds people by their addresses or profiles, and says who could not be added, and why. */
export function AddLeads({ sequence, onClose, onDone }: AddLeadsProps) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [results, setResults] = useState<Results | null>(null);
  const people = listed(text);
  const add = async () => {
    setBusy(true);
    await attempt(async () => {
      const { data } = await ask(api.POST("/v2/sequences/{sequence_id}/leads", {
        params: { path: { sequence_id: sequence.id } }, body: { people },
      }));
      setResults(data);
      onDone();
    });
    setBusy(false);
  };
  return (
    <Dialog title={t.outreach.addLeads} onClose={onClose}>
      <form class="form" onSubmit={(e) => { e.preventDefault(); if (people.length > 0) void add(); }}>
        <Field label={t.outreach.addresses} hint={t.outreach.addressesHint}>
          {(attributes) => <textarea {...attributes} rows={6} value={text} autofocus
            onInput={(e) => { setText(e.currentTarget.value); }} />}
        </Field>
        {results && (
          <div role="status">
            <p>{t.outreach.addedLeads(results.summary.created, results.summary.unchanged, results.summary.refused)}</p>
            <ul>
              {results.results.filter((one) => one.error).map((one) => (
                <li key={one.identifier} class="bad"><bdi>{one.identifier}</bdi>: {one.error?.message}</li>
              ))}
            </ul>
          </div>
        )}
        <footer>
          <Button onClick={onClose}>{t.close}</Button>
          <Button kind="main" type="submit" busy={busy}>{t.act.add}</Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** listed returns the entries of a text, one for each line or between commas. */
export function listed(text: string): string[] {
  return [...new Set(text.split(/[\n,;]/).map((one) => one.trim()).filter(Boolean))];
}
