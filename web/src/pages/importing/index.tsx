import { Upload } from "lucide-preact";
import { useRef, useState } from "preact/hooks";
import { api, ask, everything } from "../../api/client";
import { canceled, Refused } from "../../api/problem";
import { Button } from "../../parts/button";
import { Drop } from "../../parts/drop";
import { Failed } from "../../parts/states";
import { useDropped } from "../../state/files";
import { useLoad } from "../../state/load";
import { href } from "../../state/route";
import { me } from "../../state/session";
import { t } from "../../text";
import { toMap } from "./columns";
import "./importing.css";
import { Looked } from "./looked";
import { Past } from "./past";
import { Stored } from "./stored";
import { type Import, type Preview, preview, store } from "./upload";

const pause = 1000; // ms, between questions about a running import

/** Step is what the page does with the chosen files. */
type Step =
  | { is: "idle" }
  | { is: "busy"; says: string; part: number; begun: boolean } // begun: the server stores, whatever the page does
  | { is: "looked"; files: File[]; others: File[]; found: Preview; map: string } // others are not read with the map
  | { is: "stored"; done: Import; others: File[] };

type Progress = (part: number, begun?: boolean) => void;

/** useSteps has the present step, and takes the next: what fails or is canceled leads back, and shows its error. */
function useSteps() {
  const [step, setStep] = useState<Step>({ is: "idle" });
  const [error, setError] = useState<unknown>(null);
  const under = useRef<AbortController | null>(null);
  const take = async (
    says: string, before: Step, what: (signal: AbortSignal, at: Progress) => Promise<Step>,
  ) => {
    under.current?.abort();
    const own = (under.current = new AbortController());
    const show = (next: Step) => { if (under.current === own) setStep(next); };
    let back = before;
    const at: Progress = (part, begun = false) => {
      if (begun) back = { is: "idle" };
      show({ is: "busy", says, part, begun });
    };
    setError(null);
    at(0);
    try {
      show(await what(own.signal, at));
    } catch (err) {
      show(back);
      if (!canceled(err)) setError(err);
    }
  };
  return { step, error, take, cancel: () => { under.current?.abort(); } };
}

/** Importing brings people from files: choose, look, store. */
export default function Importing() {
  const { step, error, take, cancel } = useSteps();
  const past = useLoad((signal) => everything((query) => api.GET("/v2/imports", { params: { query }, signal })),
    [me.value?.id]);
  const look = (files: File[], map = "", others: File[] = []) => {
    if (files.length === 0) return;
    void take(t.importing.reading, { is: "idle" }, async (signal, at) =>
      ({ is: "looked", files, others, map, found: await preview(files, map, signal, at) }));
  };
  useDropped(look);
  const keep = ({ files, others, map }: Step & { is: "looked" }) => {
    void take(t.importing.sending, step, async (signal, at) => {
      const { id } = await store(files, map, signal, at);
      at(0, true);
      past.reload();
      const done = await finished(id, signal, (percent) => { at(percent / 100, true); });
      return { is: "stored", done, others };
    }).finally(past.reload);
  };
  return (
    <div class="page importing">
      <h1>{t.pages.import}</h1>
      <Drop title={t.importing.drop} text={t.importing.kinds} onFiles={(files) => { look(files); }} />
      {error !== null && <Failed error={error} />}
      {step.is === "busy" && (
        <div class="card busy" role="status">
          <span>{step.says}</span>
          <progress max={1} value={step.part} aria-label={step.says} />
          {!step.begun && <Button onClick={cancel}>{t.cancel}</Button>}
        </div>
      )}
      {step.is === "looked" && (
        <Looked found={step.found} map={step.map} onStore={() => { keep(step); }}
          onMap={(name, chosen) => {
            const [files, rest] = parted(step.files, name);
            look(files, toMap(chosen), [...step.others, ...rest]);
          }} />
      )}
      {step.is === "looked" && <Others files={step.others} />}
      {step.is === "stored" && <Stored done={step.done} />}
      {step.is === "stored" && <Others files={step.others} onLook={look} />}
      {step.is === "idle" && past.data?.length === 0 && <HowTo />}
      <Past imports={past.data ?? []} onGone={past.reload} />
    </div>
  );
}

/** parted returns the file with a name and the others, or all and none if it lies in an archive. */
function parted(files: File[], name: string): [File[], File[]] {
  const found = files.filter((file) => file.name === name);
  return found.length > 0 ? [found, files.filter((file) => file.name !== name)] : [files, []];
}

/** Others names the files that are not part of an import, and leads to them after it. */
function Others({ files, onLook }: { files: File[]; onLook?: (files: File[]) => void }) {
  if (files.length === 0) return null;
  return (
    <section class="card total">
      <p>{t.importing.others(files.map((file) => file.name).join(", "))}</p>
      {onLook && <Button kind="main" onClick={() => { onLook(files); }}>{t.importing.lookAtOthers}</Button>}
    </section>
  );
}

/** finished asks for an import until it has ended. */
async function finished(id: string, signal: AbortSignal, at: (percent: number) => void): Promise<Import> {
  for (;;) {
    const { data } = await ask(api.GET("/v2/imports/{id}", { params: { path: { id } }, signal }));
    if (data.status === "succeeded") return data;
    if (data.error) throw new Refused({ detail: data.error.message });
    at(data.progress);
    await new Promise((done) => { setTimeout(done, pause); });
  }
}

function HowTo() {
  const { how, network, contacts, mail, private: own } = t.firstRun;
  return (
    <section class="card how">
      <h2><Upload size={16} aria-hidden="true" /> {how}</h2>
      <ul><li>{network}</li><li>{contacts}</li><li>{mail}</li></ul>
      <p class="soft">{own} <a href={href("docs")}>{t.importing.api}</a></p>
    </section>
  );
}
