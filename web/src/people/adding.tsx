import { useState } from "preact/hooks";
import { api, ask, everything } from "../api/client";
import type { Person } from "../api/search";
import { inOneLine } from "../api/problem";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { Field } from "../parts/field";
import { Failed, Skeleton } from "../parts/states";
import { useLoad } from "../state/load";
import { notify } from "../state/notice";
import { href } from "../state/route";
import { setting } from "../state/session";
import { t } from "../text";

interface AddingProps {
  people: Person[];
  onClose: () => void;
}

interface Target {
  id: string;
  name: string;
}

/** AddToList puts people on a list, which may be new. The notice takes it back. */
export function AddToList({ people, onClose }: AddingProps) {
  const lists = useLoad((signal) => everything((query) => api.GET("/v2/lists", { params: { query }, signal })), []);
  const add = async (to: Target | null, name: string) => {
    const target = to ?? (await ask(api.POST("/v2/lists", { body: { name } }))).data;
    const params = { path: { id: target.id } };
    const ids = people.map((p) => p.id);
    const { summary, results } = (await ask(api.POST("/v2/lists/{id}/people",
      { params, body: { people: ids } }))).data;
    const added = results.flatMap((r) => r.status === "added" && r.person_id ? [r.person_id] : []);
    notify([summary.changed > 0 ? t.act.added(summary.changed, target.name) : "",
      summary.unchanged > 0 ? t.act.already(summary.unchanged, target.name) : "",
      summary.not_found > 0 ? t.act.notFound(summary.not_found) : ""].filter(Boolean).join(" "), {
      link: { text: t.act.open, href: href("lists", { list: target.id }) },
      undo: added.length > 0
        ? () => ask(api.DELETE("/v2/lists/{id}/people", { params, body: { people: added } })) : undefined,
    });
    return target.id;
  };
  return <Chooser title={t.act.list} kind="list" label={t.act.listLabel} fresh={t.act.newList} loaded={lists}
    people={people} onClose={onClose} add={add} />;
}

/** AddToSequence makes people leads of a sequence, which may be new. */
export function AddToSequence({ people, onClose }: AddingProps) {
  const sequences = useLoad(async (signal) => (await everything((query) =>
    api.GET("/v2/sequences", { params: { query }, signal }))).filter((one) => one.status !== "finished"), []);
  const add = async (to: Target | null, name: string) => {
    const target = to ?? (await ask(api.POST("/v2/sequences", { body: { name } }))).data;
    const { summary, results } = (await ask(api.POST("/v2/sequences/{sequence_id}/leads",
      { params: { path: { sequence_id: target.id } }, body: { people: people.map((p) => p.id) } }))).data;
    const refused = [...new Set(results.flatMap((r) => r.error ? [r.error.message] : []))].join("; ");
    notify([summary.created > 0 ? t.act.added(summary.created, target.name) : "",
      summary.unchanged > 0 ? t.act.already(summary.unchanged, target.name) : "",
      refused && t.act.refused(refused)].filter(Boolean).join(" "),
    { link: { text: t.act.open, href: href("outreach", { sequence: target.id }) } });
    return target.id;
  };
  return <Chooser title={t.act.sequence} kind="sequence" label={t.act.sequenceLabel} fresh={t.act.newSequence}
    loaded={sequences} people={people} onClose={onClose} add={add} />;
}

interface ChooserProps extends AddingProps {
  title: string;
  kind: string;
  label: string;
  fresh: string;
  loaded: { data: Target[] | undefined; error: unknown; reload: () => void };
  /** add adds to a target, or to a new one of this name, and returns its id. */
  add: (to: Target | null, name: string) => Promise<string>;
}

/** Chooser asks for one of several targets or the name of a new one. The latest choice comes first. */
function Chooser({ title, kind, label, fresh, loaded, people, onClose, add }: ChooserProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  const { data, error, reload } = loaded;
  const last = setting.get(`last-${kind}`);
  const id = chosen ?? data?.find((one) => one.id === last)?.id ?? data?.[0]?.id ?? "";
  const submit = async (e: Event) => {
    e.preventDefault();
    setBusy(true);
    try {
      setting.set(`last-${kind}`, await add(data?.find((one) => one.id === id) ?? null, name.trim()));
      onClose();
    } catch (err) {
      setProblem(inOneLine(err));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="soft"><bdi>{people.length === 1 ? people[0]?.full_name : t.people(people.length)}</bdi></p>
      {error ? <Failed error={error} retry={reload} /> : !data ? <Skeleton rows={2} /> : (
        <form class="form" onSubmit={(e) => { void submit(e); }}>
          <Field label={label}>
            {(a) => (
              <select {...a} data-first value={id} onChange={(e) => { setChosen(e.currentTarget.value); }}>
                {data.map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}
                <option value="">{fresh}</option>
              </select>
            )}
          </Field>
          {id === "" && (
            <Field label={t.act.name}>
              {(a) => <input {...a} required maxLength={200} value={name}
                onInput={(e) => { setName(e.currentTarget.value); }} />}
            </Field>
          )}
          {problem && <p class="bad" role="alert">{problem}</p>}
          <footer><Button kind="main" type="submit" busy={busy}>{t.act.add}</Button></footer>
        </form>
      )}
    </Dialog>
  );
}
