import { X } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../text";
import { Button, IconButton } from "./button";
import { type Question, question } from "../state/notice";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** side puts the dialog at the right edge, or over the whole of a phone. */
  side?: boolean;
  role?: "alertdialog";
}

/**
 * Dialog is a modal dialog, open while it is rendered. The browser keeps the focus inside, returns it afterwards, and
 * closes the dialog on Esc. An element with data-first has the focus first.
 */
export function Dialog({ title, onClose, children, side = false, role }: DialogProps) {
  const at = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = at.current;
    const before = document.activeElement;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={at} class={side ? "dialog side" : "dialog"} aria-labelledby={id} role={role}
      onCancel={(e) => { e.preventDefault(); onClose(); }}
      onMouseDown={(e) => { if (e.target === at.current) onClose(); }}>
      <div class="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <IconButton label={t.close} icon={X} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Questions shows the question that confirm asks. */
export function Questions() {
  const asked = question.value;
  return asked && <Asked key={asked.title} {...asked} />;
}

function Asked({ title, text, action, answer }: Question) {
  return (
    <Dialog title={title} role="alertdialog" onClose={() => { answer(false); }}>
      <p>{text}</p>
      <footer>
        <Button data-first onClick={() => { answer(false); }}>{t.cancel}</Button>
        <Button kind="danger" onClick={() => { answer(true); }}>{action}</Button>
      </footer>
    </Dialog>
  );
}
