import { X } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client";
import { Button, IconButton } from "../../parts/button";
import { type Column, type Sorting, Table } from "../../parts/table";
import { Strength } from "../../people/ways";
import { attempt, confirm, notify } from "../../state/notice";
import { type Pages, useMore } from "../../state/pages";
import { me } from "../../state/session";
import { t } from "../../text";
import { number } from "../../text/format";
import { Name } from ".";
import { contacts, matching, type Relationship } from "./relationship";

const first = 50; // rows before "more"
const strongest: Sorting = { column: "strength", down: true }; // the order of the server

/** Known is the table of the people that the reader knows. all are those loaded; a filter or order loads the rest. */
export function Known({ all, list }: { all: Relationship[]; list: Pages<Relationship> }) {
  const [words, setWords] = useState("");
  const [sorting, setSorting] = useState(strongest);
  const [shown, setShown] = useState(first);
  useMore(list, words.trim() !== "" || sorting !== strongest || shown > all.length);
  const title = t.network.known(list.more ? Math.max(me.value?.network.relationships ?? 0, all.length) : all.length);
  const columns = columnsOf((one) => { void attempt(() => forget(one, list.reload)); });
  const compare = columns.find((column) => column.id === sorting.column)?.compare;
  const found = matching(all, words);
  const sorted = compare ? found.toSorted((a, b) => compare(a, b) * (sorting.down ? -1 : 1)) : found;
  return (
    <section class="card" aria-labelledby="known">
      <div class="actions">
        <h2 id="known">{title}</h2>
        <input type="search" aria-label={t.network.filter} placeholder={t.network.filter} value={words}
          onInput={(e) => { setWords(e.currentTarget.value); }} />
      </div>
      <Table label={title} columns={columns} rows={sorted.slice(0, shown)}
        rowKey={(one) => one.id} sorting={sorting} onSort={setSorting} />
      {(sorted.length > shown || list.more) && (
        <Button busy={list.loading} onClick={() => { setShown(shown + 200); }}>{t.more}</Button>
      )}
    </section>
  );
}

function columnsOf(onRemove: (one: Relationship) => void): Column<Relationship>[] {
  const text = (of: (one: Relationship) => string) => (a: Relationship, b: Relationship) => of(a).localeCompare(of(b));
  const lastOf = (one: Relationship) => one.contact?.last ?? "";
  return [
    { id: "name", title: t.network.name, cell: (one) => <Name person={one.person} />,
      compare: text((one) => one.person.name) },
    { id: "strength", title: t.network.strength, cell: (one) => <Strength score={one.score} label={one.score_label} />,
      compare: (a, b) => a.score - b.score },
    { id: "how", title: t.network.how, wide: true,
      cell: (one) => one.types.map((type) => t.network.types[type]).join(", ") },
    { id: "since", title: t.network.since, wide: true, cell: (one) => one.connected_on ?? "",
      compare: text((one) => one.connected_on ?? "") },
    { id: "last", title: t.network.last, cell: lastOf, compare: text(lastOf) },
    { id: "contacts", title: t.network.contacts, wide: true,
      cell: (one) => contacts(one) > 0 ? number(contacts(one)) : "", compare: (a, b) => contacts(a) - contacts(b) },
    { id: "remove", title: "",
      cell: (one) => (
        <IconButton label={t.network.remove(one.person.name)} icon={X} onClick={() => { onRemove(one); }} />
      ) },
  ];
}

async function forget(one: Relationship, onChange: () => void): Promise<void> {
  const name = one.person.name;
  if (!await confirm(t.network.removeTitle(name), t.network.losses(name, contacts(one)), t.remove)) return;
  await ask(api.DELETE("/v2/user/relationships/{id}", { params: { path: { id: one.id } } }));
  notify(t.network.removed(name));
  onChange();
}
