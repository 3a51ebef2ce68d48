import { api, ask } from "../../api/client";
import { Refused } from "../../api/problem";
import { Tabs } from "../../parts/tabs";
import { useLoad } from "../../state/load";
import { type Given, href } from "../../state/route";
import { me } from "../../state/session";
import { t } from "../../text";
import { Accounts } from "./accounts";
import { Journal } from "./journal";
import "./outreach.css";
import { Queue } from "./queue";
import type { Sending } from "./sending";
import { Sequences } from "./sequences";

const views = ["queue", "sequences", "sent", "accounts"] as const;

/** Outreach has the e-mails to approve, the sequences that they belong to, what was sent, and the mail accounts. */
export default function Outreach({ given }: { given: Given }) {
  const view = views.find((one) => one === given["view"]) ?? (given["sequence"] ? "sequences" : "queue");
  const accounts = useLoad(sending, [me.value?.id]);
  const tabs = views.map((id) => ({
    id, text: t.outreach.views[id], href: href("outreach", { view: id === "queue" ? undefined : id }),
  }));
  return (
    <div class="outreach">
      <header class="outreach-head">
        <h1>{t.pages.outreach}</h1>
        <Tabs label={t.outreach.parts} tabs={tabs} current={view} />
      </header>
      {accounts.data && !accounts.data.sends && view !== "accounts" && (
        <p class="note" role="note">{t.outreach.nothingSent}</p>
      )}
      {view === "queue" && <Queue given={given} sending={accounts.data} />}
      {view === "sequences" && <Sequences given={given} sending={accounts.data} />}
      {view === "sent" && <Journal given={given} />}
      {view === "accounts" && <Accounts loaded={accounts} />}
    </div>
  );
}

/** sending asks for the mail accounts. A server that sends nothing says so instead. */
async function sending(signal: AbortSignal): Promise<Sending> {
  try {
    const { data } = await ask(api.GET("/v2/user/integrations", { signal }));
    return { sends: true, accounts: data.integrations };
  } catch (err) {
    if (err instanceof Refused && err.problem.code === "NOTHING_IS_SENT") return { sends: false, accounts: [] };
    throw err;
  }
}
