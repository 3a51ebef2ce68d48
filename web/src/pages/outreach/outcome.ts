import type { Schemas } from "../../api/client";

export type Activity = Schemas["Activity"];
export type Mail = NonNullable<Activity["email_outgoing"]>;
export type Account = Schemas["Integration"];

/** Outcome is what became of an activity. */
export type Outcome = Schemas["EmailStatus"] | "rejected" | "reply" | "other";

/** outcomeOf returns what became of an activity. */
export function outcomeOf(activity: Activity): Outcome {
  const mail = activity.email_outgoing;
  if (!mail) return activity.activity_type === "incoming_email" ? "reply" : "other";
  return activity.decision === "rejected" ? "rejected" : mail.status;
}

/** timeOf returns when it happened, or will happen. */
export function timeOf(activity: Activity): string {
  const mail = activity.email_outgoing;
  return mail?.sent_at ?? mail?.scheduled_at ?? activity.decision_confirmed_at ?? activity.created_at;
}

/** addressOf returns where an e-mail goes: its own address, or its person's. Without one it cannot be approved. */
export function addressOf(activity: Activity): string {
  return activity.email_outgoing?.to_email || activity.person.email;
}

/** textOf returns the plain text of an e-mail. */
export function textOf(mail: Pick<Mail, "content">): string {
  return mail.content?.text_body || mail.content?.body || "";
}

/** neighbour returns the one to show once one of a list is gone: the next, else the previous. */
export function neighbour<T extends { id: string }>(list: readonly T[], gone: string): T | undefined {
  const at = list.findIndex((one) => one.id === gone);
  return list[at + 1] ?? list[at - 1];
}

/** local formats a time for a field of type datetime-local. */
export function local(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
