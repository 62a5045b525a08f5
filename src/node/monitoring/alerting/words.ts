import type { Unit } from "../../watched.ts";
import type { Severity } from "./contract.ts";
import type { Own } from "./needs.ts";
import type { RuleRow } from "./rules/rule-store.ts";
import { idOf, isWhole, type Subject, unitOf } from "./watched/watched.ts";

type Watching = Pick<Own, "watched">;

const plain = (value: number): string => String(Math.round(value * 10) / 10);

function bytes(value: number): string {
  const names = ["B", "kB", "MB", "GB", "TB", "PB"];
  const step = Math.min(5, Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(value))) / 3)));
  return `${plain(value / 1000 ** step)} ${names[step]}`;
}

/** A value for people: `93.4 %`, `1.2 GB`, `71 °C`. */
export function formatValue(value: number, unit: Unit): string {
  if (unit === "bytes") return bytes(value);
  if (unit === "bps") return `${bytes(value)}/s`;
  if (unit === "percent") return `${plain(value)} %`;
  return unit === "celsius" ? `${plain(value)} °C` : plain(value);
}

/** A span of whole seconds for people: `90 s`, `5 min`, `4 h`, `2 days`. */
export function formatSpan(seconds: number): string {
  if (seconds % 86_400 === 0 && seconds >= 172_800) return `${seconds / 86_400} days`;
  if (seconds % 3600 === 0 && seconds > 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 && seconds > 0 ? `${seconds / 60} min` : `${seconds} s`;
}

const isRising = (op: RuleRow["op"]): boolean => op === ">" || op === ">=";
const forText = (seconds: number): string => (seconds === 0 ? "" : ` for ${formatSpan(seconds)}`);

/** The name of a rule that got none: `Processor use of this server above 90 % for 5 min`. */
export function nameRule(
  deps: Watching,
  rule: Pick<RuleRow, "type" | "entity" | "op" | "threshold" | "for_s">,
  subject: Subject,
): string {
  const { label } = subject;
  const unit = unitOf(subject);
  const where = placeOf(deps, rule.entity);
  switch (rule.type) {
    case "threshold": {
      const side = isRising(rule.op) ? "above" : "below";
      return `${label} of ${where} ${side} ${formatValue(rule.threshold, unit)}${forText(rule.for_s)}`;
    }
    case "rate": {
      const verb = isRising(rule.op) ? "rises by more than" : "changes by less than";
      return `${label} of ${where} ${verb} ${formatValue(rule.threshold, unit)} in ${formatSpan(rule.for_s)}`;
    }
    case "absence":
      return `No data about ${where}${forText(rule.for_s)}`;
    case "anomaly":
      return `${label} of ${where} is unusual`;
    case "state":
      return "title" in subject ? subject.title : label;
  }
}

/** What a selector means in a sentence. */
function placeOf({ watched }: Watching, entity: string): string {
  const kind = watched.kindOf(entity);
  return kind && (isWhole(entity) || kind.isSingle) ? kind.any : idOf(entity) || entity;
}

/** One sentence about what happened. */
export function describeFire(rule: RuleRow, subject: Subject, place: string, value: number): string {
  const { label } = subject;
  const unit = unitOf(subject);
  const side = isRising(rule.op) ? "above" : "below";
  switch (rule.type) {
    case "threshold":
      return `${label} of ${place} is ${formatValue(value, unit)}, ${side} ${formatValue(rule.threshold, unit)}${forText(rule.for_s)}.`;
    case "rate":
      return `${label} of ${place} changed by ${formatValue(value, unit)} in ${formatSpan(rule.for_s)}.`;
    case "absence":
      return `There has been no data about ${place} for ${formatSpan(Math.round(value / 60) * 60)}.`;
    case "anomaly":
      return `${label} of ${place} is ${plain(value)} standard deviations from what is usual at this hour.`;
    case "state":
      return `${label}: ${place}.`;
  }
}

/** Values that an own wording may name. */
export type WordingValues = Record<
  "entity_name" | "rule_name" | "metric" | "value" | "threshold" | "severity" | "message",
  string
>;

/** Fills `{{name}}`; names that are unknown stay as they are written. Nothing is evaluated. */
export function fillWording(template: string, values: WordingValues & { severity: Severity }): string {
  return template.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(Reflect.get(values, name)) : whole,
  );
}

const ENDINGS: Record<string, string> = {
  rule_changed: "its rule watches something else now",
  rule_disabled: "its rule was switched off",
  rule_deleted: "its rule was deleted",
};

/** Why an event ended, as a sentence; empty while it goes on and when it just got better. */
export function describeEnd(
  { watched }: Watching,
  { entity, resolution }: { entity: string; resolution: string | null },
): string {
  if (resolution === null || resolution === "recovered") return "";
  const kind = watched.kindOf(entity);
  if (resolution === "entity_removed") return `It ended because ${kind?.removed ?? "nothing watches it any more"}.`;
  const reason = resolution === "entity_stopped" ? kind?.stopped : ENDINGS[resolution];
  return `It ended because ${reason ?? "it is watched no more"}.`;
}
