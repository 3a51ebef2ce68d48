import { language } from ".";

/** number writes a number as the reader does: 1,234. */
export function number(n: number): string {
  return n.toLocaleString(language);
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [["year", 365 * 86400], ["month", 30 * 86400],
  ["week", 7 * 86400], ["day", 86400], ["hour", 3600], ["minute", 60]];

/** ago writes a time relative to now: 3 days ago. */
export function ago(at: string, now = Date.now()): string {
  const seconds = (Date.parse(at) - now) / 1000;
  const [unit, size] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(Math.trunc(seconds / size), unit);
}

/** exactly writes a time in full, for the title of a relative one. */
export function exactly(at: string): string {
  return new Date(at).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}

/** month writes a date of a record with its precision: Mar 2021, or 2021. */
export function month(date: string | null | undefined, precision: string | undefined): string {
  if (!date) return "";
  const year = date.slice(0, 4);
  if (precision === "year") return year;
  const day = new Date(`${date.slice(0, 10)}T12:00:00Z`);
  if (Number.isNaN(day.getTime())) return year;
  return day.toLocaleDateString(language, { year: "numeric", month: "short", timeZone: "UTC" });
}
