import { UserPlus } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask, type Schemas } from "../../api/client";
import { Initials } from "../../parts/initials";
import { More } from "../../parts/more";
import { Split } from "../../parts/split";
import { Empty, Failed, Skeleton } from "../../parts/states";
import { useMore, usePages } from "../../state/pages";
import { type Given, href, set } from "../../state/route";
import { t } from "../../text";
import { ago, exactly } from "../../text/format";
import { AddLeads } from "./add";
import { DraftAll } from "./draftall";
import { OneLead, workOf } from "./lead";
import type { Sending } from "./sending";
import type { Sequence } from "./sequences";

export type Lead = Schemas["Lead"];

const statuses = ["not_started", "pending", "active", "finished", "deleted"] as const;

interface LeadsProps {
  sequence: Sequence;
  given: Given;
  sending: Sending | undefined;
  onChange: () => void;
}

/** Leads lists the people of a sequence, one of them open beside the list. */
export function Leads({ sequence, given, sending, onChange }: LeadsProps) {
  const status = statuses.find((one) => one === given["status"]);
  const list = usePages((query, signal) => ask(api.GET("/v2/sequences/{sequence_id}/leads", {
    params: { path: { sequence_id: sequence.id }, query: { ...query, ...(status && { status }) } }, signal,
  })), [sequence.id, status]);
  const [adding, setAdding] = useState(false);
  const open = list.data?.find((one) => one.id === given["lead"]);
  useMore(list, Boolean(given["lead"]) && !open);
  const changed = () => {
    list.reload();
    onChange();
  };
  if (list.error) return <Failed error={list.error} retry={list.reload} />;
  if (!list.data) return <Skeleton />;
  const add = <button type="button" class="button quiet" onClick={() => { setAdding(true); }}>
    <UserPlus size={16} aria-hidden="true" />{t.outreach.addLeads}
  </button>;
  return (
    <>
      {list.data.length === 0 && !status
        ? (
          <Empty icon={UserPlus} title={t.outreach.noLeads} text={t.outreach.noLeadsText}>
            <a class="button main" href={href("search")}>{t.pages.search}</a>{add}
          </Empty>
        )
        : (
          <Split open={Boolean(open)} label={t.outreach.lead} onClose={() => { set({ lead: undefined }); }}
            list={(
              <>
                <div class="actions list-head">
                  <Which status={status} />{add}
                  <DraftAll sequence={sequence} leads={list.data} onDone={changed} />
                </div>
                {list.data.length === 0 && <p class="hint soft">{t.outreach.noneOfThese}</p>}
                <ol class="mails" role="list" aria-label={t.outreach.leads}>
                  {list.data.map((one) => (
                    <Row key={one.id} one={one} status={status} current={one.id === open?.id} />
                  ))}
                </ol>
                <div class="actions center"><More more={list.more} loading={list.loading} /></div>
              </>
            )}
            aside={open
              ? <OneLead key={open.id} lead={open} sequence={sequence} sending={sending} onChange={changed} />
              : <p class="hint soft">{t.outreach.chooseLead}</p>} />
        )}
      {adding && <AddLeads sequence={sequence} onClose={() => { setAdding(false); }} onDone={changed} />}
    </>
  );
}

function Which({ status }: { status: string | undefined }) {
  return (
    <select class="which" aria-label={t.outreach.which} value={status ?? ""}
      onChange={(e) => { set({ status: e.currentTarget.value, lead: undefined }, true); }}>
      <option value="">{t.outreach.allLeads}</option>
      {statuses.map((one) => <option key={one} value={one}>{t.outreach.leadStatuses[one]}</option>)}
    </select>
  );
}

function Row({ one, status, current }: { one: Lead; status: string | undefined; current: boolean }) {
  const { person } = one;
  return (
    <li>
      <a aria-current={current ? "true" : undefined}
        href={href("outreach", { view: "sequences", sequence: one.sequence_id, status, lead: one.id })}>
        <Initials name={person.full_name} />
        <span class="mail-line">
          <strong><bdi>{person.full_name}</bdi></strong>
          <span class="tag">{t.outreach.leadStatuses[one.status]}</span>
        </span>
        <span class="mail-line soft">
          <bdi>{workOf(person)}</bdi>
          {one.latest_update && one.latest_update_date && (
            <span title={exactly(one.latest_update_date)}>{one.latest_update}, {ago(one.latest_update_date)}</span>
          )}
        </span>
      </a>
    </li>
  );
}
