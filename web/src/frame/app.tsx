import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { loadedPage, loadPage } from "../pages";
import { Questions } from "../parts/dialog";
import { Notices } from "../parts/notices";
import { Failed, Skeleton } from "../parts/states";
import { type PageName, route } from "../state/route";
import { t } from "../text";
import { DatasetBar, OfflineBar } from "./bars";
import { useKeys } from "./keys";
import { Keys } from "./keylist";
import { Palette } from "./palette";
import { Sidebar } from "./sidebar";

/** App is the frame around every page. */
export function App() {
  useKeys();
  const { page, given } = route.value;
  useEffect(() => { document.title = `Kith – ${t.pages[page]}`; }, [page]);
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={skip}>{t.skip}</a>
      <Sidebar page={page} />
      <div class="frame-main">
        <OfflineBar />
        <DatasetBar />
        <main id="main" tabIndex={-1}><Shown key={page} page={page} given={given} /></main>
      </div>
      <Palette />
      <Keys />
      <Questions />
      <Notices />
    </div>
  );
}

function skip(e: Event) {
  e.preventDefault(); // the fragment belongs to the page
  document.getElementById("main")?.focus();
}

/** Shown loads a page and shows it. */
function Shown({ page, given }: { page: PageName; given: Record<string, string> }) {
  const [, setLoaded] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useErrorBoundary((err: unknown) => { setError(err); });
  useEffect(() => {
    if (!loadedPage(page)) loadPage(page).then(() => { setLoaded(true); }, setError);
  }, [page]);
  if (error) return <Failed error={error} retry={() => { location.reload(); }} />;
  const Loaded = loadedPage(page);
  return Loaded ? <Loaded given={given} /> : <Skeleton />;
}
