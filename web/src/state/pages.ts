import { useCallback, useEffect, useRef } from "preact/hooks";
import { firstPages, type Page, type PageQuery } from "../api/client";
import { type Loaded, useLoad } from "./load";

/** Pages is the loaded part of a list. more loads the next page, and is null at the end. */
export interface Pages<T> extends Loaded<T[]> {
  more: (() => void) | null;
}

/** usePages loads a list page by page, at first this many pages. */
export function usePages<T>(
  ask: (query: PageQuery, signal: AbortSignal) => Promise<Page<T>>, deps: readonly unknown[], first = 1,
): Pages<T> {
  const wanted = useRef(first);
  const key = JSON.stringify(deps);
  useEffect(() => { wanted.current = first; }, [key, first]);
  const { data, reload, ...state } = useLoad((signal) =>
    firstPages((query) => ask(query, signal), wanted.current), deps);
  const more = useCallback(() => {
    wanted.current++;
    reload();
  }, [reload]);
  return { ...state, data: data?.entries, reload, more: data?.isMore ? more : null };
}
