import { PenLine } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client";
import { inOneLine } from "../../api/problem";
import { Button } from "../../parts/button";
import { complainOf, notify } from "../../state/notice";
import { href } from "../../state/route";
import { t } from "../../text";
import type { Lead } from "./leads";
import type { Sequence } from "./sequences";

interface DraftAllProps {
  sequence: Sequence;
  leads: Lead[];
  onDone: () => void;
}

/** DraftAll writes the first step to each of the leads that have no e-mail yet. Nothing is sent without approval. */
export function DraftAll({ sequence, leads, onDone }: DraftAllProps) {
  const [at, setAt] = useState<number | null>(null);
  const step = sequence.ai_email_templates[0];
  const waiting = leads.filter((one) => one.status === "not_started");
  if (!step || waiting.length === 0) return null;
  const write = async () => {
    const failed: string[] = [];
    for (const [i, lead] of waiting.entries()) {
      setAt(i + 1);
      try {
        await ask(api.POST("/v2/sequences/{sequence_id}/leads/{lead_id}/emails", {
          params: { path: { sequence_id: sequence.id, lead_id: lead.id } }, body: { template_id: step.id },
        }));
      } catch (err) {
        failed.push(`${lead.person.full_name}: ${inOneLine(err)}`);
      }
    }
    setAt(null);
    onDone();
    if (failed.length < waiting.length) {
      notify(t.outreach.drafted(waiting.length - failed.length),
        { link: { text: t.outreach.views.queue, href: href("outreach") } });
    }
    if (failed.length > 0) complainOf(t.outreach.notDrafted(failed.length, failed[0] ?? ""));
  };
  return (
    <Button icon={PenLine} busy={at !== null} onClick={() => { void write(); }}>
      {at === null ? t.outreach.draftAll(waiting.length) : t.outreach.drafting(at, waiting.length)}
    </Button>
  );
}
