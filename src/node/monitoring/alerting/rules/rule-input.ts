import { parseJson } from "../../../../lib/json.ts";
import { type Channels, fail, type RuleInput, type RuleType } from "../contract.ts";
import { isPast, type Op } from "../judge/step.ts";
import type { Own } from "../needs.ts";
import { defaultEntity, findSubject, isWhole, type Subject, unitOf } from "../watched/watched.ts";
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
  state: { for: 0, clear_for: 30, cooldown: 300, op: ">=" },
};
/** Who wants to hear at once that it is bad wants to hear soon that it is over. */
const IMMEDIATE_CLEAR_S = 30;
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

const unknownMetric = (type: RuleType, metric: string, list: readonly Subject[]) =>
  fail("alert_metric_unknown", { type, metric, known: [...new Set(list.map(({ name }) => name))].join(", ") });

type Deps = Pick<Own, "watched" | "baselines">;

/** What a rule watches, of `kind` or, with null, of any. Throws `alert_metric_unknown`, `alert_rule_invalid`. */
function chooseSubject(deps: Deps, input: RuleInput, kind: string | null): Subject {
  const { watched, baselines } = deps;
  const metrics = watched.metrics();
  if (input.type === "absence") {
    // Silence is about no figure, so that any of the kind will do; without a kind it is the server's own.
    const ofKind = metrics.filter((one) => one.kind === (kind ?? metrics[0]?.kind));
    const found = ofKind.find(({ name }) => input.metric === undefined || name === input.metric) ?? ofKind[0];
    return found ?? chooseSubject(deps, { ...input, type: "threshold" }, kind);
  }
  if (input.metric === undefined) {
    throw fail("alert_rule_invalid", { field: "metric", reason: `must be named for a rule of type ${input.type}` });
  }
  if (input.type === "anomaly") {
    // Baselines are kept of the server alone.
    const usual = metrics.filter(
      (one) => watched.kindOf(one.kind)?.isSingle && baselines.metricName(one.name) !== null,
    );
    const name = baselines.metricName(input.metric);
    const found = name === null ? null : findSubject(usual, name, kind);
    if (!found) throw unknownMetric(input.type, input.metric, usual);
    return found;
  }
  const list: readonly Subject[] = input.type === "state" ? watched.states() : metrics;
  const found = findSubject(list, watched.fullName(input.metric), kind);
  if (found) return found;
  const known = list.filter((one) => kind === null || one.kind === kind);
  throw unknownMetric(input.type, input.metric, known);
}

/** How long a rule must be on the good side unless told. */
const defaultClearFor = (type: RuleType, forS: number): number =>
  type === "threshold" && forS === 0 ? IMMEDIATE_CLEAR_S : DEFAULTS[type].clear_for;

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

/** What an entity may be, for somebody who wrote another one. Only a single thing that is measured needs to be named. */
function describeEntities({ watched }: Pick<Own, "watched">): string {
  const measured = new Set(watched.metrics().map(({ kind }) => kind));
  const alone = watched.kinds().filter(({ kind, isSingle }) => isSingle && measured.has(kind));
  const prefixes = watched.kinds().flatMap(({ kind, isSingle }) => (isSingle ? [] : [`${kind}:`]));
  const names = alone.map(({ kind }) => kind).join(", ");
  return `must be ${names}, or ${prefixes.slice(0, -1).join(", ")} or ${prefixes.at(-1)} with a name or * for all`;
}

/** The entity that a rule names, else all of the kind; a star behind a single thing that is measured adds nothing. */
function chooseEntity({ watched }: Pick<Own, "watched">, named: string | undefined, kind: string): string {
  const found = watched.kinds().find((one) => one.kind === kind);
  if (named === undefined) return found ? defaultEntity(found) : kind;
  const isMeasured = watched.metrics().some((one) => one.kind === kind);
  return found?.isSingle && isMeasured && isWhole(named) ? kind : named;
}

/** A rule without what it gets when it is stored. */
export type Settled = Omit<RuleRow, "id" | "starter" | "created_by" | "created_at" | "updated_at"> & { unit: string };

/** Fills in what was left out and checks the whole. Throws `alert_metric_unknown`, `alert_rule_invalid`. */
export function settleRule(deps: Deps, input: RuleInput): Settled {
  const { type } = input;
  const { watched } = deps;
  const named = input.entity === undefined ? null : watched.kindOf(input.entity);
  if (input.entity !== undefined && named === null) {
    throw fail("alert_rule_invalid", { field: "entity", reason: describeEntities(deps) });
  }
  const subject = chooseSubject(deps, input, named?.kind ?? null);
  const unit = unitOf(subject);
  const defaults = DEFAULTS[type];
  const op = type === "threshold" || type === "rate" ? (input.op ?? defaults.op) : defaults.op;
  const for_s = readSpan("for", input.for ?? defaults.for, LONGEST_FOR_S);
  if (type === "rate" && for_s < 60) {
    throw fail("alert_rule_invalid", { field: "for", reason: "must be at least 60 seconds for a rule of type rate" });
  }
  const sensitivity = input.sensitivity ?? DEFAULT_SENSITIVITY;
  const severity = input.severity ?? "warning";
  const [threshold, clear_threshold] = chooseLevels(input, op, for_s, sensitivity, unit);
  const rule = {
    type,
    metric: subject.name,
    entity: chooseEntity(deps, input.entity, subject.kind),
    op,
    threshold,
    clear_threshold,
    for_s,
    clear_for_s: readSpan("clear_for", input.clear_for ?? defaultClearFor(type, for_s), LONGEST_FOR_S),
    sensitivity,
    cooldown_s: readSpan("cooldown", input.cooldown ?? defaults.cooldown),
    repeat_s: readSpan("repeat", input.repeat ?? (severity === "critical" ? CRITICAL_REPEAT_S : 0)),
    severity,
    channel_ids: JSON.stringify(input.channel_ids ?? "all"),
    enabled: input.enabled === false ? 0 : 1,
    template: input.template?.trim() || null,
    unit,
  };
  return { ...rule, name: input.name?.trim() ?? nameRule(deps, rule, subject).slice(0, 80) };
}

/** What a stored rule is about. */
export function subjectOf(
  { watched }: Pick<Own, "watched">,
  rule: Pick<RuleRow, "type" | "metric" | "entity">,
): Subject {
  const list: readonly Subject[] = rule.type === "state" ? watched.states() : watched.metrics();
  const unknown: Subject = { kind: "", name: rule.metric, label: rule.metric, unit: "none" };
  return findSubject(list, rule.metric, watched.kindOf(rule.entity)?.kind ?? null) ?? unknown;
}
