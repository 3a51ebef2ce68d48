import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface VirtualListProps<T> {
  items: readonly T[];
  /** height is that of each row, in pixels. */
  height: number;
  label: string;
  row: (item: T, index: number) => ComponentChildren;
  /** onEnd is called when the reader comes near the end. */
  onEnd?: (() => void) | undefined;
  busy?: boolean;
}

const spare = 8; // rows rendered above and below those in view, once these are painted

/** VirtualList is a list in the page that renders only the rows in view. row returns an li with aria-posinset. */
export function VirtualList<T>({ items, height, label, row, onEnd, busy }: VirtualListProps<T>) {
  const at = useRef<HTMLOListElement>(null);
  const view = Math.ceil(window.innerHeight / height); // rows
  const [[from, to], setRange] = useState<readonly [number, number]>([0, view]);
  useEffect(() => {
    const look = () => {
      const top = at.current?.getBoundingClientRect().top ?? 0;
      const above = Math.floor(-top / height);
      setRange([Math.max(0, above - spare), above + Math.ceil(window.innerHeight / height) + spare]);
      const left = top + items.length * height - window.innerHeight;
      if (left < 3 * height) onEnd?.();
    };
    look();
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [height, items.length, onEnd]);
  const first = Math.min(from, Math.max(0, items.length - 1));
  const shown = items.slice(first, to);
  return (
    <ol ref={at} class="virtual" role="list" aria-label={label} aria-busy={busy}
      style={{ paddingTop: `${first * height}px`,
        paddingBottom: `${Math.max(0, items.length - first - shown.length) * height}px` }}>
      {shown.map((item, i) => row(item, first + i))}
    </ol>
  );
}
