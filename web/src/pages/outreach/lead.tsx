import { Flag, PenLine, RotateCcw, Trash2, UserRound } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Initials } from "../../parts/initials";
import { attempt, confirm, notify } from "../../state/notice";
import { href } from "../../state/route";
import { t } from "../../text";
import { Composer, type Written } from "./composer";
import { valuesOf } from "./fill";
import { History } from "./history";
import type { Lead } from "./leads";
import type { Sending } from "./sending";
import type { Sequence } from "./sequences";

interface OneLeadProps {
  lead: Lead;
  sequence: Sequence;
  sending: Sending | undefined;
  onChange: () => void;
}

/** OneLead shows a lead with all that happened, and offers what comes next. */
export function OneLead(props: OneLeadProps) {
  const { lead, onChange } = props;
  const [writing, setWriting] = useState(false);
  const { person } = lead;
  const closed = lead.status === "finished" || lead.status === "deleted";
  const become = async (status: Lead["status"]) => {
    const loses = status === "finished" || status === "deleted";
    const ends = t.outreach.ends[status === "deleted" ? "deleted" : "finished"];
    if (loses && !await confirm(ends.title(person.full_name), ends.text, ends.action)) return;
    await attempt(async () => {
      await ask(api.PUT("/v2/sequences/{sequence_id}/leads/{lead_id}", {
        params: { path: { sequence_id: lead.sequence_id, lead_id: lead.id } }, body: { status },
      }));
      onChange();
      notify(t.outreach.leadBecame(person.full_name, t.outreach.leadStatuses[status]));
    });
  };
  return (
    <div class="mail">
      <LeadHead person={person} />
      <div class="actions">
        {!closed && (
          <Button kind="main" icon={PenLine} onClick={() => { setWriting(true); }}>{t.outreach.write}</Button>
        )}
        {closed && <Button icon={RotateCcw} onClick={() => { void become("active"); }}>{t.outreach.reopen}</Button>}
        {!closed && <Button icon={Flag} onClick={() => { void become("finished"); }}>{t.outreach.finish}</Button>}
        {lead.status !== "deleted" && (
          <Button icon={Trash2} onClick={() => { void become("deleted"); }}>{t.remove}</Button>
        )}
        <a class="button quiet" href={href("search", { person: person.id })}>
          <UserRound size={16} aria-hidden="true" />{t.outreach.person}
        </a>
      </div>
      {lead.selected_introducers.length > 0 && (
        <p>{t.outreach.introducer}: <bdi>{lead.selected_introducers.map((one) => one.name).join(", ")}</bdi></p>
      )}
      <History sequence={lead.sequence_id} lead={lead.id} since={lead.latest_update_date ?? lead.created_at} />
      {writing && <Writing {...props} onClose={() => { setWriting(false); }} />}
    </div>
  );
}

function LeadHead({ person }: Pick<Lead, "person">) {
  return (
    <div class="lead-head">
      <Initials name={person.full_name} large />
      <div>
        <h2><bdi>{person.full_name}</bdi></h2>
        <p class="soft"><bdi>{workOf(person)}</bdi></p>
        <p class={person.email ? "soft" : "bad"}><bdi>{person.email || t.outreach.noAddress}</bdi></p>
      </div>
    </div>
  );
}

/** workOf says what a person does, in one line. */
export function workOf({ position, headline }: Lead["person"]): string {
  return position ? t.person.at(position.title, position.company.name) : headline;
}

/** Writing drafts an e-mail to a lead, beginning with a step of the sequence. */
function Writing({ lead, sequence, sending, onChange, onClose }: OneLeadProps & { onClose: () => void }) {
  const steps = sequence.ai_email_templates;
  const [chosen, setChosen] = useState(steps[Math.min(lead.pipeline_stage, steps.length - 1)]?.id ?? 0);
  const step = steps.find((one) => one.id === chosen);
  const send = async (written: Written) => {
    await ask(api.POST("/v2/sequences/{sequence_id}/leads/{lead_id}/emails", {
      params: { path: { sequence_id: sequence.id, lead_id: lead.id } }, body: written,
    }));
    onChange();
    onClose();
    notify(t.outreach.waiting, { link: { text: t.outreach.views.queue, href: href("outreach") } });
  };
  return (
    <Dialog title={t.outreach.mailTo(lead.person.full_name)} side onClose={onClose}>
      {steps.length > 0 && (
        <Field label={t.outreach.step}>
          {(attributes) => (
            <select {...attributes} value={chosen} onChange={(e) => { setChosen(Number(e.currentTarget.value)); }}>
              {steps.map((one) => <option key={one.id} value={one.id}>{one.name || one.subject}</option>)}
              <option value={0}>{t.outreach.noStep}</option>
            </select>
          )}
        </Field>
      )}
      <Composer key={chosen} isNew accounts={sending?.accounts ?? []} onSend={send} onCancel={onClose}
        start={{ to: lead.person.email, at: null, subject: step?.subject ?? "",
          text: step?.email_body ?? t.outreach.greeting }}
        values={valuesOf({ person: lead.person, introducers: lead.selected_introducers }, sequence.name)} />
    </Dialog>
  );
}
