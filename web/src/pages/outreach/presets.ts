import type { Schemas } from "../../api/client";

type Security = Schemas["Integration"]["security"];

/** Preset is the outgoing mail server of a provider. */
export interface Preset {
  id: string;
  name: string;
  host: string;
  port: number;
  security: Security;
  /** domains are those of its addresses. */
  domains: readonly string[];
  /** appPassword says that the provider wants a password made for one app, not the one of the account. */
  appPassword: boolean;
}

const starttls = { port: 587, security: "starttls" } as const;
const tls = { port: 465, security: "tls" } as const;

/** presets are large providers. */
export const presets: readonly Preset[] = [
  { id: "google", name: "Gmail, Google Workspace", host: "smtp.gmail.com", ...starttls, appPassword: true,
    domains: ["gmail.com", "googlemail.com"] },
  { id: "microsoft", name: "Microsoft 365", host: "smtp.office365.com", ...starttls, appPassword: true, domains: [] },
  { id: "outlook", name: "Outlook.com, Hotmail", host: "smtp-mail.outlook.com", ...starttls, appPassword: true,
    domains: ["outlook.com", "hotmail.com", "live.com", "outlook.de"] },
  { id: "icloud", name: "iCloud", host: "smtp.mail.me.com", ...starttls, appPassword: true,
    domains: ["icloud.com", "me.com", "mac.com"] },
  { id: "yahoo", name: "Yahoo", host: "smtp.mail.yahoo.com", ...tls, appPassword: true,
    domains: ["yahoo.com", "yahoo.de", "ymail.com"] },
  { id: "fastmail", name: "Fastmail", host: "smtp.fastmail.com", ...tls, appPassword: true,
    domains: ["fastmail.com", "fastmail.fm"] },
  { id: "zoho", name: "Zoho Mail", host: "smtp.zoho.com", ...tls, appPassword: true, domains: ["zoho.com"] },
  { id: "gmx", name: "GMX", host: "mail.gmx.net", ...starttls, appPassword: false, domains: ["gmx.de", "gmx.net"] },
  { id: "webde", name: "WEB.DE", host: "smtp.web.de", ...starttls, appPassword: false, domains: ["web.de"] },
  { id: "ionos", name: "IONOS", host: "smtp.ionos.com", ...starttls, appPassword: false, domains: [] },
];

/** presetOf returns the provider of an address, if its domain says it. */
export function presetOf(address: string): Preset | undefined {
  const domain = address.slice(address.lastIndexOf("@") + 1).trim().toLowerCase();
  return presets.find((one) => one.domains.includes(domain));
}
