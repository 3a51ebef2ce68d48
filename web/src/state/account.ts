import { api, ask } from "../api/client";
import { me, signedIn, visiting } from "./session";

/** loadMe finds out who the caller is. Without a session or a demo it asks nothing. */
export async function loadMe(): Promise<void> {
  if (!signedIn.value && !visiting()) return;
  try {
    me.value = (await ask(api.GET("/v2/user/me"))).data;
  } catch {
    me.value = null; // the page says what is wrong when it asks for something itself
  }
}

/** isOperator reports whether the caller may see the page for operators. */
export function isOperator(): boolean {
  return (me.value?.token.scopes as string[] | undefined)?.includes("operator") ?? false;
}
