import { api, ask, type Schemas } from "../../api/client";
import { More } from "../../parts/more";
import { Failed, Skeleton } from "../../parts/states";
import { usePages } from "../../state/pages";
import { t } from "../../text";
import { ago, exactly } from "../../text/format";

type Change = Schemas["LeadHistory"]["data"][number];

interface HistoryProps {
  sequence: string;
  lead: string;
  /** since is when the lead changed last: the history is loaded again when it changes. */
  since: string;
}

/** History shows all that happened to a lead and its e-mails, latest first. */
export function History({ sequence, lead, since }: HistoryProps) {
  const list = usePages((query, signal) => ask(api.GET("/v2/sequences/{sequence_id}/leads/{lead_id}/history", {
    params: { path: { sequence_id: sequence, lead_id: lead }, query }, signal,
  })), [sequence, lead, since], 5);
  if (list.error) return <Failed error={list.error} retry={list.reload} />;
  if (!list.data) return <Skeleton rows={2} />;
  return (
    <section class="history" aria-labelledby="history">
      <h3 id="history">{t.outreach.history}</h3>
      <ol role="list">
        {list.data.toReversed().map((one, i) => (
          <li key={i}>
            <span><bdi>{said(one)}</bdi></span>
            <time class="soft" dateTime={one.at} title={exactly(one.at)}>{ago(one.at)}</time>
          </li>
        ))}
      </ol>
      <More more={list.more} loading={list.loading} />
    </section>
  );
}

/** said says a change in words. */
function said({ subject, from, to, reason }: Change): string {
  const states: Partial<Record<string, string>> = t.outreach.states;
  const state = states[to] ?? to;
  const of = t.outreach.subjects[subject];
  if (from === to) return reason || `${of}: ${t.outreach.edited}`;
  return reason ? `${of}: ${state} (${reason})` : `${of}: ${state}`;
}
