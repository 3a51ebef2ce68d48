import { Dialog } from "../parts/dialog";
import { t } from "../text";
import { keysShown } from "./keys";

/** Keys lists the keys. */
export function Keys() {
  if (!keysShown.value) return null;
  return (
    <Dialog title={t.frame.keys} onClose={() => { keysShown.value = false; }}>
      <dl class="keys">
        {t.frame.keyList.map(({ keys, does }) => (
          <div key={keys}><dt>{keys.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt><dd>{does}</dd></div>
        ))}
      </dl>
    </Dialog>
  );
}
