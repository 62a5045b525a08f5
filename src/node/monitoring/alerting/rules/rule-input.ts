import { parseJson } from "../../../../lib/json.ts";
import { metricName } from "../../baselines/index.ts";
import { type Channels, fail, type RuleInput, type RuleType } from "../contract.ts";
import { isPast, type Op } from "../judge/step.ts";
import { defaultEntity, findMetric, type Kind, kindOf, MEASURED, type Metric, STATES } from "../watched/watched.ts";
import { nameRule } from "../words.ts";
import type { RuleRow } from "./rule-store.ts";

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
const MONTH_S = 2_592_000;
const LONGEST_FOR_S = 86_400;

interface TypeDefaults {
  for: number;
  clear_for: number;
  cooldown: number;
  op: Op;
}

/** Spans in seconds. */
const DEFAULTS: Record<RuleType, TypeDefaults> = {
  threshold: { for: 300, clear_for: 120, cooldown: 300, op: ">" },
  rate: { for: 3600, clear_for: 120, cooldown: 3600, op: ">" },
  absence: { for: 300, clear_for: 120, cooldown: 300, op: ">=" },
  anomaly: { for: 0, clear_for: 900, cooldown: 3600, op: ">" },
  state: { for: 0, clear_for: 120, cooldown: 300, op: ">=" },
};
const DEFAULT_SENSITIVITY = 2;
const CRITICAL_REPEAT_S = 14_400;

/** Seconds of a number or of a text such as `5m`. Throws `alert_rule_invalid` above 30 days. */
export function readSpan(field: string, span: string | number, longest = MONTH_S): number {
  const seconds = typeof span === "number" ? span : Number(span.slice(0, -1)) * (UNIT_SECONDS[span.slice(-1)] ?? 1);
  if (seconds > longest) throw fail("alert_rule_invalid", { field, reason: `must be at most ${longest} seconds` });
  return seconds;
}

/** Reads stored channels; a text that is neither means every channel. */
export function readChannels(text: string): Channels {
  const stored = parseJson(text);
  return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : "all";
}

const unknownMetric = (type: RuleType, metric: string, list: readonly Metric[]) =>
  fail("alert_metric_unknown", { type, metric, known: [...new Set(list.map(({ name }) => name))].join(", ") });

/** The metric a rule watches. Throws `alert_metric_unknown`, `alert_rule_invalid`. */
function chooseMetric(input: RuleInput, kind: Kind | null): Metric {
  if (input.type === "absence") {
    const of = kind ?? "host";
    const found = MEASURED.find((one) => one.kind === of && (input.metric === undefined || one.name === input.metric));
    return found ?? MEASURED.find((one) => one.kind === of) ?? chooseMetric({ ...input, type: "threshold" }, kind);
  }
  if (input.metric === undefined) {
    throw fail("alert_rule_invalid", { field: "metric", reason: `must be named for a rule of type ${input.type}` });
  }
  if (input.type === "anomaly") {
    const name = metricName(input.metric);
    const hosts = MEASURED.filter((one) => one.kind === "host" && metricName(one.name) !== null);
    const found = name === null || (kind !== null && kind !== "host") ? null : findMetric(hosts, name, "host");
    if (!found) throw unknownMetric(input.type, input.metric, hosts);
    return found;
  }
  const list = input.type === "state" ? STATES : MEASURED;
  const found = findMetric(list, input.metric, kind);
  if (!found) throw unknownMetric(input.type, input.metric, kind === null ? list : list.filter((m) => m.kind === kind));
  return found;
}

/** Where a threshold rule clears unless told: 5 points below a percentage, a twentieth below anything else. */
function defaultClear(op: Op, threshold: number, unit: string): number {
  const gap = unit === "percent" ? Math.min(5, Math.abs(threshold) / 2) : Math.abs(threshold) / 20;
  return op === ">" || op === ">=" ? threshold - gap : threshold + gap;
}

/** Threshold and clear threshold in force. Throws `alert_rule_invalid`. */
function chooseLevels(input: RuleInput, op: Op, forS: number, sensitivity: number, unit: string): [number, number] {
  switch (input.type) {
    case "absence":
      return [Math.max(60, forS), Math.max(60, forS)];
    case "state":
      return [1, 1];
    case "anomaly":
      return [sensitivity, Math.max(sensitivity - 0.5, sensitivity * 0.75)];
    case "rate":
    case "threshold": {
      const { threshold } = input;
      if (threshold === undefined) {
        throw fail("alert_rule_invalid", {
          field: "threshold",
          reason: `must be given for a rule of type ${input.type}`,
        });
      }
      const clear = input.clear_threshold ?? (input.type === "rate" ? threshold : defaultClear(op, threshold, unit));
      if (clear !== threshold && isPast(op, clear, threshold)) {
        const side = op === ">" || op === ">=" ? "above" : "below";
        throw fail("alert_rule_invalid", {
          field: "clear_threshold",
          reason: `must not be ${side} the threshold of ${threshold}`,
        });
      }
      return [threshold, clear];
    }
  }
}

/** A rule without what it gets when it is stored. */
export type Settled = Omit<RuleRow, "id" | "starter" | "created_by" | "created_at" | "updated_at"> & { unit: string };

/** Fills in what was left out and checks the whole. Throws `alert_metric_unknown`, `alert_rule_invalid`. */
export function settleRule(input: RuleInput): Settled {
  const { type } = input;
  const kind = input.entity === undefined ? null : kindOf(input.entity);
  if (input.entity !== undefined && kind === null) {
    const reason = "must be host, or app:, iface:, fs:, disk: or domain: with a name or * for all";
    throw fail("alert_rule_invalid", { field: "entity", reason });
  }
  const metric = chooseMetric(input, kind);
  const defaults = DEFAULTS[type];
  const op = type === "threshold" || type === "rate" ? (input.op ?? defaults.op) : defaults.op;
  const for_s = readSpan("for", input.for ?? defaults.for, LONGEST_FOR_S);
  if (type === "rate" && for_s < 60) {
    throw fail("alert_rule_invalid", { field: "for", reason: "must be at least 60 seconds for a rule of type rate" });
  }
  const sensitivity = input.sensitivity ?? DEFAULT_SENSITIVITY;
  const severity = input.severity ?? "warning";
  const [threshold, clear_threshold] = chooseLevels(input, op, for_s, sensitivity, metric.unit);
  const rule = {
    type,
    metric: metric.name,
    entity: input.entity === "host:*" ? "host" : (input.entity ?? defaultEntity(metric.kind)),
    op,
    threshold,
    clear_threshold,
    for_s,
    clear_for_s: readSpan("clear_for", input.clear_for ?? defaults.clear_for, LONGEST_FOR_S),
    sensitivity,
    cooldown_s: readSpan("cooldown", input.cooldown ?? defaults.cooldown),
    repeat_s: readSpan("repeat", input.repeat ?? (severity === "critical" ? CRITICAL_REPEAT_S : 0)),
    severity,
    channel_ids: JSON.stringify(input.channel_ids ?? "all"),
    enabled: input.enabled === false ? 0 : 1,
    template: input.template?.trim() || null,
    unit: metric.unit,
  };
  return { ...rule, name: input.name?.trim() ?? nameRule(rule, metric.label, metric.unit).slice(0, 80) };
}

/** The metric of a stored rule. */
export function metricOf(rule: Pick<RuleRow, "type" | "metric" | "entity">): Metric {
  const list = rule.type === "state" ? STATES : MEASURED;
  const unknown: Metric = { name: rule.metric, kind: "host", label: rule.metric, unit: "none" };
  return findMetric(list, rule.metric, kindOf(rule.entity)) ?? unknown;
}
