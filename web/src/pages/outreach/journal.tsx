import { Inbox, Undo2 } from "lucide-preact";
import { api, ask } from "../../api/client";
import { Button } from "../../parts/button";
import { More } from "../../parts/more";
import { Split } from "../../parts/split";
import { Empty, Failed, Skeleton } from "../../parts/states";
import { attempt, notify } from "../../state/notice";
import { usePages } from "../../state/pages";
import { type Given, href, set } from "../../state/route";
import { t } from "../../text";
import { MailHead } from "./decide";
import { History } from "./history";
import { type Activity, type Outcome, outcomeOf, textOf, timeOf } from "./outcome";
import { MailRow, State } from "./row";

const first = 5; // pages, of 100 activities each

const outcomes: Outcome[] = ["scheduled", "sending", "sent", "reply", "failed", "canceled", "rejected", "other"];

/** Journal shows what was decided, latest first: what is scheduled, what was sent, and what happened then. */
export function Journal({ given }: { given: Given }) {
  const list = usePages(async (query, signal) => {
    const { data, pagination } = await ask(api.GET("/v2/sequences/activities",
      { params: { query: { ...query, order: "newest" } }, signal }));
    return { data: data.activities, pagination };
  }, [], first);
  if (list.error) return <Failed error={list.error} retry={list.reload} />;
  if (!list.data) return <Skeleton />;
  const decided = list.data.filter((one) => outcomeOf(one) !== "draft")
    .toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)));
  if (decided.length === 0) return <Empty icon={Inbox} title={t.outreach.nothingDecided} text={t.outreach.sentText} />;
  const which = outcomes.find((one) => one === given["outcome"]);
  const shown = decided.filter((one) => !which || outcomeOf(one) === which);
  const open = shown.find((one) => one.id === given["mail"]);
  return (
    <Split open={Boolean(open)} label={t.outreach.mail} onClose={() => { set({ mail: undefined }); }}
      list={(
        <>
          <div class="actions list-head"><Which which={which} all={decided} /></div>
          <ol class="mails" role="list" aria-label={t.outreach.views.sent}>
            {shown.map((one) => (
              <MailRow key={one.id} activity={one} current={one.id === open?.id}
                to={href("outreach", { view: "sent", outcome: which, mail: one.id })} />
            ))}
          </ol>
          <div class="actions center"><More more={list.more} loading={list.loading} /></div>
        </>
      )}
      aside={open
        ? <Decided key={open.id} activity={open} onChange={list.reload} />
        : <p class="hint soft">{t.outreach.chooseMail}</p>} />
  );
}

function Which({ which, all }: { which: Outcome | undefined; all: Activity[] }) {
  const counts = outcomes.map((one) => [one, all.filter((a) => outcomeOf(a) === one).length] as const);
  return (
    <select class="which" aria-label={t.outreach.which} value={which ?? ""}
      onChange={(e) => { set({ outcome: e.currentTarget.value, mail: undefined }, true); }}>
      <option value="">{t.outreach.allMails}</option>
      {counts.filter(([, n]) => n > 0).map(([one, n]) => (
        <option key={one} value={one}>{t.outreach.outcomes[one]} ({n})</option>
      ))}
    </select>
  );
}

function Decided({ activity, onChange }: { activity: Activity; onChange: () => void }) {
  const mail = activity.email_outgoing;
  const is = outcomeOf(activity);
  const back = () => attempt(async () => {
    await ask(api.PATCH("/v2/sequences/activities/{activity_id}", {
      params: { path: { activity_id: activity.id } }, body: { decision: "pending" },
    }));
    set({ mail: undefined });
    onChange();
    notify(t.outreach.waiting,
      { link: { text: t.outreach.views.queue, href: href("outreach", { mail: activity.id }) } });
  });
  return (
    <article class="mail">
      <div class="actions">
        <State activity={activity} />
        {(is === "scheduled" || is === "rejected") && (
          <Button icon={Undo2} onClick={() => { void back(); }}>{t.outreach.takeBack}</Button>
        )}
        <a class="button quiet" href={href("outreach",
          { view: "sequences", sequence: activity.sequence.id, lead: activity.sequence_lead.id })}>{t.outreach.lead}</a>
      </div>
      <MailHead activity={activity} />
      {mail && (
        <>
          <h2><bdi>{mail.subject}</bdi></h2>
          <p class="mail-text" dir="auto">{textOf(mail)}</p>
        </>
      )}
      <History sequence={activity.sequence.id} lead={activity.sequence_lead.id} since={timeOf(activity)} />
    </article>
  );
}
