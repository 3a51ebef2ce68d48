import { useId, useState } from "preact/hooks";

export interface Option {
  id: string;
  text: string;
  /** aside is said in grey beside the text. */
  aside?: string | undefined;
}

interface ComboboxProps {
  label: string;
  value: string;
  options: Option[];
  onInput: (text: string) => void;
  onPick: (option: Option) => void;
  placeholder?: string;
  /** first is whether Enter without arrows takes the first option. */
  first?: boolean;
  /** autofocus opens the list at once, and takes the focus in a Dialog. */
  autofocus?: boolean;
}

/** Combobox is a text field with a list of options that the caller changes while the reader types. */
export function Combobox(props: ComboboxProps) {
  const { label, value, options, onInput, onPick, placeholder, first = false, autofocus = false } = props;
  const id = useId();
  const [open, setOpen] = useState(autofocus);
  const [at, setAt] = useState(first ? 0 : -1);
  const shown = open && options.length > 0;
  const pick = (option: Option) => {
    setOpen(false);
    onPick(option);
  };
  const press = (e: KeyboardEvent) => {
    const next = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (next) {
      e.preventDefault();
      setOpen(true);
      setAt((at + next + options.length) % Math.max(options.length, 1));
    } else if (e.key === "Enter" && shown && options[at]) {
      e.preventDefault();
      pick(options[at]);
    } else if (e.key === "Escape" && shown) {
      e.preventDefault();
      e.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <div class="combobox">
      <input role="combobox" aria-label={label} aria-expanded={shown} aria-controls={`${id}-list`} autocomplete="off"
        aria-activedescendant={shown && options[at] ? `${id}-${at}` : undefined} aria-autocomplete="list" dir="auto"
        value={value} placeholder={placeholder ?? label} data-first={autofocus || undefined}
        onFocus={() => { setOpen(true); }} onBlur={() => { setOpen(false); }} onKeyDown={press}
        onInput={(e) => {
          setOpen(true);
          setAt(first ? 0 : -1);
          onInput(e.currentTarget.value);
        }} />
      <ul role="listbox" id={`${id}-list`} aria-label={label} class="options" hidden={!shown}>
        {shown && options.map((option, i) => (
          <li key={option.id} id={`${id}-${i}`} role="option" aria-selected={i === at}
            onMouseDown={(e) => { e.preventDefault(); pick(option); }}>
            <bdi>{option.text}</bdi>{option.aside && <span class="soft">{option.aside}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
