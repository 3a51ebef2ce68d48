import { useEffect, useState } from "preact/hooks";
import { countFacets, facetFields, type Facets } from "../../api/search";
import { Bars } from "../../parts/bars";
import { Failed, Skeleton } from "../../parts/states";
import { filterName } from "../../people/match";
import { useLoad } from "../../state/load";
import { t } from "../../text";
import { type Query, requestOf, toggle, valuesOf } from "./query";

const most = 6; // values of each field

interface FacetsProps {
  query: Query;
  /** busy says that the search is under way: counting waits for it. */
  busy: boolean;
  onSearch: (query: Query) => void;
}

/**
 * FacetBars show how many people have which value, as checkboxes. The values of a field stay when one of them is
 * checked, so that others can be checked, too.
 */
export function FacetBars({ query, busy, onSearch }: FacetsProps) {
  const [settled, setSettled] = useState<Query | null>(null);
  useEffect(() => { if (!busy) setSettled(query); }, [busy, query]);
  const request = settled && requestOf(settled);
  const loaded = useLoad(async (signal) => request ? countFacets(request, signal) : null, [request]);
  const [kept, setKept] = useState<Facets>({});
  const { prompt, scope } = query;
  useEffect(() => { setKept({}); }, [prompt, scope]);
  const { data } = loaded;
  if (loaded.error) return <Failed error={loaded.error} retry={loaded.reload} />;
  if (!data && Object.keys(kept).length === 0) return <Skeleton rows={4} />;
  const choose = (field: string, value: string) => {
    const next = toggle(query, field, value);
    const values = kept[field] ?? data?.[field];
    const rest = Object.fromEntries(Object.entries(kept).filter(([name]) => name !== field));
    setKept(values && field in next.filters ? { ...rest, [field]: values } : rest);
    onSearch(next);
  };
  const groups = facetFields.map((field) => ({ field, values: kept[field] ?? data?.[field] ?? [] }))
    .filter(({ field, values }) => values.length > 1 || field in query.filters);
  if (data && groups.length === 0) return <p class="soft">{t.search.noFacets}</p>;
  return (
    <div class="facets">
      {groups.map(({ field, values }) => (
        <Bars key={field} title={capital(filterName(field))} bars={values.slice(0, most)}
          chosen={new Set(valuesOf(query.filters[field] ?? ""))}
          onToggle={(value) => { choose(field, value); }} />
      ))}
    </div>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
