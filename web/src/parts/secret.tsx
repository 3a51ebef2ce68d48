import { Copy } from "lucide-preact";
import { useEffect, useRef } from "preact/hooks";
import { complainOf, notify } from "../state/notice";
import { t } from "../text";
import { Button } from "./button";
import { Field } from "./field";

interface SecretProps {
  label: string;
  hint?: string;
  value: string;
  onClose: () => void;
}

/** Secret shows something that the server shows only once, selected for copying. */
export function Secret({ label, hint, value, onClose }: SecretProps) {
  const at = useRef<HTMLDivElement>(null);
  const select = () => { at.current?.querySelector("input")?.select(); };
  useEffect(select, [value]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      notify(t.person.copied);
    } catch {
      select();
      complainOf(t.person.notCopied);
    }
  };
  return (
    <div class="card secret" ref={at}>
      <Field label={label} hint={hint}>
        {(attributes) => <input {...attributes} readOnly value={value} spellcheck={false} />}
      </Field>
      <div class="actions">
        <Button kind="main" icon={Copy} onClick={() => { void copy(); }}>{t.act.copy}</Button>
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </div>
  );
}
