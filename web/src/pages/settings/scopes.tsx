import type { Schemas } from "../../api/client";
import { t } from "../../text";

type Scope = Schemas["KeyScope"];

interface ScopesProps<S extends Scope> {
  scopes: readonly S[];
  chosen: ReadonlySet<S>;
  onChange: (chosen: ReadonlySet<S>) => void;
}

/** Scopes chooses what a key or token may do. */
export function Scopes<S extends Scope>({ scopes, chosen, onChange }: ScopesProps<S>) {
  const toggle = (scope: S) => {
    const next = new Set(chosen);
    if (!next.delete(scope)) next.add(scope);
    onChange(next);
  };
  return (
    <fieldset class="checks">
      <legend class="soft">{t.settings.permissions}</legend>
      {scopes.map((one) => (
        <label key={one} class="check">
          <input type="checkbox" checked={chosen.has(one)} onChange={() => { toggle(one); }} />
          {t.settings.scopes[one]}
        </label>
      ))}
    </fieldset>
  );
}
