import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { canceled } from "../api/problem";

/** Loaded is the state of something that a component asks the server for. */
export interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  loading: boolean;
  /** reload asks again and keeps what is shown until the answer comes. */
  reload: () => void;
}

/**
 * useLoad calls ask when the component appears and when a member of deps changes. A late answer to an earlier call is
 * dropped, and its signal aborted.
 */
export function useLoad<T>(ask: (signal: AbortSignal) => Promise<T>, deps: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>({ data: undefined, error: null, loading: true });
  const [again, setAgain] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  const key = JSON.stringify(deps);
  const shown = useRef(key);
  useEffect(() => {
    const under = new AbortController();
    const same = shown.current === key;
    shown.current = key;
    setState((old) => ({ data: same ? old.data : undefined, error: null, loading: true }));
    latest.current(under.signal).then(
      (data) => { if (!under.signal.aborted) setState({ data, error: null, loading: false }); },
      (error: unknown) => {
        if (!under.signal.aborted && !canceled(error)) setState({ data: undefined, error, loading: false });
      });
    return () => { under.abort(); };
  }, [key, again]);
  const reload = useCallback(() => { setAgain((n) => n + 1); }, []);
  return { ...state, reload };
}
