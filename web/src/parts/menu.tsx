import { ChevronDown, type LucideIcon } from "lucide-preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

export interface MenuItem {
  text: string;
  icon?: LucideIcon;
  danger?: boolean;
  act: () => void;
}

interface MenuProps {
  label: string;
  items: MenuItem[];
  /** icon replaces the text of the button; the label is then what screen readers say. */
  icon?: LucideIcon;
  /** inList keeps the button out of the Tab order, because the list has keys of its own. */
  inList?: boolean;
}

/** Menu is a button with a menu: arrow keys move in it, Esc and clicks elsewhere close it. */
export function Menu({ label, items, icon: Icon, inList = false }: MenuProps) {
  const [open, setOpen] = useState(false);
  const at = useRef<HTMLDivElement>(null);
  const id = useId();
  const shut = (focus: boolean) => {
    setOpen(false);
    if (focus) at.current?.querySelector("button")?.focus();
  };
  useEffect(() => {
    if (!open) return undefined;
    entries(at.current)[0]?.focus();
    const away = (e: Event) => { if (!at.current?.contains(e.target as Node)) setOpen(false); };
    document.addEventListener("pointerdown", away);
    return () => { document.removeEventListener("pointerdown", away); };
  }, [open]);
  const press = (e: KeyboardEvent) => {
    if (!open || e.key === "Enter" || e.key === " ") return;
    const all = entries(at.current);
    const next = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (next) all[(all.indexOf(document.activeElement as HTMLElement) + next + all.length) % all.length]?.focus();
    else if (e.key === "Escape") shut(true);
    else if (e.key === "Tab") { setOpen(false); return; }
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div class="menu" ref={at} onKeyDown={press}>
      <button type="button" class={Icon ? "icon-button" : "button quiet"} aria-haspopup="menu" aria-expanded={open}
        tabIndex={inList ? -1 : undefined} aria-label={Icon ? label : undefined} title={Icon ? label : undefined}
        onClick={() => { setOpen(!open); }}>
        {Icon ? <Icon size={16} aria-hidden="true" /> : <>{label}<ChevronDown size={14} aria-hidden="true" /></>}
      </button>
      {open && (
        <div role="menu" id={id} aria-label={label} class="menu-items">
          {items.map(({ text, icon: ItemIcon, danger, act }) => (
            <button key={text} type="button" role="menuitem" class={danger ? "bad" : undefined} tabIndex={-1}
              onClick={() => { shut(true); act(); }}>
              {ItemIcon && <ItemIcon size={16} aria-hidden="true" />}{text}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function entries(at: HTMLElement | null): HTMLElement[] {
  return [...(at?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}
