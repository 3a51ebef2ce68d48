import { ShieldOff } from "lucide-preact";
import { Empty } from "../../parts/states";
import { Tabs } from "../../parts/tabs";
import { isOperator } from "../../state/account";
import { type Given, href } from "../../state/route";
import { me } from "../../state/session";
import { t } from "../../text";
import "./admin.css";
import { Apps } from "./apps";
import { Index } from "./search";
import { Jobs } from "./jobs";

const views = ["apps", "jobs", "index"] as const;

/** Admin is the operator's page: apps with keys and users, background jobs, and the search index. */
export default function Admin({ given }: { given: Given }) {
  const view = views.find((one) => one === given["view"]) ?? "apps";
  const tabs = views.map((id) => ({
    id, text: t.admin.views[id], href: href("admin", { view: id === "apps" ? undefined : id }),
  }));
  if (me.value && !isOperator()) return <Empty icon={ShieldOff} title={t.admin.closed} text={t.admin.closedText} />;
  return (
    <div class="admin">
      <header class="admin-head">
        <h1>{t.pages.admin}</h1>
        <Tabs label={t.admin.parts} tabs={tabs} current={view} />
      </header>
      {view === "apps" && <Apps given={given} />}
      {view === "jobs" && <Jobs given={given} />}
      {view === "index" && <Index />}
    </div>
  );
}
