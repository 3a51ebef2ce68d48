import { t } from "../text";
import { Button } from "./button";

/** More loads the next page of a list, if there is one. */
export function More({ more, loading }: { more: (() => void) | null; loading: boolean }) {
  return more && <Button busy={loading} onClick={more}>{t.more}</Button>;
}
