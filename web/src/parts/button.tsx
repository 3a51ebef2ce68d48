import type { LucideIcon } from "lucide-preact";
import type { ComponentChildren, JSX } from "preact";

type Native = Omit<JSX.IntrinsicElements["button"], "icon" | "type" | "ref" | "class"> & { class?: string };

export interface ButtonProps extends Native {
  /** kind is main for the one thing to do here, danger for a loss, plain for a button without a border. */
  kind?: "main" | "quiet" | "plain" | "danger";
  icon?: LucideIcon | undefined;
  type?: "button" | "submit";
  /** busy says that what the button does is under way; it does nothing meanwhile. */
  busy?: boolean | undefined;
  "data-first"?: boolean;
  children?: ComponentChildren;
}

/** Button is a button with text. */
export function Button(props: ButtonProps) {
  const { kind = "quiet", icon: Icon, type = "button", busy = false, class: further = "", children, ...rest } = props;
  return (
    <button {...rest} type={type} class={`button ${kind} ${further}`} aria-disabled={busy || undefined}
      onClick={busy ? (e) => { e.preventDefault(); } : rest.onClick}>
      {Icon && <Icon size={16} aria-hidden="true" />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<Native, "label"> {
  label: string;
  icon: LucideIcon;
}

/** IconButton is a button that shows only an icon. Its label is its title, and what screen readers say. */
export function IconButton({ label, icon: Icon, ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} {...rest} class="icon-button" aria-label={label}>
      <Icon size={16} aria-hidden="true" />
    </button>
  );
}
