import { CheckCheck, Search, Trash2 } from "lucide-preact";
import { api, ask, type Schemas } from "../../api/client";
import { Button } from "../../parts/button";
import { Initials } from "../../parts/initials";
import { More } from "../../parts/more";
import { Empty, Failed, Skeleton } from "../../parts/states";
import { attempt, confirm, notify } from "../../state/notice";
import { usePages } from "../../state/pages";
import { href } from "../../state/route";
import { t } from "../../text";
import { ago, exactly } from "../../text/format";
import { givenOf, savedQuery } from "../search/query";

interface OpenSearchProps {
  search: Schemas["SavedSearch"];
  onGone: () => void;
}

/** OpenSearch shows who matches a saved search since it was last looked at. */
export function OpenSearch({ search, onGone }: OpenSearchProps) {
  const params = { path: { id: search.id } };
  const news = usePages((query, signal) =>
    ask(api.GET("/v2/searches/{id}/new", { params: { ...params, query }, signal })), [search.id], 10);
  const given = givenOf(savedQuery(search.search));
  const see = async () => {
    await ask(api.POST("/v2/searches/{id}/seen", { params, body: {} }));
    news.reload();
  };
  const destroy = async () => {
    if (!await confirm(t.lists.deleteSearchTitle(search.name), t.lists.deleteSearchText, t.lists.deleteSearch)) return;
    await ask(api.DELETE("/v2/searches/{id}", { params }));
    notify(t.lists.deleted(search.name));
    onGone();
  };
  return (
    <section class="opened">
      <header>
        <h1><bdi>{search.name}</bdi></h1>
        <div class="actions">
          <a class="button quiet" href={href("search", given)}><Search size={16} aria-hidden="true" />{t.lists.run}</a>
          <Button icon={Trash2} onClick={() => { void attempt(destroy); }}>{t.lists.deleteSearch}</Button>
        </div>
      </header>
      <p class="soft"><time dateTime={search.seen_at} title={exactly(search.seen_at)}>
        {t.lists.seen(ago(search.seen_at))}</time></p>
      {search.failure && <p class="bad">{search.failure}</p>}
      {news.error !== null && <Failed error={news.error} retry={news.reload} />}
      {!news.data && news.loading && <Skeleton rows={4} />}
      {news.data?.length === 0 && <Empty title={t.lists.noNews} text={t.lists.noNewsText} />}
      {news.data && news.data.length > 0 && (
        <div class="actions">
          <strong>{t.lists.news(news.data.length, news.more !== null)}</strong>
          <Button icon={CheckCheck} onClick={() => { void attempt(see); }}>{t.lists.markSeen}</Button>
        </div>
      )}
      <ul class="members" role="list">
        {news.data?.map((one) => (
          <li key={one.id}>
            <Initials name={one.full_name} />
            <div>
              <a href={href("search", { ...given, person: one.id })}><bdi>{one.full_name}</bdi></a>
              <p><bdi>{one.headline}</bdi></p>
            </div>
          </li>
        ))}
      </ul>
      <div class="actions center"><More more={news.more} loading={news.loading} /></div>
    </section>
  );
}
