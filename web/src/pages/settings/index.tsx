import { api, ask } from "../../api/client";
import { Failed, Skeleton } from "../../parts/states";
import { Tabs } from "../../parts/tabs";
import { useLoad } from "../../state/load";
import { type Given, href } from "../../state/route";
import { t } from "../../text";
import { Account } from "./account";
import "./settings.css";
import { Suppressions } from "./suppressions";
import { Tokens } from "./tokens";
import { Webhooks } from "./webhooks";

const views = ["account", "tokens", "webhooks", "suppressions"] as const;

/** Settings has what belongs to the user: the account, tokens, webhooks and suppressed addresses. */
export default function Settings({ given }: { given: Given }) {
  const view = views.find((one) => one === given["view"]) ?? "account";
  const tabs = views.map((id) => ({
    id, text: t.settings.views[id], href: href("settings", { view: id === "account" ? undefined : id }),
  }));
  const me = useLoad(async (signal) => (await ask(api.GET("/v2/user/me", { signal }))).data, []);
  return (
    <div class="page settings">
      <h1>{t.pages.settings}</h1>
      <Tabs label={t.settings.parts} tabs={tabs} current={view} />
      {view === "account" && (me.error ? <Failed error={me.error} retry={me.reload} />
        : me.data ? <Account user={me.data} onChange={me.reload} /> : <Skeleton rows={3} />)}
      {view === "tokens" && <Tokens />}
      {view === "webhooks" && <Webhooks />}
      {view === "suppressions" && <Suppressions />}
    </div>
  );
}
