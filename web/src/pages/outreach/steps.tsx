import { ArrowDown, ArrowUp, Mail, Pencil, Plus, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client";
import { Button, IconButton } from "../../parts/button";
import { Field } from "../../parts/field";
import { Empty } from "../../parts/states";
import { useFocus } from "../../state/focus";
import { useLoad } from "../../state/load";
import { attempt, notify } from "../../state/notice";
import { t } from "../../text";
import { Preview, TemplateFields } from "./editor";
import { missing, valuesOf } from "./fill";
import type { Sending } from "./sending";
import type { Sequence } from "./sequences";

type Step = Sequence["ai_email_templates"][number];
type Draft = Pick<Step, "name" | "subject" | "email_body">;

const blank: Draft = { name: "", subject: "", email_body: "" };

interface StepsProps {
  sequence: Sequence;
  onChange: () => void;
  sending: Sending | undefined;
}

/** Steps edits the texts that the e-mails of a sequence begin with. */
export function Steps({ sequence, onChange, sending }: StepsProps) {
  const [open, setOpen] = useState<number | "new" | null>(null);
  const steps = sequence.ai_email_templates;
  const put = (templates: (Draft | Step)[]) => attempt(async () => {
    await ask(api.PATCH("/v2/sequences/{id}", {
      params: { path: { id: sequence.id } }, body: { ai_email_templates: templates },
    }));
    onChange();
  });
  const save = async (draft: Draft) => {
    const next = open === "new" ? [...steps, draft] : steps.map((one) => one.id === open ? { ...one, ...draft } : one);
    if (await put(next)) setOpen(null);
  };
  const remove = async (one: Step) => {
    if (await put(steps.filter((other) => other !== one))) {
      notify(t.outreach.stepRemoved(nameOf(one)), { undo: () => put(steps) });
    }
  };
  const editor = (start: Draft) => (
    <StepEditor start={start} sequence={sequence} sending={sending} onSave={save} onCancel={() => { setOpen(null); }} />
  );
  const add = <Button kind="main" icon={Plus} onClick={() => { setOpen("new"); }}>{t.outreach.addStep}</Button>;
  if (steps.length === 0 && open === null) {
    return <Empty icon={Mail} title={t.outreach.noSteps} text={t.outreach.noStepsText}>{add}</Empty>;
  }
  return (
    <div class="page">
      <p class="soft">{t.outreach.stepsHint}</p>
      <ol class="steps" role="list">
        {steps.map((one, i) => (
          <li key={one.id} class="card">
            {open === one.id ? editor(one) : (
              <Shown one={one} place={i + 1} onEdit={() => { setOpen(one.id); }} onRemove={() => { void remove(one); }}
                onUp={i > 0 ? () => { void put(swapped(steps, i - 1)); } : undefined}
                onDown={i < steps.length - 1 ? () => { void put(swapped(steps, i)); } : undefined} />
            )}
          </li>
        ))}
        {open === "new" && <li class="card">{editor(blank)}</li>}
      </ol>
      {open === null && <div class="actions">{add}</div>}
    </div>
  );
}

/** swapped returns the steps with one and the next in each other's place. */
function swapped(steps: Step[], at: number): Step[] {
  return [...steps.slice(0, at), ...steps.slice(at, at + 2).reverse(), ...steps.slice(at + 2)];
}

function nameOf(one: Draft): string {
  return one.name || one.subject;
}

interface ShownProps {
  one: Step;
  place: number;
  onEdit: () => void;
  onRemove: () => void;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
}

function Shown({ one, place, onEdit, onRemove, onUp, onDown }: ShownProps) {
  const of = (what: string) => `${what}: ${nameOf(one)}`;
  return (
    <>
      <div class="step-head">
        <h3>{place}. <bdi>{nameOf(one)}</bdi></h3>
        <div class="actions">
          {onUp && <IconButton icon={ArrowUp} label={of(t.outreach.up)} onClick={onUp} />}
          {onDown && <IconButton icon={ArrowDown} label={of(t.outreach.down)} onClick={onDown} />}
          <IconButton icon={Pencil} label={of(t.outreach.edit)} onClick={onEdit} />
          <IconButton icon={Trash2} label={of(t.remove)} onClick={onRemove} />
        </div>
      </div>
      <strong><bdi>{one.subject}</bdi></strong>
      <p class="mail-text soft" dir="auto">{one.email_body}</p>
    </>
  );
}

interface StepEditorProps {
  start: Draft;
  sequence: Sequence;
  sending: Sending | undefined;
  onSave: (draft: Draft) => Promise<void>;
  onCancel: () => void;
}

function StepEditor({ start, sequence, sending, onSave, onCancel }: StepEditorProps) {
  const [name, setName] = useState(start.name);
  const [text, setText] = useState({ subject: start.subject, body: start.email_body });
  const [who, setWho] = useState(0);
  const leads = useLoad(async (signal) => (await ask(api.GET("/v2/sequences/{sequence_id}/leads",
    { params: { path: { sequence_id: sequence.id }, query: { limit: 50 } }, signal }))).data, [sequence.id]);
  const lead = leads.data?.find((one) => one.platform_person_id === who) ?? leads.data?.[0];
  const from = sending?.accounts[0];
  const values = lead && valuesOf({ person: lead.person, introducers: lead.selected_introducers }, sequence.name,
    from && { name: from.from_name, address: from.from_email });
  const first = useFocus<HTMLInputElement>();
  return (
    <form class="step-editor" onSubmit={(e) => {
      e.preventDefault();
      void onSave({ name: name.trim(), subject: text.subject, email_body: text.body });
    }}>
      <div class="form">
        <Field label={t.outreach.stepName}>
          {(attributes) => <input {...attributes} ref={first} value={name} maxLength={200} dir="auto"
            onInput={(e) => { setName(e.currentTarget.value); }} />}
        </Field>
        <TemplateFields text={text} onChange={setText} />
        <div class="actions">
          <Button kind="main" type="submit">{t.save}</Button>
          <Button onClick={onCancel}>{t.cancel}</Button>
        </div>
      </div>
      <div class="form">
        {leads.data && leads.data.length > 0 && (
          <Field label={t.outreach.previewFor}>
            {(attributes) => (
              <select {...attributes} value={lead?.platform_person_id}
                onChange={(e) => { setWho(Number(e.currentTarget.value)); }}>
                {leads.data?.map((one) => (
                  <option key={one.id} value={one.platform_person_id}>{one.person.full_name}</option>
                ))}
              </select>
            )}
          </Field>
        )}
        {values
          ? <Preview text={text} values={values} gaps={missing([text.subject, text.body], values)} />
          : <p class="soft">{t.outreach.noPreview}</p>}
      </div>
    </form>
  );
}
