import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** dropped are files that a page took for the import. */
export const dropped = signal<File[]>([]);

/** useDropped hands the dropped files over, once, when the component appears. */
export function useDropped(take: (files: File[]) => void): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const files = dropped.value;
    dropped.value = [];
    latest.current(files);
  }, []);
}
