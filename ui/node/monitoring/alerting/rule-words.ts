import type {
  AlertEvent,
  AlertRule,
  RuleInput,
  RuleTargets,
} from "../../../../src/node/monitoring/alerting/contract.ts";
import { bytesText, duration, percent } from "../../../client/format.ts";
import type { State } from "../../../kit/status.tsx";

/** The unit in which a value is typed, and how many stored units one of it is. */
export const typedUnits: Record<string, { name: string; size: number }> = {
  percent: { name: "%", size: 1 },
  bytes: { name: "GB", size: 1e9 },
  bps: { name: "MB/s", size: 1e6 },
  celsius: { name: "°C", size: 1 },
  none: { name: "", size: 1 },
};

/** A measured value with its unit. */
export function valueText(value: number, unit: string | null): string {
  if (unit === "percent") return percent(value);
  if (unit === "bytes") return bytesText(value);
  if (unit === "bps") return `${bytesText(value)}/s`;
  const round = Math.round(value * 10) / 10;
  return unit === "celsius" ? `${round} °C` : String(round);
}

const kinds: Record<string, string> = {
  app: "any app",
  app_backup: "any app",
  iface: "any network interface",
  fs: "any filesystem",
  disk: "any disk",
};

/** What a rule is about, in a sentence. */
export function placeText(entity: string, nameOf: (entity: string) => string): string {
  if (entity === "host") return "this server";
  const [kind = ""] = entity.split(":");
  return entity.endsWith(":*") ? (kinds[kind] ?? entity) : nameOf(entity);
}

const stateSentences: Record<string, string> = {
  app_crashed: "crashes",
  app_crash_loop: "keeps crashing",
  disk_health: "reports bad health",
  backup_hollow: "is left out of backups",
};

/** A rule in plain words. */
export function ruleSentence(rule: AlertRule, label: string, nameOf: (entity: string) => string): string {
  const place = placeText(rule.entity, nameOf);
  const lasting = rule.for > 0 ? ` for ${duration(rule.for)}` : "";
  const isUp = rule.op.startsWith(">");
  switch (rule.type) {
    case "threshold":
      return `${label} of ${place} is ${isUp ? "above" : "below"} ${valueText(rule.threshold, rule.unit)}${lasting}`;
    case "rate":
      return `${label} of ${place} ${isUp ? "rises by more than" : "changes by less than"} ${valueText(rule.threshold, rule.unit)} in ${duration(rule.for)}`;
    case "absence":
      return `There is no data about ${place}${lasting}`;
    case "anomaly":
      return `${label} of ${place} is unusual (${rule.sensitivity} deviations)`;
    case "state":
      return `${place.charAt(0).toUpperCase()}${place.slice(1)} ${stateSentences[rule.metric] ?? "is in trouble"}`;
  }
}

/** Shape and word of a severity. */
export const severities: Record<AlertRule["severity"], { state: State; word: string }> = {
  info: { state: "info", word: "Info" },
  warning: { state: "warn", word: "Warning" },
  critical: { state: "crit", word: "Critical" },
};

/** What an event is doing now. */
export function eventState(event: AlertEvent): { state: State; word: string } {
  if (event.state === "resolved") return { state: "ok", word: "Resolved" };
  if (event.flapping) return { state: "warn", word: "Flapping" };
  if (event.acknowledged_at !== null) return { state: "info", word: "Acknowledged" };
  return { state: event.severity === "critical" ? "crit" : "warn", word: "Firing" };
}

const removedWords: Record<string, string> = {
  app: "The app was uninstalled",
  disk: "The disk was taken out",
  fs: "It is not mounted any more",
  iface: "The interface is gone",
};
const endWords: Record<string, string> = {
  recovered: "It got better",
  rule_changed: "Its rule watches something else now",
  rule_disabled: "Its rule was switched off",
  rule_deleted: "Its rule was deleted",
  entity_stopped: "The app was stopped",
};

/** Why an event ended; null while it goes on. */
export function endText({ resolution, entity }: AlertEvent): string | null {
  if (resolution !== "entity_removed") return resolution === null ? null : (endWords[resolution] ?? null);
  return removedWords[entity.split(":")[0] ?? ""] ?? "Nothing watches it any more";
}

/** Spans a rule can be given, in seconds. */
export const spans: { value: string; label: string }[] = [
  { value: "0", label: "at once" },
  { value: "60", label: "for 1 min" },
  { value: "300", label: "for 5 min" },
  { value: "600", label: "for 10 min" },
  { value: "900", label: "for 15 min" },
  { value: "1800", label: "for 30 min" },
  { value: "3600", label: "for 1 h" },
  { value: "21600", label: "for 6 h" },
  { value: "86400", label: "for 1 day" },
];

/** The choices of a span with the one that is set, if it is none of the usual. */
export function spanChoices(current: number, least = 0): { value: string; label: string }[] {
  const usual = spans.filter(({ value }) => Number(value) >= least);
  const has = usual.some(({ value }) => value === String(current));
  return has ? usual : [{ value: String(current), label: `for ${duration(current)}` }, ...usual];
}

/** What the builder starts with. */
export const firstRule: RuleInput = {
  type: "threshold",
  metric: "cpu_percent",
  entity: "host",
  op: ">",
  threshold: 90,
  for: 300,
  severity: "warning",
};

/** The new rule that an address asks for (`new`, `entity` and `above`); null where it names what cannot be watched. */
export function askedRule(query: URLSearchParams, { metrics, entities }: RuleTargets): RuleInput | null {
  const [metric, entity] = [query.get("new"), query.get("entity") ?? "host"];
  const threshold = Number(query.get("above") ?? Number.NaN);
  const [kind] = entity.split(":");
  const isKnown = entity === "host" || entities.some((one) => one.entity === entity);
  const watched = metrics.find((one) => one.name === metric && one.kind === kind);
  if (watched === undefined || !isKnown || !Number.isFinite(threshold)) return null;
  return { ...firstRule, metric: watched.name, entity, threshold };
}
