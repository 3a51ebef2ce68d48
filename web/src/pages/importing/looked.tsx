import { useId, useState } from "preact/hooks";
import type { Schemas } from "../../api/client";
import { Button } from "../../parts/button";
import { Initials } from "../../parts/initials";
import { t } from "../../text";
import { type Chosen, hasName, isOpen, isUnknown, type Meaning, meanings, startOf } from "./columns";
import type { Preview } from "./upload";

interface LookedProps {
  found: Preview;
  map: string;
  onStore: () => void;
  onMap: (file: string, chosen: Chosen) => void;
}

/** Looked shows what files contain before anything is stored. */
export function Looked({ found, map, onStore, onMap }: LookedProps) {
  const { people, companies, contacts } = found.recognised;
  const known = found.files.filter((file) => file.format !== "");
  const needed = known.length > 0 ? known : found.files.filter(isUnknown);
  const rest = found.files.filter((file) => !needed.includes(file));
  return (
    <>
      <section class="card total">
        <div>
          <h2>{found.problem || t.importing.total(people, companies, contacts, found.complete)}</h2>
          <p class="soft">{t.importing.nothingYet}</p>
        </div>
        {!found.problem && <Button kind="main" onClick={onStore}>{t.importing.store}</Button>}
      </section>
      {needed.map((file) => (
        <section key={file.name} class="card file">
          <h3><bdi>{file.name}</bdi></h3>
          <About file={file} map={map} onMap={(chosen) => { onMap(file.name, chosen); }} />
        </section>
      ))}
      {rest.length > 0 && (
        <details class="card">
          <summary>{t.importing.notNeeded(rest.length + found.more_files)}</summary>
          <ul>
            {rest.map((file) => (
              <li key={file.name}><bdi>{file.name}</bdi>{isUnknown(file)
                ? <Columns file={file} map={map} onMap={(chosen) => { onMap(file.name, chosen); }} />
                : file.problem && `: ${file.problem}`}</li>
            ))}
          </ul>
        </details>
      )}
      <Sample found={found} />
      {found.notes.map((note) => <p key={note} class="soft">{note}</p>)}
    </>
  );
}

/** About says what a file is, what its columns mean, and which records are left out. */
function About({ file, map, onMap }: ColumnsProps) {
  if (isUnknown(file)) return <Columns file={file} map={map} onMap={onMap} />;
  const used = file.columns.filter((column) => column.as.length > 0);
  return (
    <>
      <p>{file.format === "mapping" ? t.importing.asMapped : file.title}, {t.importing.rows(file.rows)}</p>
      {file.problem && <p class="bad">{file.problem}</p>}
      {file.columns.length > 0 && (
        <details>
          <summary>{t.importing.used(used.length, file.columns.length)}</summary>
          {isOpen(file)
            ? <Columns file={file} map={map} onMap={onMap} />
            : (
              <dl class="columns">
                {file.columns.map(({ name, as }) => (
                  <div key={name}>
                    <dt><bdi>{name}</bdi></dt><dd>{as.map(meant).join(", ") || t.importing.unused}</dd>
                  </div>
                ))}
              </dl>
            )}
        </details>
      )}
      <Reasons file={file} />
    </>
  );
}

/** meant says a member of a mapping in words where there are words for it. */
function meant(member: string): string {
  const words: Partial<Record<string, string>> = t.importing.meanings;
  return words[member] ?? member;
}

/** Reasons says why records are left out. */
export function Reasons({ file }: { file: Schemas["ImportFile"] }) {
  if (file.reasons.length === 0) return null;
  return (
    <ul class="soft">
      {file.reasons.map(({ reason, count, example }) => (
        <li key={reason}>{t.importing.leftOut(count, reason)}{example && ` (${example})`}</li>
      ))}
    </ul>
  );
}

interface ColumnsProps {
  file: Schemas["ImportFile"];
  map: string;
  onMap: (chosen: Chosen) => void;
}

/** Columns asks what each column of a table means. */
function Columns({ file, map, onMap }: ColumnsProps) {
  const id = useId();
  const [chosen, setChosen] = useState<Chosen>(startOf(file));
  const choose = (column: string, meaning: string) => {
    const next = new Map(chosen);
    const found = meanings.find((one) => one === meaning);
    if (found) next.set(column, found);
    else next.delete(column);
    setChosen(next);
  };
  const named = hasName(chosen);
  return (
    <form onSubmit={(e) => { e.preventDefault(); if (named) onMap(chosen); }}>
      {isUnknown(file) && <p>{map ? file.problem : t.importing.unknownColumns}</p>}
      <div class="columns">
        {file.columns.map(({ name }, i) => (
          <div key={name}>
            <bdi id={`${id}-${i}`}>{name}</bdi>
            <select aria-labelledby={`${id}-${i}`} value={chosen.get(name) ?? ""}
              onChange={(e) => { choose(name, e.currentTarget.value); }}>
              <option value="">{t.importing.unused}</option>
              {meanings.map((one: Meaning) => <option key={one} value={one}>{t.importing.meanings[one]}</option>)}
            </select>
          </div>
        ))}
      </div>
      <div class="actions">
        <Button kind="main" type="submit" disabled={!named}>{t.importing.readSo}</Button>
        {!named && <span class="soft">{t.importing.needsName}</span>}
      </div>
    </form>
  );
}

/** Sample shows the first people and contacts of the files. */
function Sample({ found }: { found: Preview }) {
  if (found.people.length === 0 && found.contacts.length === 0) return null;
  return (
    <section class="card sample">
      {found.people.length > 0 && <h3>{t.importing.first(found.people.length)}</h3>}
      <ul>
        {found.people.map((one, i) => (
          <li key={i}>
            <Initials name={one.full_name} />
            <div>
              <strong><bdi>{one.full_name}</bdi></strong>
              <p><bdi>{t.person.at(one.title, one.company)}</bdi></p>
              <p class="soft">
                {[one.location.city, one.location.country, ...one.emails, one.relationship,
                  one.since && t.person.since(one.since)].filter(Boolean).join(" · ")}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {found.contacts.length > 0 && <h3>{t.importing.contacts}</h3>}
      <ul>
        {found.contacts.map((c) => (
          <li key={`${c.with} ${c.kind}`}>
            <span><bdi>{c.with}</bdi>: {t.importing.contact(c.kind, c.outgoing, c.incoming, c.first, c.last)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
