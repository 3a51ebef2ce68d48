import { Plus, Send } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask, everything, type Schemas } from "../../api/client";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Empty, Failed, Skeleton } from "../../parts/states";
import { type Column, type Sorting, Table } from "../../parts/table";
import { useLoad } from "../../state/load";
import { attempt } from "../../state/notice";
import { type Given, href, set } from "../../state/route";
import { t } from "../../text";
import { number } from "../../text/format";
import { OneSequence } from "./sequence";
import type { Sending } from "./sending";

export type Sequence = Schemas["Sequence"];

/** Sequences lists the sequences, or shows the one of the address. */
export function Sequences({ given, sending }: { given: Given; sending: Sending | undefined }) {
  const id = given["sequence"];
  return id ? <OneSequence key={id} id={id} given={given} sending={sending} /> : <All />;
}

function All() {
  const all = useLoad((signal) => everything((query) => api.GET("/v2/sequences", { params: { query }, signal })), []);
  const [sorting, setSorting] = useState<Sorting>();
  const [naming, setNaming] = useState(false);
  if (all.error) return <Failed error={all.error} retry={all.reload} />;
  if (!all.data) return <Skeleton />;
  const create = <Button kind="main" icon={Plus} onClick={() => { setNaming(true); }}>{t.outreach.newSequence}</Button>;
  return (
    <div class="page">
      {all.data.length > 0
        ? (
          <>
            <div class="actions">{create}</div>
            <Table label={t.outreach.views.sequences} columns={columns()} rows={all.data} rowKey={(one) => one.id}
              sorting={sorting} onSort={setSorting} />
          </>
        )
        : <Empty icon={Send} title={t.outreach.noSequences} text={t.outreach.noSequencesText}>{create}</Empty>}
      {naming && <NewSequence onClose={() => { setNaming(false); }} />}
    </div>
  );
}

function columns(): Column<Sequence>[] {
  const rate = (id: "open_rate" | "click_rate" | "reply_rate"): Column<Sequence> => ({
    id, title: t.outreach.rates[id], wide: true,
    cell: (one) => `${number(one[id])} %`, compare: (a, b) => a[id] - b[id],
  });
  return [
    {
      id: "name", title: t.act.name, compare: (a, b) => a.name.localeCompare(b.name),
      cell: (one) => (
        <a href={href("outreach", { view: "sequences", sequence: one.id })}><bdi>{one.name}</bdi></a>
      ),
    },
    { id: "status", title: t.outreach.status, compare: (a, b) => a.status.localeCompare(b.status),
      cell: (one) => <span class="tag">{t.outreach.statuses[one.status]}</span> },
    { id: "leads", title: t.outreach.leads, cell: (one) => number(one.total_leads),
      compare: (a, b) => a.total_leads - b.total_leads },
    rate("open_rate"), rate("click_rate"), rate("reply_rate"),
  ];
}

function NewSequence({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const create = async () => {
    setBusy(true);
    const done = await attempt(async () => {
      const { data } = await ask(api.POST("/v2/sequences", { body: { name: name.trim() } }));
      set({ sequence: data.id, show: "steps" });
    });
    setBusy(false);
    if (done) onClose();
  };
  return (
    <Dialog title={t.outreach.newSequence} onClose={onClose}>
      <form class="form" onSubmit={(e) => { e.preventDefault(); void create(); }}>
        <Field label={t.act.name}>
          {(attributes) => <input {...attributes} value={name} maxLength={200} required autofocus dir="auto"
            onInput={(e) => { setName(e.currentTarget.value); }} />}
        </Field>
        <footer>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="main" type="submit" busy={busy}>{t.outreach.create}</Button>
        </footer>
      </form>
    </Dialog>
  );
}
