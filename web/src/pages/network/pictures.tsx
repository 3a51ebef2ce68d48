import { countFacets, facetFields } from "../../api/search";
import { Bars } from "../../parts/bars";
import { Failed, Skeleton } from "../../parts/states";
import { useLoad } from "../../state/load";
import { href } from "../../state/route";
import { me } from "../../state/session";
import { t } from "../../text";

const most = 8; // values of each field
const prompt = "people I know"; // in the language of the search

/** Pictures shows where the people that the reader knows are and what they do. Each bar leads to a search for them. */
export function Pictures() {
  const loaded = useLoad((signal) => countFacets({ prompt }, signal), [me.value?.id]);
  if (loaded.error !== null) return <Failed error={loaded.error} retry={loaded.reload} />;
  if (!loaded.data) return loaded.loading ? <Skeleton rows={4} /> : null;
  const shown = facetFields.map((field) => ({ field, values: loaded.data?.[field] ?? [] }))
    .filter(({ values }) => values.length > 1);
  return (
    <section class="pictures" aria-label={t.network.pictures}>
      {shown.map(({ field, values }) => (
        <div key={field} class="card">
          <Bars title={t.network.fields[field]} bars={values.slice(0, most)}
            to={(value) => href("search", { prompt, [field]: `"${value}"` })} />
        </div>
      ))}
    </section>
  );
}
