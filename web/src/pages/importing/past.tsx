import { useState } from "preact/hooks";
import { api, ask } from "../../api/client";
import { Refused } from "../../api/problem";
import { Button } from "../../parts/button";
import { attempt, confirm, notify } from "../../state/notice";
import { t } from "../../text";
import { ago, exactly } from "../../text/format";
import { outcome } from "./stored";
import type { Import } from "./upload";

const pause = 1000; // ms, between questions about an import that is undone

/** Past lists earlier imports, each of which can be undone. */
export function Past({ imports, onGone }: { imports: Import[]; onGone: () => void }) {
  if (imports.length === 0) return null;
  return (
    <section aria-labelledby="past">
      <h2 id="past">{t.importing.past}</h2>
      <ol class="past">{imports.map((one) => <Entry key={one.id} one={one} onGone={onGone} />)}</ol>
    </section>
  );
}

function Entry({ one, onGone }: { one: Import; onGone: () => void }) {
  const [going, setGoing] = useState(one.status === "deleting");
  const name = one.files.map((file) => file.name).join(", ") || t.importing.files;
  const undo = async () => {
    const of = one.files.length > 1 ? t.importing.countFiles(one.files.length) : name;
    if (!await confirm(t.importing.undoTitle(of), losses(one), t.importing.undo)) return;
    setGoing(true);
    if (await attempt(() => takeBack(one.id))) notify(t.importing.undone);
    setGoing(false);
    onGone();
  };
  return (
    <li class="card">
      <div>
        <h3><bdi>{name}</bdi></h3>
        <p><time dateTime={one.created_at} title={exactly(one.created_at)}>{ago(one.created_at)}</time>: {said(one)}</p>
      </div>
      <Button busy={going} onClick={() => { void undo(); }}>{going ? t.importing.undoing : t.importing.undo}</Button>
    </li>
  );
}

function said(one: Import): string {
  if (one.status === "succeeded") return outcome(one);
  if (one.status === "failed") return one.error?.message ?? "";
  return t.importing.states[one.status](one.progress);
}

/** losses says what undoing an import destroys, and what stays. */
function losses(one: Import): string {
  const sum = (of: (file: Import["files"][number]) => number) => one.files.reduce((n, file) => n + of(file), 0);
  return t.importing.losses(sum((f) => f.people.created), sum((f) => f.companies.created),
    one.relationships.created, one.contacts.people);
}

/** takeBack undoes an import, and waits until it is gone. */
async function takeBack(id: string): Promise<void> {
  const params = { path: { id } };
  await ask(api.DELETE("/v2/imports/{id}", { params }));
  for (;;) {
    await new Promise((done) => { setTimeout(done, pause); });
    try {
      await ask(api.GET("/v2/imports/{id}", { params }));
    } catch (err) {
      if (err instanceof Refused && err.problem.status === 404) return;
      throw err;
    }
  }
}
