import { ListPlus, Plus } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask, everything } from "../../api/client";
import { Button } from "../../parts/button";
import { Split } from "../../parts/split";
import { Empty, Failed, Skeleton } from "../../parts/states";
import { attempt, notify } from "../../state/notice";
import { type Loaded, useLoad } from "../../state/load";
import { type Given, href, set } from "../../state/route";
import { me } from "../../state/session";
import { t } from "../../text";
import "./lists.css";
import { OpenList } from "./openlist";
import { OpenSearch } from "./opensearch";

/** Lists shows the lists of the reader and the saved searches, with the open one beside them. */
export default function Lists({ given }: { given: Given }) {
  const lists = useLoad((signal) => everything((query) => api.GET("/v2/lists", { params: { query }, signal })),
    [me.value?.id]);
  const searches = useLoad((signal) => everything((query) => api.GET("/v2/searches", { params: { query }, signal })),
    [me.value?.id]);
  const list = lists.data?.find((one) => one.id === given["list"]);
  const search = searches.data?.find((one) => one.id === given["search"]);
  const close = () => { set({ list: undefined, search: undefined }); };
  const gone = () => { close(); lists.reload(); searches.reload(); };
  return (
    <Split open={Boolean(list ?? search)} label={list?.name ?? search?.name ?? t.lists.chosen} onClose={close}
      aside={list ? <OpenList key={list.id} list={list} onChange={lists.reload} onGone={gone} />
        : search ? <OpenSearch key={search.id} search={search} onGone={gone} />
          : <Empty icon={ListPlus} title={t.lists.chosen} text={t.lists.chosenText} />}
      list={(
        <div class="page lists">
          <h1>{t.pages.lists}</h1>
          <NewList onMade={lists.reload} />
          <Entries loaded={lists} none={t.lists.none} entry={(one) => ({
            name: one.name, aside: t.people(one.people), open: one === list, to: { list: one.id },
          })} />
          <h2>{t.search.recent}</h2>
          <Entries loaded={searches} none={t.lists.noSearches} entry={(one) => ({
            name: one.name, aside: one.failure ?? "", open: one === search, to: { search: one.id },
          })} />
          <p class="soft">{t.lists.webhooks} <a href={href("settings")}>{t.pages.settings}</a></p>
        </div>
      )} />
  );
}

interface EntryProps {
  name: string;
  aside: string;
  open: boolean;
  to: Record<string, string>;
}

interface EntriesProps<T> {
  loaded: Loaded<T[]>;
  none: string;
  entry: (one: T) => EntryProps;
}

/** Entries shows what was loaded, or why there is nothing. */
function Entries<T extends { id: string }>({ loaded, none, entry }: EntriesProps<T>) {
  const { data, error, loading, reload } = loaded;
  if (error !== null) return <Failed error={error} retry={reload} />;
  if (!data) return loading ? <Skeleton rows={3} /> : null;
  if (data.length === 0) return <p class="soft">{none}</p>;
  return <ul class="choices" role="list">{data.map((one) => <Entry key={one.id} {...entry(one)} />)}</ul>;
}

function Entry({ name, aside, open, to }: EntryProps) {
  return (
    <li>
      <a href={href("lists", to)} aria-current={open || undefined}>
        <bdi>{name}</bdi><span class="soft">{aside}</span>
      </a>
    </li>
  );
}

function NewList({ onMade }: { onMade: () => void }) {
  const [name, setName] = useState("");
  const make = async () => {
    const made = await ask(api.POST("/v2/lists", { body: { name: name.trim() } }));
    setName("");
    onMade();
    notify(t.lists.made(made.data.name));
  };
  return (
    <form class="actions" onSubmit={(e) => { e.preventDefault(); void attempt(make); }}>
      <input aria-label={t.lists.newName} placeholder={t.lists.newName} maxLength={200} required value={name}
        onInput={(e) => { setName(e.currentTarget.value); }} />
      <Button type="submit" icon={Plus}>{t.lists.create}</Button>
    </form>
  );
}
