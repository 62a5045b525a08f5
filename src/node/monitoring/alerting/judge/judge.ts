import type { Severity } from "../contract.ts";
import { type EventWithQuiet, findOpenEvent, insertEvent, updateEvent } from "../events/event-store.ts";
import type { Own } from "../needs.ts";
import { subjectOf } from "../rules/rule-input.ts";
import type { RuleRow } from "../rules/rule-store.ts";
import { unitOf } from "../watched/watched.ts";
import { describeFire, fillWording, formatValue } from "../words.ts";
import { conditionOf } from "./condition.ts";
import { findState, type Key, saveState } from "./state-store.ts";
import { type AlertState, type Effect, freshState, type Sample, step } from "./step.ts";

type Deps = Pick<Own, "db" | "ids" | "watched">;

/** Silence of the server's own measuring; its rule exists in the program only. */
export const NO_DATA = "no_data";

/** Something to judge: an entity under a rule. */
export interface Case {
  rule: RuleRow;
  entity: string;
  /** The entity for people. */
  name: string;
  /** What happened, where an event said it. */
  message?: string;
  /** A maintenance window is on. */
  held: boolean;
}

/** An unusual value far from usual is critical, as the severity of anomalies says. */
function severityOf(rule: RuleRow, value: number): Severity {
  return rule.type === "anomaly" && rule.severity === "warning" && value > 3 ? "critical" : rule.severity;
}

function open(deps: Deps, { rule, entity, name, message, held }: Case, now: number, badSince: number, value: number) {
  const { db, ids } = deps;
  const subject = subjectOf(deps, rule);
  const { label } = subject;
  const unit = unitOf(subject);
  const sentence = message ?? describeFire(rule, subject, name, value);
  const severity = severityOf(rule, value);
  const isState = rule.type === "state";
  const wording = {
    entity_name: name,
    rule_name: rule.name,
    metric: label,
    value: formatValue(value, unit),
    threshold: formatValue(rule.threshold, unit),
    severity,
    message: sentence,
  };
  insertEvent(db, {
    id: ids.next("alr"),
    rule_key: rule.id,
    rule_id: rule.id === NO_DATA ? null : rule.id,
    rule_name: rule.name,
    type: rule.id === NO_DATA ? NO_DATA : isState ? rule.metric : rule.type,
    severity,
    entity,
    entity_name: name,
    metric: rule.type === "absence" ? null : rule.metric,
    value: isState ? null : value,
    peak: isState ? null : value,
    threshold: isState ? null : rule.threshold,
    unit: rule.type === "anomaly" || rule.type === "absence" ? "none" : unit,
    message: rule.template === null ? sentence : fillWording(rule.template, wording),
    started_at: badSince,
    fired_at: now,
    suppressed: held ? 1 : 0,
    channel_ids: rule.channel_ids,
    cooldown_s: rule.cooldown_s,
    repeat_s: rule.repeat_s,
  });
}

/** What an effect does to the open event. */
function apply(event: EventWithQuiet, effect: Effect, now: number): EventWithQuiet {
  switch (effect.type) {
    case "open":
      return event;
    case "flap":
      return { ...event, flapping: 1 };
    case "steady":
      return { ...event, flapping: 0, flap_told_at: null };
    case "resolve":
      return { ...event, flapping: 0, resolved_at: now, resolution: "recovered" };
  }
}

/** True when nothing changed that a restart would miss: an entity that is well is written down once. */
function isSame(one: AlertState, other: AlertState): boolean {
  return one.phase === "ok" && other.phase === "ok" && one.is_open === other.is_open && one.flapping === other.flapping;
}

/** Judges one case at `now` and writes down what comes of it; inside the caller's transaction. */
export function judge(deps: Deps, of: Case, read: (state: AlertState) => Sample, now: number): void {
  const { db } = deps;
  const key: Key = { rule_key: of.rule.id, entity: of.entity };
  const before = findState(db, key);
  const state = before ?? freshState(now);
  const result = step(state, read(state), conditionOf(of.rule), now);
  if (before !== null ? !isSame(before, result.state) : result.state.phase !== "ok") saveState(db, key, result.state);
  for (const effect of result.effects) {
    if (effect.type === "open") open(deps, of, now, effect.bad_since, effect.value);
  }
  if (!result.state.is_open && result.effects.length === 0) return;
  const event = findOpenEvent(db, key);
  if (!event) return;
  const isState = of.rule.type === "state";
  let next = { ...event, value: isState ? null : result.state.value, peak: isState ? null : result.state.peak };
  for (const effect of result.effects) next = { ...next, ...apply(next, effect, now) };
  const isNew = result.effects.length > 0 || next.value !== event.value || next.peak !== event.peak;
  if (isNew) updateEvent(db, next);
}
