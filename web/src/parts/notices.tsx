import { X } from "lucide-preact";
import { useEffect } from "preact/hooks";
import { attempt, dismiss, type Notice, notices } from "../state/notice";
import { t } from "../text";
import { Button, IconButton } from "./button";

const shown = 8000; // ms, for those that ask for nothing

/** Notices shows the messages of notify and complain. */
export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map((one) => <Shown key={one.id} {...one} />)}
    </div>
  );
}

function Shown({ id, text, bad, undo, link }: Notice) {
  useEffect(() => {
    if (bad) return undefined;
    const timer = setTimeout(() => { dismiss(id); }, undo ? 2 * shown : shown);
    return () => { clearTimeout(timer); };
  }, [id, bad, undo]);
  const take = () => {
    dismiss(id);
    if (undo) void attempt(undo);
  };
  return (
    <div class={bad ? "notice bad" : "notice"}>
      <span>{text}</span>
      {link && <a href={link.href} onClick={() => { dismiss(id); }}>{link.text}</a>}
      {undo && <Button onClick={take}>{t.undo}</Button>}
      <IconButton label={t.close} icon={X} onClick={() => { dismiss(id); }} />
    </div>
  );
}
