import { Mail } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask } from "../api/client";
import type { Person } from "../api/search";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { Field } from "../parts/field";
import { Failed, Skeleton } from "../parts/states";
import { useLoad } from "../state/load";
import { notify } from "../state/notice";
import { t } from "../text";
import { loadPaths } from "./ways";

interface Message {
  address: string;
  subject: string;
  text: string;
}

/** addressOf returns the e-mail address of a person, or an empty string. */
async function addressOf(id: number, signal: AbortSignal): Promise<string> {
  const { data } = await ask(api.GET("/v2/people/{id}/profile", { params: { path: { id: String(id) } }, signal }));
  return isAddress(data.email) ? data.email : "";
}

/** isAddress reports whether an e-mail address can be written to: the demo hides most of each. */
export function isAddress(email: string): boolean {
  return /^[\w.+-]+@[\w.-]+$/.test(email);
}

/** Ask drafts a request to introduce the reader to a person, to be sent from a mail program. */
export function Ask({ person, onClose }: { person: Person; onClose: () => void }) {
  const paths = useLoad((signal) => loadPaths(person.id, signal), [person.id]);
  const [chosen, setChosen] = useState<number | null>(null);
  const by = (paths.data?.paths ?? []).flatMap((p) => p.introducer ? [p.introducer.profile] : []);
  const introducer = by.find((p) => p.id === chosen) ?? by[0];
  return (
    <Dialog title={t.act.ask} onClose={onClose} side>
      {paths.error ? <Failed error={paths.error} retry={paths.reload} /> : !paths.data ? <Skeleton rows={3} />
        : !introducer ? <p>{paths.data.paths.length > 0 ? t.person.youKnow : t.act.noOne}</p> : (
          <>
            <Field label={t.act.toAsk}>
              {(a) => (
                <select {...a} data-first value={introducer.id}
                  onChange={(e) => { setChosen(Number(e.currentTarget.value)); }}>
                  {by.map((p) => <option key={p.id} value={p.id}>{p.full_name}</option>)}
                </select>
              )}
            </Field>
            <Draft key={introducer.id} person={person} introducer={introducer.id} />
          </>
        )}
    </Dialog>
  );
}

function Draft({ person, introducer }: { person: Person; introducer: number }) {
  const draft = useLoad(async (signal): Promise<Message> => {
    const params = { path: { id: String(person.id) } };
    const [written, address] = await Promise.all([
      ask(api.POST("/v2/people/{id}/introduction", { params, body: { introducer }, signal })),
      addressOf(introducer, signal).catch(() => ""),
    ]);
    return { address, subject: written.data.subject, text: written.data.text };
  }, [person.id, introducer]);
  if (draft.error) return <Failed error={draft.error} retry={draft.reload} />;
  return draft.data ? <Compose {...draft.data} /> : <Skeleton rows={3} />;
}

/** Write starts an e-mail to a person whom the reader knows. */
export function Write({ person, onClose }: { person: Person; onClose: () => void }) {
  const address = useLoad((signal) => addressOf(person.id, signal), [person.id]);
  return (
    <Dialog title={t.act.writeTo(person.full_name)} onClose={onClose} side>
      {address.loading ? <Skeleton rows={3} /> : (
        <>
          {!address.data && <p class="soft">{t.act.noAddress}</p>}
          <Compose address={address.data ?? ""} subject=""
            text={t.act.greeting(person.first_name || person.full_name)} />
        </>
      )}
    </Dialog>
  );
}

function Compose(first: Message) {
  const [subject, setSubject] = useState(first.subject);
  const [text, setText] = useState(first.text);
  const mail = `mailto:${encodeURIComponent(first.address)}?subject=${encodeURIComponent(subject)}`
    + `&body=${encodeURIComponent(text)}`;
  return (
    <div class="form">
      <Field label={t.act.subject}>
        {(a) => <input {...a} maxLength={200} value={subject}
          onInput={(e) => { setSubject(e.currentTarget.value); }} />}
      </Field>
      <Field label={t.act.message}>
        {(a) => <textarea {...a} rows={11} dir="auto" value={text}
          onInput={(e) => { setText(e.currentTarget.value); }} />}
      </Field>
      <footer>
        <Button onClick={() => { void copy(text); }}>{t.act.copy}</Button>
        <a class="button main" href={mail}><Mail size={16} aria-hidden="true" />{t.act.mail}</a>
      </footer>
    </div>
  );
}

/** copy copies a text, and says so. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(t.person.copied);
  } catch {
    const field = document.querySelector<HTMLTextAreaElement>("dialog[open] textarea");
    field?.select();
    notify(t.person.notCopied);
  }
}
