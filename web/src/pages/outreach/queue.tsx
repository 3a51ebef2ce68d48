import { MailCheck } from "lucide-preact";
import { useEffect, useRef } from "preact/hooks";
import { api, ask } from "../../api/client";
import { isCommand } from "../../frame/keys";
import { More } from "../../parts/more";
import { Split } from "../../parts/split";
import { Empty, Failed, Skeleton } from "../../parts/states";
import { attempt, notify } from "../../state/notice";
import { usePages } from "../../state/pages";
import { type Given, href, set } from "../../state/route";
import { t } from "../../text";
import { ToDecide } from "./decide";
import { type Activity, addressOf, neighbour } from "./outcome";
import { MailRow } from "./row";
import type { Sending } from "./sending";

const wide = 800; // px, from which the list and the e-mail are side by side

/** Queue shows the e-mails that wait for a decision, one of them open beside the list. */
export function Queue({ given, sending }: { given: Given; sending: Sending | undefined }) {
  const list = usePages(async (query, signal) => {
    const { data, pagination } = await ask(api.GET("/v2/sequences/activities",
      { params: { query: { ...query, decision: "null" } }, signal }));
    return { data: data.activities, pagination };
  }, []);
  const all = list.data ?? [];
  const open = all.find((one) => one.id === given["mail"]);
  const first = all[0]?.id;
  useEffect(() => {
    if (!open && first && window.innerWidth > wide) set({ mail: first }, true);
  }, [open, first]);
  const editing = given["edit"] === "yes";
  const leave = (gone: string) => {
    set({ mail: window.innerWidth > wide ? neighbour(all, gone)?.id : undefined, edit: undefined }, true);
    list.reload();
  };
  const settle = (decision: "approved" | "rejected") => {
    if (open) void decide(open, decision, () => { leave(open.id); }, list.reload);
  };
  useQueueKeys(all, open, editing, settle);
  if (list.error) return <Failed error={list.error} retry={list.reload} />;
  if (!list.data) return <Skeleton />;
  if (all.length === 0) return <Nothing />;
  return (
    <Split open={Boolean(open)} label={t.outreach.mail} onClose={() => { set({ mail: undefined, edit: undefined }); }}
      list={(
        <>
          <p class="hint soft">{t.outreach.queueHint}</p>
          <ol class="mails" role="list" aria-label={t.outreach.views.queue}>
            {all.map((one) => (
              <MailRow key={one.id} activity={one} current={one.id === open?.id}
                to={href("outreach", { mail: one.id })} />
            ))}
          </ol>
          <div class="actions center"><More more={list.more} loading={list.loading} /></div>
        </>
      )}
      aside={open && (
        <ToDecide key={open.id} activity={open} sending={sending} editing={editing} onSettle={settle}
          onGone={() => { leave(open.id); }} onChange={list.reload} />
      )} />
  );
}

function Nothing() {
  return (
    <Empty icon={MailCheck} title={t.outreach.empty} text={t.outreach.emptyText}>
      <a class="button main" href={href("outreach", { view: "sequences" })}>{t.outreach.views.sequences}</a>
    </Empty>
  );
}

/** decide approves or rejects an e-mail. Both can be taken back until it is sent. Without an address it is edited. */
async function decide(one: Activity, decision: "approved" | "rejected", gone: () => void, back: () => void) {
  if (decision === "approved" && !addressOf(one)) {
    set({ edit: "yes" }, true); // it asks for the address
    return;
  }
  const change = (to: "approved" | "rejected" | "pending") => ask(api.PATCH("/v2/sequences/activities/{activity_id}",
    { params: { path: { activity_id: one.id } }, body: { decision: to } }));
  if (!await attempt(() => change(decision))) return;
  gone();
  const says = decision === "approved" ? t.outreach.approved : t.outreach.rejected;
  notify(says(one.person.full_name), { undo: async () => { await change("pending"); back(); } });
}

/** useQueueKeys moves between e-mails and decides on the open one. */
function useQueueKeys(all: Activity[], open: Activity | undefined, editing: boolean,
  settle: (decision: "approved" | "rejected") => void) {
  const press = useRef<(e: KeyboardEvent) => void>(() => undefined);
  press.current = (e) => {
    if (!isCommand(e) || editing) return;
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[e.key];
    const next = step && all[all.findIndex((one) => one.id === open?.id) + step];
    if (next) {
      set({ mail: next.id, edit: undefined }, true);
      document.getElementById(`mail-${next.id}`)?.focus();
    } else if (open && e.key === "a") settle("approved");
    else if (open && e.key === "r") settle("rejected");
    else if (open?.email_outgoing && e.key === "e") set({ edit: "yes" }, true);
    else return;
    e.preventDefault();
  };
  useEffect(() => {
    const listen = (e: KeyboardEvent) => { press.current(e); };
    document.addEventListener("keydown", listen);
    return () => { document.removeEventListener("keydown", listen); };
  }, []);
}
