import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  label: string;
  hint?: string | undefined;
  /** problem is what is wrong with the value. */
  problem?: string | undefined;
  children: (attributes: { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean }) => ComponentChildren;
}

/** Field labels an input, a select or a textarea: children get the attributes that tie them to label and problem. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  const told = problem ?? hint;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(told && { "aria-describedby": `${id}-told` }), ...(problem && { "aria-invalid": true }) })}
      {told && <p id={`${id}-told`} class={problem ? "bad" : "soft"}>{told}</p>}
    </div>
  );
}
