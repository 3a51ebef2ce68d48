import { useState } from "preact/hooks";
import { api, ask, type Schemas } from "../../api/client";
import { inOneLine } from "../../api/problem";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { notify } from "../../state/notice";
import { href } from "../../state/route";
import { t } from "../../text";
import { type Query, requestOf } from "./query";

/** SaveSearch keeps a search under a name. */
export function SaveSearch({ query, onClose }: { query: Query; onClose: () => void }) {
  const usual = [query.prompt, ...Object.values(query.filters)].filter(Boolean).join(", ").slice(0, 200);
  const [name, setName] = useState(usual);
  const [problem, setProblem] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  const save = async (e: Event) => {
    e.preventDefault();
    setBusy(true);
    try {
      const search = requestOf(query) as Schemas["KeptSearch"]; // the search of a list cannot be saved
      const saved = (await ask(api.POST("/v2/searches", { body: { name: name.trim(), search } }))).data;
      notify(t.search.saved(saved.name), {
        link: { text: t.search.seeSaved, href: href("lists") },
        undo: () => ask(api.DELETE("/v2/searches/{id}", { params: { path: { id: saved.id } } })),
      });
      onClose();
    } catch (err) {
      setProblem(inOneLine(err));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t.search.save} onClose={onClose}>
      <form class="form" onSubmit={(e) => { void save(e); }}>
        <Field label={t.search.searchName} problem={problem}>
          {(a) => <input {...a} data-first required maxLength={200} value={name}
            onFocus={(e) => { e.currentTarget.select(); }} onInput={(e) => { setName(e.currentTarget.value); }} />}
        </Field>
        <footer><Button kind="main" type="submit" busy={busy}>{t.save}</Button></footer>
      </form>
    </Dialog>
  );
}
