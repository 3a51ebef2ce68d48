import type { Account } from "./outcome";

/** Sending is whether the server sends e-mails, and through which mail accounts of the user. */
export interface Sending {
  sends: boolean;
  accounts: Account[];
}
