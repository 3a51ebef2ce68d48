import { api, ask } from "../../api/client";
import { useLoad } from "../../state/load";
import { dropped } from "../../state/files";
import { go, href } from "../../state/route";
import { me, signedIn, visiting } from "../../state/session";
import { t } from "../../text";
import { Drop } from "../../parts/drop";
import { Failed } from "../../parts/states";
import { Refused } from "../../api/problem";
import { givenOf, savedQuery } from "./query";

/** Start is the page before a search: examples and saved searches, or one's first step. */
export function Start() {
  const user = me.value;
  if (!user && !signedIn.value && !visiting()) {
    return <Failed error={new Refused({ status: 401, code: "TOKEN_MISSING", detail: "" })} />;
  }
  if (user && !user.demo && user.network.relationships === 0) return <FirstRun />;
  return <Examples />;
}

function Examples() {
  const saved = useLoad(async (signal) =>
    (await ask(api.GET("/v2/searches", { params: { query: { limit: 8 } }, signal }))).data, []);
  return (
    <div class="start">
      <h2>{t.search.start}</h2>
      <p class="soft">{t.search.startText}</p>
      <ul role="list" aria-label={t.search.examples}>
        {t.search.exampleList.map((prompt) => <li key={prompt}><a href={href("search", { prompt })}>{prompt}</a></li>)}
      </ul>
      {saved.data && saved.data.length > 0 && (
        <>
          <h3>{t.search.recent}</h3>
          <ul role="list">
            {saved.data.map((one) => (
              <li key={one.id}><a href={href("search", givenOf(savedQuery(one.search)))}><bdi>{one.name}</bdi></a></li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** FirstRun is what an empty account shows: one's network is the first thing to bring. */
function FirstRun() {
  const take = (files: File[]) => {
    dropped.value = files;
    go("import");
  };
  return (
    <div class="start">
      <h2>{t.firstRun.title}</h2>
      <p>{t.firstRun.text}</p>
      <Drop title={t.firstRun.drop} onFiles={take} />
      <p class="soft">{t.firstRun.private}</p>
      <h3>{t.firstRun.how}</h3>
      <ul>
        <li>{t.firstRun.network}</li>
        <li>{t.firstRun.contacts}</li>
        <li>{t.firstRun.mail}</li>
      </ul>
    </div>
  );
}
