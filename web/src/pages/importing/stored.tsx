import { Check } from "lucide-preact";
import { useEffect, useRef } from "preact/hooks";
import { href } from "../../state/route";
import { t } from "../../text";
import { number } from "../../text/format";
import { Reasons } from "./looked";
import type { Import } from "./upload";

/** Stored says what an import brought, what is now possible, and what is missing. */
export function Stored({ done }: { done: Import }) {
  const at = useRef<HTMLElement>(null);
  useEffect(() => { at.current?.focus(); }, []); // the button that stored is gone
  return (
    <>
      <section ref={at} class="card total" role="status" tabIndex={-1}>
        <div>
          <h2><Check size={18} aria-hidden="true" /> {outcome(done)}</h2>
          {done.notes.map((note) => <p key={note} class="soft">{note}</p>)}
        </div>
        <div class="actions">
          <a class="button main" href={href("search")}>{t.importing.search}</a>
          <a class="button quiet" href={href("people")}>{t.importing.network}</a>
          {done.doubtful > 0 && (
            <a class="button quiet" href={href("people", { show: "duplicates" })}>
              {t.importing.doubtful(done.doubtful)}
            </a>
          )}
        </div>
      </section>
      {done.files.filter((file) => file.format !== "").map((file) => (
        <section key={file.name} class="card file">
          <h3><bdi>{file.name}</bdi></h3>
          <p>{t.importing.outcomes(file.people.created, file.people.merged, file.people.unchanged, file.people.rejected)
            || t.importing.nobody}</p>
          {file.problem && <p class="bad">{file.problem}</p>}
          <Reasons file={file} />
        </section>
      ))}
    </>
  );
}

/** outcome says in one line whom an import brought. */
export function outcome(done: Import): string {
  const people = done.files.reduce((n, f) => n + f.people.created + f.people.merged + f.people.unchanged, 0)
    + done.contacts.stored;
  const { created, updated, unchanged } = done.relationships;
  return t.importing.brought(t.people(people), number(created + updated + unchanged));
}
