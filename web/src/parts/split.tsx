import { ArrowLeft } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { t } from "../text";
import { Button } from "./button";

interface SplitProps {
  list: ComponentChildren;
  /** aside is beside the list: the one that is open, or else something about all. */
  aside: ComponentChildren;
  /** open says that aside shows one of the list: phones then show it instead of the list. */
  open: boolean;
  label: string;
  onClose: () => void;
}

/** Split shows a list with the open one beside it. */
export function Split({ list, aside, open, label, onClose }: SplitProps) {
  return (
    <div class={open ? "split open" : "split"}>
      <div class="split-list">{list}</div>
      <aside class="split-aside" aria-label={label}>
        {open && <div class="split-back"><Button icon={ArrowLeft} onClick={onClose}>{t.back}</Button></div>}
        {aside}
      </aside>
    </div>
  );
}
