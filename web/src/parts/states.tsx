import { CloudOff, type LucideIcon, RotateCw } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { Lost, tell } from "../api/problem";
import { href } from "../state/route";
import { t } from "../text";
import { Button } from "./button";

/** Skeleton takes the place of rows that are still to come. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={t.loading}>
      {Array.from({ length: rows }, (_, i) => <div key={i} aria-hidden="true"><span /><span /></div>)}
    </div>
  );
}

interface EmptyProps {
  title: string;
  text?: string;
  icon?: LucideIcon;
  children?: ComponentChildren;
}

/** Empty says why there is nothing, and offers what to do next as its children. */
export function Empty({ title, text, icon: Icon, children }: EmptyProps) {
  return (
    <div class="empty">
      {Icon && <Icon size={28} aria-hidden="true" />}
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children && <div class="actions">{children}</div>}
    </div>
  );
}

/** Failed says an error in words, with what helps: signing in, or trying again. */
export function Failed({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const { text, fields, remedy } = useMemo(() => tell(error), [error]);
  return (
    <div class="failed" role="alert">
      {error instanceof Lost && <CloudOff size={16} aria-hidden="true" />}
      <div>
        {text && <p>{text}</p>}
        {fields.length > 0 && <ul>{fields.map((f) => <li key={f.field}>{f.field}: {f.message}</li>)}</ul>}
      </div>
      {remedy === "sign-in" && <a class="button quiet" href={href("sign-in")}>{t.signIn.title}</a>}
      {remedy === "retry" && retry && <Button icon={RotateCw} onClick={retry}>{t.retry}</Button>}
    </div>
  );
}
