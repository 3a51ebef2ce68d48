import { signal } from "@preact/signals";
import { inOneLine } from "../api/problem";

/** Notice is a message at the edge of the page. */
export interface Notice {
  id: number;
  text: string;
  bad: boolean;
  /** undo takes back what the notice tells of. */
  undo?: (() => Promise<unknown>) | undefined;
  link?: { text: string; href: string } | undefined;
}

/** notices are the messages on the page, oldest first. */
export const notices = signal<Notice[]>([]);

let last = 0;
const most = 3;

/** notify shows a message: what was done, with what can be done about it. */
export function notify(text: string, further: Pick<Notice, "undo" | "link"> = {}): void {
  show({ text, bad: false, ...further });
}

/** complain shows an error in words. */
export function complain(err: unknown): void {
  show({ text: inOneLine(err), bad: true });
}

/** complainOf shows a problem that already is in words. */
export function complainOf(text: string): void {
  show({ text, bad: true });
}

/** attempt runs what a button does, and shows its error. It returns whether it succeeded. */
export async function attempt(what: () => Promise<unknown>): Promise<boolean> {
  try {
    await what();
    return true;
  } catch (err) {
    complain(err);
    return false;
  }
}

function show(one: Omit<Notice, "id">): void {
  notices.value = [...notices.value.filter((n) => n.text !== one.text), { ...one, id: ++last }].slice(-most);
}

/** dismiss removes a message. */
export function dismiss(id: number): void {
  notices.value = notices.value.filter((n) => n.id !== id);
}

/** Question is asked before something that cannot be undone. */
export interface Question {
  title: string;
  text: string;
  action: string;
  answer: (yes: boolean) => void;
}

/** question is the one on the page. */
export const question = signal<Question | null>(null);

/** confirm asks a question in a dialog, with the focus on Cancel, and returns whether the answer is yes. */
export function confirm(title: string, text: string, action: string): Promise<boolean> {
  return new Promise((resolve) => {
    question.value = {
      title, text, action,
      answer: (yes) => {
        question.value = null;
        resolve(yes);
      },
    };
  });
}
