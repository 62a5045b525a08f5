import type { TimelineCategory, TimelineEntry } from "../../../../src/node/platform/timeline/contract.ts";
import type { IconName } from "../../../icons/names.ts";
import type { State } from "../../../kit/status.tsx";

/** The six kinds, in the order in which they are offered. */
export const categories: { id: TimelineCategory; label: string; icon: IconName }[] = [
  { id: "app", label: "Apps", icon: "apps" },
  { id: "backup", label: "Backups", icon: "database" },
  { id: "alert", label: "Alerts", icon: "bell" },
  { id: "update", label: "Updates", icon: "download" },
  { id: "auth", label: "Sign-in", icon: "key" },
  { id: "system", label: "System", icon: "server" },
];

/** The icon of a kind. */
export function iconOf(category: TimelineCategory): IconName {
  return categories.find(({ id }) => id === category)?.icon ?? "server";
}

/** The shape for a severity. */
export const stateOf: Record<TimelineEntry["severity"], State> = { info: "info", warning: "warn", critical: "crit" };

const aroundMs = 30 * 60_000;

/** The metrics half an hour before and after. */
export function metricsLink({ timestamp }: TimelineEntry): string {
  const at = Date.parse(timestamp);
  const iso = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
  return `/metrics?from=${iso(at - aroundMs)}&to=${iso(at + aroundMs)}`;
}

/** "Today", "Yesterday", then the date, of the reader's own days. */
export function dayOf(iso: string, now: Date): string {
  const date = new Date(iso);
  const start = (of: Date) => new Date(of.getFullYear(), of.getMonth(), of.getDate()).getTime();
  const days = Math.round((start(now) - start(date)) / 86_400_000);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  return date.toLocaleDateString("en", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}
