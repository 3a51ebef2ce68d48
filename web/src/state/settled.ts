import { useEffect, useState } from "preact/hooks";

/** useSettled returns a value that changes with every keystroke once it has stayed the same for a pause, in ms. */
export function useSettled<T>(value: T, pause: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => { setSettled(value); }, pause);
    return () => { clearTimeout(timer); };
  }, [value, pause]);
  return settled;
}
