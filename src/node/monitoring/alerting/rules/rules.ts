import { toIso } from "../../../../lib/clock.ts";
import type { Actor } from "../../../actor.ts";
import type { NodeFound } from "../../../base.ts";
import { type AlertRule, fail, type RuleChange, type RuleInput, type RuleTargets } from "../contract.ts";
import { type Ending, endEvent } from "../events/end-event.ts";
import { listOpenOfRule } from "../events/event-store.ts";
import { type TellDeps, tellAbout } from "../events/tell.ts";
import { listFacts } from "../facts/fact-store.ts";
import { deleteQuiet, deleteStates } from "../judge/state-store.ts";
import type { Own } from "../needs.ts";
import { tellUnit, unitOf } from "../watched/watched.ts";
import { createWorld } from "../watched/world.ts";
import { readChannels, type Settled, settleRule, subjectOf } from "./rule-input.ts";
import * as store from "./rule-store.ts";

type RuleDeps = TellDeps & Pick<Own, "baselines">;
type Reading = Pick<Own, "db" | "watched">;

/** Who asks, and from where. */
export type By = { actor: Pick<Actor, "user_id" | "role">; ip: string };

const MAX_RULES = 200;
const MAX_OWN_RULES = 20;
/** A rule that changes in one of these watches something else from now on. */
const IDENTITY = ["type", "metric", "entity", "op"] as const;

function present(deps: Reading, row: store.RuleWithEvents): AlertRule {
  const { for_s, clear_for_s, cooldown_s, repeat_s, enabled, starter, ...rest } = row;
  return {
    ...rest,
    for: for_s,
    clear_for: clear_for_s,
    cooldown: cooldown_s,
    repeat: repeat_s,
    channel_ids: readChannels(row.channel_ids),
    enabled: enabled !== 0,
    starter: starter !== 0,
    unit: row.type === "anomaly" ? null : tellUnit(unitOf(subjectOf(deps, row))),
    last_fired_at: row.last_fired_at === null ? null : toIso(row.last_fired_at),
  };
}

function getRule(db: TellDeps["db"], id: string): store.RuleWithEvents {
  const row = store.findRule(db, id);
  if (!row) throw fail("alert_rule_not_found", { id });
  return row;
}

/** Everybody may make rules; those of others are for admins. */
function checkOwner({ actor }: By, row: store.RuleRow): void {
  if (actor.role !== "admin" && row.created_by !== actor.user_id) throw fail("alert_rule_foreign");
}

/** Every rule, oldest first. */
export function listAlertRules(deps: Reading): AlertRule[] {
  return store.listRules(deps.db).map((row) => present(deps, row));
}

/** Those with the text, in small letters, in their names. */
export function findRules({ db }: Pick<Reading, "db">, text: string): NodeFound[] {
  return store
    .listRules(db)
    .filter(({ name }) => name.toLowerCase().includes(text))
    .map(({ id, name, enabled }) => ({ id, title: name, snippet: enabled ? "on" : "off" }));
}

/** One rule. Throws `alert_rule_not_found`. */
export function readAlertRule(deps: Reading, id: string): AlertRule {
  return present(deps, getRule(deps.db, id));
}

const withoutUnit = ({ unit: _, ...rule }: Settled) => rule;

type Chosen = RuleInput["channel_ids"];

/**
 * A rule that names a channel which does not exist would tell nobody. Those it had `before` may have been deleted since.
 * Throws `alert_rule_invalid`.
 */
function checkChannels({ channels }: Pick<RuleDeps, "channels">, chosen: Chosen, before: Chosen = []): void {
  const added = Array.isArray(chosen) ? chosen.filter((id) => !before?.includes(id)) : [];
  const unknown = channels.findUnknown(added);
  if (unknown === null) return;
  const reason = `names the channel ${unknown}, which does not exist; leave it out to tell all channels`;
  throw fail("alert_rule_invalid", { field: "channel_ids", reason });
}

/** Makes a rule. Throws `alert_rule_limit` and what its fields deserve. */
export function createAlertRule(deps: RuleDeps, { actor, ip }: By, input: RuleInput): AlertRule {
  const { db, clock, ids, bus } = deps;
  const created_at = toIso(clock.now());
  const id = ids.next("rul");
  const rule = withoutUnit(settleRule(deps, input));
  db.tx(() => {
    checkChannels(deps, input.channel_ids);
    const { all, own } = store.countRules(db, actor.user_id);
    if (all >= MAX_RULES) throw fail("alert_rule_limit", { limit: MAX_RULES, whose: "" });
    if (actor.role !== "admin" && own >= MAX_OWN_RULES) {
      throw fail("alert_rule_limit", { limit: MAX_OWN_RULES, whose: " of one user who is no admin" });
    }
    store.saveRule(db, { ...rule, id, starter: 0, created_by: actor.user_id, created_at, updated_at: created_at });
    bus.emit("alert_rule.created", { user_id: actor.user_id, rule_id: id, name: rule.name, ip });
  });
  return readAlertRule(deps, id);
}

/** What a stored rule would be made from again. Levels that follow from others are worked out anew when those change. */
function toInput(row: store.RuleRow, change: RuleChange): RuleInput {
  const isMoved = IDENTITY.some((field) => change[field] !== undefined && change[field] !== row[field]);
  const keepsClear = !isMoved && (change.threshold === undefined || change.threshold === row.threshold);
  return {
    type: row.type,
    ...(change.type === undefined || change.type === row.type ? { metric: row.metric, entity: row.entity } : {}),
    ...(row.type === "threshold" || row.type === "rate" ? { op: row.op, threshold: row.threshold } : {}),
    ...(keepsClear ? { clear_threshold: row.clear_threshold } : {}),
    name: row.name,
    for: row.for_s,
    clear_for: row.clear_for_s,
    sensitivity: row.sensitivity,
    cooldown: row.cooldown_s,
    repeat: row.repeat_s,
    severity: row.severity,
    channel_ids: readChannels(row.channel_ids),
    enabled: row.enabled !== 0,
    template: row.template,
  };
}

/** Ends what is open under a rule and forgets where it stood; who was told of a fire is told of its end. */
function endAll(deps: TellDeps, id: string, ending: Ending): void {
  const now = deps.clock.now();
  for (const event of listOpenOfRule(deps.db, id)) endEvent(deps, event, ending, now);
  deleteStates(deps.db, id);
  tellAbout(deps, { rule_key: id }, now);
}

const isSameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Changes the fields that are given. Throws `alert_rule_not_found`, `alert_rule_foreign` and what its fields deserve. */
export function changeAlertRule(deps: RuleDeps, by: By, id: string, change: RuleChange): AlertRule {
  const { db, clock, bus } = deps;
  return db.tx(() => {
    const before = getRule(db, id);
    checkOwner(by, before);
    checkChannels(deps, change.channel_ids, readChannels(before.channel_ids));
    const settled = withoutUnit(settleRule(deps, { ...toInput(before, change), ...change }));
    const { last_fired_at: _, open_events: __, ...kept } = before;
    store.saveRule(db, { ...kept, ...settled, updated_at: toIso(clock.now()) });
    if (settled.enabled === 0 && before.enabled !== 0) endAll(deps, id, "rule_disabled");
    else if (IDENTITY.some((field) => settled[field] !== before[field])) endAll(deps, id, "rule_changed");
    const fields = Object.entries(settled).flatMap(([name, value]) =>
      isSameValue(value, Reflect.get(before, name)) ? [] : [name],
    );
    bus.emit("alert_rule.changed", {
      user_id: by.actor.user_id,
      rule_id: id,
      name: settled.name,
      fields,
      ip: by.ip,
    });
    return present(deps, getRule(db, id));
  });
}

/** Deletes a rule and ends its open events. Throws `alert_rule_not_found`, `alert_rule_foreign`. */
export function deleteAlertRule(deps: TellDeps, by: By, id: string): void {
  const { db, bus } = deps;
  db.tx(() => {
    const row = getRule(db, id);
    checkOwner(by, row);
    endAll(deps, id, "rule_deleted");
    deleteQuiet(db, id);
    store.deleteRule(db, id);
    bus.emit("alert_rule.deleted", { user_id: by.actor.user_id, rule_id: id, name: row.name, ip: by.ip });
  });
}

/** What rules can be about on this server. */
export function listTargets(deps: Pick<Own, "db" | "clock" | "series" | "watched">): RuleTargets {
  const { db, watched } = deps;
  const world = createWorld(deps);
  const metrics = watched.metrics();
  const states = watched.states();
  const measured = [...new Set(metrics.map(({ kind }) => kind))];
  const kinds = measured.flatMap((kind) => watched.kinds().find((one) => one.kind === kind) ?? []);
  const [single, many] = [kinds.filter(({ isSingle }) => isSingle), kinds.filter(({ isSingle }) => !isSingle)];
  // Things that nothing is measured of are known by what was told of them.
  const told = states.filter(({ kind }) => !measured.includes(kind) && !watched.kindOf(kind)?.isSingle);
  const entities = [
    ...single.map(({ kind }) => ({ entity: kind, kind, name: world.nameOf(kind) })),
    ...many.flatMap((one) => world.ofKind(one).map(({ entity, name }) => ({ entity, kind: one.kind, name }))),
    ...told.flatMap(({ name, kind }) =>
      listFacts(db, name).map(({ entity, entity_name }) => ({ entity, kind, name: entity_name })),
    ),
  ];
  return {
    metrics: metrics.map(({ name, kind, label, unit }) => ({ name, kind, label, unit: tellUnit(unit) })),
    states: states.map(({ name, kind, label }) => ({ name, kind, label, unit: null })),
    entities: entities.slice(0, 500),
  };
}
