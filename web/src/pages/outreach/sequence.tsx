import { ArrowLeft, CirclePlay, Flag, Pause, Pencil } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client";
import { Button, IconButton } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Failed, Skeleton } from "../../parts/states";
import { Tabs } from "../../parts/tabs";
import { useLoad } from "../../state/load";
import { attempt, notify } from "../../state/notice";
import { type Given, href } from "../../state/route";
import { t } from "../../text";
import { Leads } from "./leads";
import type { Sending } from "./sending";
import type { Sequence } from "./sequences";
import { Steps } from "./steps";

type Change = (change: Partial<Pick<Sequence, "name" | "description" | "status">>) => Promise<boolean>;

interface OneSequenceProps {
  id: string;
  given: Given;
  sending: Sending | undefined;
}

/** OneSequence shows a sequence: its state, its leads and its steps. */
export function OneSequence({ id, given, sending }: OneSequenceProps) {
  const loaded = useLoad(async (signal) =>
    (await ask(api.GET("/v2/sequences/{id}", { params: { path: { id } }, signal }))).data, [id]);
  const [naming, setNaming] = useState(false);
  const one = loaded.data;
  if (loaded.error) return <Failed error={loaded.error} retry={loaded.reload} />;
  if (!one) return <Skeleton />;
  const change: Change = (body) => attempt(async () => {
    await ask(api.PATCH("/v2/sequences/{id}", { params: { path: { id } }, body }));
    loaded.reload();
  });
  const show = given["show"] === "steps" ? "steps" : "leads";
  const to = (part: string) => href("outreach", { view: "sequences", sequence: id, show: part });
  const tabs = [
    { id: "leads", text: t.outreach.leads, href: to("leads"), count: String(one.total_leads) },
    { id: "steps", text: t.outreach.steps, href: to("steps"), count: String(one.ai_email_templates.length) },
  ];
  return (
    <>
      <header class="sequence-head">
        <a class="icon-button" href={href("outreach", { view: "sequences" })} aria-label={t.back} title={t.back}>
          <ArrowLeft size={16} aria-hidden="true" />
        </a>
        <div class="sequence-name">
          <h2><bdi>{one.name}</bdi></h2>
          <IconButton icon={Pencil} label={t.outreach.rename} onClick={() => { setNaming(true); }} />
          <span class="tag">{t.outreach.statuses[one.status]}</span>
        </div>
        <StatusButtons one={one} change={change} />
        <p class="soft sequence-rates">
          {one.description && <><bdi>{one.description}</bdi> · </>}
          {t.outreach.ratesOf(one.open_rate, one.click_rate, one.reply_rate)}
        </p>
        <Tabs label={one.name} tabs={tabs} current={show} />
      </header>
      {show === "steps"
        ? <Steps sequence={one} onChange={loaded.reload} sending={sending} />
        : <Leads sequence={one} given={given} sending={sending} onChange={loaded.reload} />}
      {naming && <Naming one={one} change={change} onClose={() => { setNaming(false); }} />}
    </>
  );
}

function StatusButtons({ one, change }: { one: Sequence; change: Change }) {
  const become = async (status: Sequence["status"]) => {
    const before = one.status;
    if (!await change({ status })) return;
    notify(t.outreach.became(one.name, t.outreach.statuses[status]), { undo: () => change({ status: before }) });
  };
  return (
    <div class="actions">
      {one.status !== "active" && (
        <Button kind="main" icon={CirclePlay} onClick={() => { void become("active"); }}>{t.outreach.start}</Button>
      )}
      {one.status === "active" && (
        <Button icon={Pause} onClick={() => { void become("paused"); }}>{t.outreach.pause}</Button>
      )}
      {one.status !== "finished" && (
        <Button icon={Flag} onClick={() => { void become("finished"); }}>{t.outreach.finish}</Button>
      )}
    </div>
  );
}

function Naming({ one, change, onClose }: { one: Sequence; change: Change; onClose: () => void }) {
  const [name, setName] = useState(one.name);
  const [description, setDescription] = useState(one.description);
  const save = async () => { if (await change({ name: name.trim(), description })) onClose(); };
  return (
    <Dialog title={t.outreach.rename} onClose={onClose}>
      <form class="form" onSubmit={(e) => { e.preventDefault(); void save(); }}>
        <Field label={t.act.name}>
          {(attributes) => <input {...attributes} value={name} maxLength={200} required autofocus dir="auto"
            onInput={(e) => { setName(e.currentTarget.value); }} />}
        </Field>
        <Field label={t.outreach.description}>
          {(attributes) => <textarea {...attributes} rows={3} value={description} maxLength={10000} dir="auto"
            onInput={(e) => { setDescription(e.currentTarget.value); }} />}
        </Field>
        <footer>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="main" type="submit">{t.save}</Button>
        </footer>
      </form>
    </Dialog>
  );
}
