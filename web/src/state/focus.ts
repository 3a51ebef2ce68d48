import { useEffect, useRef } from "preact/hooks";

/** useFocus returns a ref whose element gets the focus when it appears. In a Dialog, use autofocus. */
export function useFocus<T extends HTMLElement>() {
  const at = useRef<T>(null);
  useEffect(() => { at.current?.focus(); }, []);
  return at;
}
