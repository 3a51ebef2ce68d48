import { Initials } from "../../parts/initials";
import { t } from "../../text";
import { ago, exactly } from "../../text/format";
import { type Activity, addressOf, outcomeOf, textOf, timeOf } from "./outcome";

/** MailRow is an e-mail of a list: whose it is, what it says, and what became of it. */
export function MailRow({ activity, current, to }: { activity: Activity; current: boolean; to: string }) {
  const mail = activity.email_outgoing;
  const at = timeOf(activity);
  return (
    <li>
      <a href={to} id={`mail-${activity.id}`} aria-current={current ? "true" : undefined}>
        <Initials name={activity.person.full_name} />
        <span class="mail-line">
          <strong><bdi>{activity.person.full_name}</bdi></strong>
          <time class="soft" dateTime={at} title={exactly(at)}>{ago(at)}</time>
        </span>
        <span class="mail-line">
          <bdi>{mail?.subject || t.outreach.outcomes[outcomeOf(activity)]}</bdi>
          <State activity={activity} />
        </span>
        <span class="soft mail-start"><bdi>{mail ? textOf(mail) : activity.note}</bdi></span>
      </a>
    </li>
  );
}

/** State says in a word what became of an e-mail, or what it lacks. */
export function State({ activity }: { activity: Activity }) {
  const is = outcomeOf(activity);
  if (is === "draft") {
    return addressOf(activity) ? null : <span class="tag bad">{t.outreach.noAddress}</span>;
  }
  return <span class={is === "failed" ? "tag bad" : "tag"}>{t.outreach.outcomes[is]}</span>;
}
