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
  | { is: "busy"; says: string; part: number | null }
  | { is: "looked"; files: File[]; found: Preview; map: string }
  | { is: "stored"; done: Import };

/** Importing brings people from files: choose, look, store. */
export default function Importing() {
  const [step, setStep] = useState<Step>({ is: "idle" });
  const [error, setError] = useState<unknown>(null);
  const under = useRef<AbortController | null>(null);
  const past = useLoad((signal) => everything((query) => api.GET("/v2/imports", { params: { query }, signal })),
    [me.value?.id]);

  const attempt = async (
    says: string, before: Step, what: (signal: AbortSignal, at: (part: number) => void) => Promise<Step>,
  ) => {
    under.current?.abort();
    const own = (under.current = new AbortController());
    const show = (next: Step) => { if (under.current === own) setStep(next); };
    setError(null);
    show({ is: "busy", says, part: 0 });
    try {
      show(await what(own.signal, (part) => { show({ is: "busy", says, part }); }));
    } catch (err) {
      show(before);
      if (!canceled(err)) setError(err);
    }
  };
  const look = (files: File[], map = "") => {
    if (files.length === 0) return;
    void attempt(t.importing.reading, { is: "idle" }, async (signal, at) =>
      ({ is: "looked", files, map, found: await preview(files, map, signal, at) }));
  };
  useDropped(look);
  const keep = (files: File[], map: string) => {
    void attempt(t.importing.sending, step, async (signal, at) => {
      const begun = await store(files, map, signal, at);
      past.reload();
      const done = await finished(begun.id, signal, (percent) => { at(percent / 100); });
      past.reload();
      return { is: "stored", done };
    });
  };
  return (
    <div class="page importing">
      <h1>{t.pages.import}</h1>
      <Drop title={t.importing.drop} text={t.importing.kinds} onFiles={(files) => { look(files); }} />
      {error !== null && <Failed error={error} />}
      {step.is === "busy" && (
        <div class="card busy" role="status">
          <span>{step.says}</span>
          <progress max={1} value={step.part ?? undefined} aria-label={step.says} />
          <Button onClick={() => { under.current?.abort(); }}>{t.cancel}</Button>
        </div>
      )}
      {step.is === "looked" && (
        <Looked found={step.found} map={step.map} onStore={() => { keep(step.files, step.map); }}
          onMap={(name, chosen) => { look(only(step.files, name), toMap(chosen)); }} />
      )}
      {step.is === "stored" && <Stored done={step.done} />}
      {step.is === "idle" && past.data?.length === 0 && <HowTo />}
      <Past imports={past.data ?? []} onGone={past.reload} />
    </div>
  );
}

/** only returns the file with a name, or all if it lies in an archive. */
function only(files: File[], name: string): File[] {
  const found = files.filter((file) => file.name === name);
  return found.length > 0 ? found : files;
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
