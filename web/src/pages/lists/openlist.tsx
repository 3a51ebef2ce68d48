import { Ellipsis, Pencil, Search, Trash2, X } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask, type Schemas } from "../../api/client";
import { Button, IconButton } from "../../parts/button";
import { Initials } from "../../parts/initials";
import { Menu } from "../../parts/menu";
import { More } from "../../parts/more";
import { Empty, Failed, Skeleton } from "../../parts/states";
import { useFocus } from "../../state/focus";
import { attempt, confirm, notify } from "../../state/notice";
import { usePages } from "../../state/pages";
import { href } from "../../state/route";
import { t } from "../../text";
import { ago, exactly } from "../../text/format";

const step = 10; // pages of 100 people

interface OpenListProps {
  list: Schemas["PeopleList"];
  onChange: () => void;
  onGone: () => void;
}

/** OpenList shows the people of a list, and what can be done with it. On phones it is the page. */
export function OpenList({ list, onChange, onGone }: OpenListProps) {
  const [naming, setNaming] = useState(false);
  const params = { path: { id: list.id } };
  const people = usePages((query, signal) =>
    ask(api.GET("/v2/lists/{id}/people", { params: { ...params, query }, signal })), [list.id], step);
  const changed = () => { people.reload(); onChange(); };
  const put = (id: number) => ask(api.POST("/v2/lists/{id}/people", { params, body: { people: [id] } })).then(changed);
  const take = async (id: number, name: string) => {
    await ask(api.DELETE("/v2/lists/{id}/people", { params, body: { people: [id] } }));
    changed();
    notify(t.lists.taken(name, list.name), { undo: () => put(id) });
  };
  const destroy = async () => {
    if (!await confirm(t.lists.deleteTitle(list.name), t.lists.deleteText(list.people), t.lists.delete)) return;
    await ask(api.DELETE("/v2/lists/{id}", { params }));
    notify(t.lists.deleted(list.name));
    onGone();
  };
  return (
    <section class="opened">
      <header>
        {naming
          ? <Rename list={list} onDone={() => { setNaming(false); onChange(); }} />
          : <h1><bdi>{list.name}</bdi></h1>}
        <div class="actions">
          <a class="button quiet" href={href("search", { scope: `list:${list.id}` })}>
            <Search size={16} aria-hidden="true" />{t.lists.search}
          </a>
          <Menu label={t.more} icon={Ellipsis} items={[
            { text: t.lists.rename, icon: Pencil, act: () => { setNaming(true); } },
            { text: t.lists.delete, icon: Trash2, danger: true, act: () => { void attempt(destroy); } },
          ]} />
        </div>
      </header>
      {people.error !== null && <Failed error={people.error} retry={people.reload} />}
      {!people.data && people.loading && <Skeleton rows={4} />}
      {people.data?.length === 0 && (
        <Empty title={t.lists.empty} text={t.lists.emptyText}>
          <a class="button main" href={href("search")}>{t.signIn.search}</a>
        </Empty>
      )}
      <ul class="members" role="list">
        {people.data?.map((one) => (
          <li key={one.id}>
            <Initials name={one.full_name} />
            <div>
              <a href={href("search", { scope: `list:${list.id}`, person: one.id })}><bdi>{one.full_name}</bdi></a>
              <p><bdi>{one.headline}</bdi></p>
              <p class="soft"><time dateTime={one.added_at} title={exactly(one.added_at)}>
                {t.lists.added(ago(one.added_at))}</time></p>
            </div>
            <IconButton label={t.lists.take(one.full_name)} icon={X}
              onClick={() => { void attempt(() => take(one.id, one.full_name)); }} />
          </li>
        ))}
      </ul>
      <div class="actions center"><More more={people.more} loading={people.loading} /></div>
    </section>
  );
}

function Rename({ list, onDone }: { list: Schemas["PeopleList"]; onDone: () => void }) {
  const [name, setName] = useState(list.name);
  const first = useFocus<HTMLInputElement>();
  const save = async () => {
    await ask(api.PATCH("/v2/lists/{id}", { params: { path: { id: list.id } }, body: { name: name.trim() } }));
    onDone();
  };
  return (
    <form class="actions" onSubmit={(e) => { e.preventDefault(); void attempt(save); }}>
      <input aria-label={t.lists.newName} ref={first} maxLength={200} required value={name}
        onInput={(e) => { setName(e.currentTarget.value); }}
        onKeyDown={(e) => { if (e.key === "Escape") onDone(); }} />
      <Button type="submit" kind="main">{t.save}</Button>
    </form>
  );
}
