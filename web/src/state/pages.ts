import { useCallback, useEffect, useRef } from "preact/hooks";
import { type Page, type PageQuery, type Part, readPages } from "../api/client";
import { type Loaded, useLoad } from "./load";

/** Pages is the loaded part of a list. more adds to it, and is null at the end of the list. */
export interface Pages<T> extends Loaded<T[]> {
  more: (() => void) | null;
}

/** usePages loads this many pages of a list, and as many further ones with each call of more. */
export function usePages<T>(
  ask: (query: PageQuery, signal: AbortSignal) => Promise<Page<T>>, deps: readonly unknown[], step = 1,
): Pages<T> {
  const wanted = useRef(step);
  const before = useRef<Part<T> | null>(null); // what more adds to
  const key = JSON.stringify(deps);
  useEffect(() => {
    wanted.current = step;
    before.current = null;
  }, [key, step]);
  const { data, reload, ...state } = useLoad(async (signal) => {
    const start = before.current;
    before.current = null; // reload reads everything again
    const part = await readPages((query) => ask(query, signal), start ? step : wanted.current, start?.cursor);
    return { ...part, entries: [...start?.entries ?? [], ...part.entries] };
  }, deps);
  const more = useCallback(() => {
    if (!data) return;
    wanted.current += step;
    before.current = data;
    reload();
  }, [data, reload, step]);
  return { ...state, data: data?.entries, reload, more: data?.cursor ? more : null };
}

/** useMore loads more of a list while it is needed. */
export function useMore({ more, loading }: Pages<unknown>, needed: boolean): void {
  useEffect(() => { if (needed && !loading) more?.(); }, [needed, loading, more]);
}
