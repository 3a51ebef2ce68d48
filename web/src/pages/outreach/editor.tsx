import { useRef } from "preact/hooks";
import { Field } from "../../parts/field";
import { t } from "../../text";
import { fill, inserted, type Part, placeholders, type Values } from "./fill";

/** Text is the subject and the body of an e-mail or a template. */
export interface Text {
  subject: string;
  body: string;
}

interface TemplateFieldsProps {
  text: Text;
  onChange: (text: Text) => void;
}

/** TemplateFields edits subject and body. A menu puts a variable where the caret is. */
export function TemplateFields({ text, onChange }: TemplateFieldsProps) {
  const at = useRef<HTMLDivElement>(null);
  const last = useRef<"subject" | "body">("body");
  const insert = (name: string) => {
    const found = placeholders.find((one) => one === name);
    const field = at.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name="${last.current}"]`);
    if (!found || !field) return;
    const end = field.value.length;
    const put = inserted(field.value, field.selectionStart ?? end, field.selectionEnd ?? end, found);
    onChange({ ...text, [last.current]: put.text });
    field.focus();
    requestAnimationFrame(() => { field.setSelectionRange(put.caret, put.caret); });
  };
  return (
    <div class="form" ref={at}>
      <Field label={t.outreach.subject}>
        {(attributes) => <input {...attributes} name="subject" value={text.subject} maxLength={500} required dir="auto"
          onFocus={() => { last.current = "subject"; }}
          onInput={(e) => { onChange({ ...text, subject: e.currentTarget.value }); }} />}
      </Field>
      <Field label={t.outreach.text} hint={t.outreach.textHint}>
        {(attributes) => <textarea {...attributes} name="body" rows={10} value={text.body} maxLength={10000} required
          dir="auto" onFocus={() => { last.current = "body"; }}
          onInput={(e) => { onChange({ ...text, body: e.currentTarget.value }); }} />}
      </Field>
      <select class="variables" aria-label={t.outreach.insert} value=""
        onChange={(e) => { insert(e.currentTarget.value); e.currentTarget.value = ""; }}>
        <option value="">{t.outreach.insert}</option>
        {placeholders.map((name) => <option key={name} value={name}>{t.outreach.variables[name]}</option>)}
      </select>
    </div>
  );
}

interface PreviewProps {
  text: Text;
  values: Values;
  /** gaps are the placeholders without a value. */
  gaps: string[];
}

/** Preview shows an e-mail as its recipient gets it. */
export function Preview({ text, values, gaps }: PreviewProps) {
  return (
    <section class="preview" aria-label={t.outreach.preview}>
      <h3>{t.outreach.preview}</h3>
      <strong><Filled parts={fill(text.subject, values)} /></strong>
      <p class="mail-text" dir="auto"><Filled parts={fill(text.body, values)} /></p>
      {gaps.length > 0 && <p class="bad" role="status">{t.outreach.gaps(gaps.join(", "))}</p>}
    </section>
  );
}

function Filled({ parts }: { parts: Part[] }) {
  return <>{parts.map(({ text, is }, i) => is === "text" ? text : <mark key={i} class={is}>{text}</mark>)}</>;
}
