import type { Store } from "../../../../kernel/db/store.ts";
import type { RuleType, Severity } from "../contract.ts";
import type { Op } from "../judge/step.ts";

/** A row of `alert_rules`: spans in seconds, `channel_ids` as JSON. */
export interface RuleRow {
  id: string;
  name: string;
  type: RuleType;
  metric: string;
  entity: string;
  op: Op;
  threshold: number;
  clear_threshold: number;
  for_s: number;
  clear_for_s: number;
  sensitivity: number;
  cooldown_s: number;
  repeat_s: number;
  severity: Severity;
  channel_ids: string;
  enabled: number;
  template: string | null;
  starter: number;
  created_by: string | null;
  created_at: string;
  updated_at: string;
}

/** A rule with what its events say. */
export interface RuleWithEvents extends RuleRow {
  /** Milliseconds. */
  last_fired_at: number | null;
  open_events: number;
}

const WITH_EVENTS = `SELECT r.*,
    (SELECT max(fired_at) FROM alert_events e WHERE e.rule_key = r.id) AS last_fired_at,
    (SELECT count(*) FROM alert_events e WHERE e.rule_key = r.id AND e.resolved_at IS NULL) AS open_events
  FROM alert_rules r`;

/** Every rule, oldest first. */
export function listRules(db: Store): RuleWithEvents[] {
  return db.raw.query<RuleWithEvents, []>(`${WITH_EVENTS} ORDER BY r.id`).all();
}

export function findRule(db: Store, id: string): RuleWithEvents | null {
  return db.raw.query<RuleWithEvents, [string]>(`${WITH_EVENTS} WHERE r.id = ?`).get(id);
}

export function listEnabledRules(db: Store): RuleRow[] {
  return db.raw.query<RuleRow, []>("SELECT * FROM alert_rules WHERE enabled = 1 ORDER BY id").all();
}

/** How many rules there are, and how many of them a user made. */
export function countRules(db: Store, userId: string | null): { all: number; own: number } {
  const sql = "SELECT count(*) AS [all], coalesce(sum(created_by = ?), 0) AS own FROM alert_rules";
  return db.raw.query<{ all: number; own: number }, [string | null]>(sql).get(userId) ?? { all: 0, own: 0 };
}

/** Writes a rule, new or known. */
export function saveRule(db: Store, row: RuleRow): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO alert_rules (id, name, type, metric, entity, op, threshold, clear_threshold, for_s,
         clear_for_s, sensitivity, cooldown_s, repeat_s, severity, channel_ids, enabled, template, starter, created_by,
         created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.name,
      row.type,
      row.metric,
      row.entity,
      row.op,
      row.threshold,
      row.clear_threshold,
      row.for_s,
      row.clear_for_s,
      row.sensitivity,
      row.cooldown_s,
      row.repeat_s,
      row.severity,
      row.channel_ids,
      row.enabled,
      row.template,
      row.starter,
      row.created_by,
      row.created_at,
      row.updated_at,
    );
}

export function deleteRule(db: Store, id: string): void {
  db.raw.query("DELETE FROM alert_rules WHERE id = ?").run(id);
}

/** True the first time it is asked in the life of a database: the starter rules are made once. */
export function claimStarters(db: Store): boolean {
  return db.raw.query("UPDATE alert_progress SET has_starters = 1 WHERE has_starters = 0").run().changes > 0;
}
