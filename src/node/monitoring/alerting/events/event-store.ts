import type { Store } from "../../../../kernel/db/store.ts";
import type { EventQuery, Severity } from "../contract.ts";
import type { Key } from "../judge/state-store.ts";

/** A row of `alert_events`; times in milliseconds, spans in seconds, `channel_ids` as JSON. */
export interface EventRow {
  id: string;
  rule_key: string;
  rule_id: string | null;
  rule_name: string;
  type: string;
  severity: Severity;
  entity: string;
  entity_name: string;
  metric: string | null;
  value: number | null;
  peak: number | null;
  threshold: number | null;
  unit: string;
  message: string;
  started_at: number;
  fired_at: number;
  resolved_at: number | null;
  resolution: string | null;
  flapping: number;
  suppressed: number;
  channel_ids: string;
  cooldown_s: number;
  repeat_s: number;
  fire_told_at: number | null;
  told_at: number | null;
  flap_told_at: number | null;
  resolve_told_at: number | null;
  reminders: number;
  acknowledged_at: number | null;
  acknowledged_by: string | null;
}

/** An event with what is kept beyond it. */
export interface EventWithQuiet extends EventRow {
  last_fire_told_at: number | null;
  silenced_until: number | null;
}

/** What a new event begins with. */
export type NewEvent = Omit<
  EventRow,
  | "resolved_at"
  | "resolution"
  | "flapping"
  | "fire_told_at"
  | "told_at"
  | "flap_told_at"
  | "resolve_told_at"
  | "reminders"
  | "acknowledged_at"
  | "acknowledged_by"
>;

const WITH_QUIET = `SELECT e.*, q.fire_told_at AS last_fire_told_at, q.silenced_until
  FROM alert_events e LEFT JOIN alert_quiet q ON q.rule_key = e.rule_key AND q.entity = e.entity`;

export function insertEvent(db: Store, row: NewEvent): void {
  db.raw
    .query(
      `INSERT INTO alert_events (id, rule_key, rule_id, rule_name, type, severity, entity, entity_name, metric, value,
         peak, threshold, unit, message, started_at, fired_at, suppressed, channel_ids, cooldown_s, repeat_s)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.rule_key,
      row.rule_id,
      row.rule_name,
      row.type,
      row.severity,
      row.entity,
      row.entity_name,
      row.metric,
      row.value,
      row.peak,
      row.threshold,
      row.unit,
      row.message,
      row.started_at,
      row.fired_at,
      row.suppressed,
      row.channel_ids,
      row.cooldown_s,
      row.repeat_s,
    );
}

export function findEvent(db: Store, id: string): EventWithQuiet | null {
  return db.raw.query<EventWithQuiet, [string]>(`${WITH_QUIET} WHERE e.id = ?`).get(id);
}

/** The open event of a rule and entity. */
export function findOpenEvent(db: Store, { rule_key, entity }: Key): EventWithQuiet | null {
  const sql = `${WITH_QUIET} WHERE e.rule_key = ? AND e.entity = ? AND e.resolved_at IS NULL`;
  return db.raw.query<EventWithQuiet, [string, string]>(sql).get(rule_key, entity);
}

/** Open events of a rule. */
export function listOpenOfRule(db: Store, ruleKey: string): EventWithQuiet[] {
  const sql = `${WITH_QUIET} WHERE e.rule_key = ? AND e.resolved_at IS NULL ORDER BY e.id`;
  return db.raw.query<EventWithQuiet, [string]>(sql).all(ruleKey);
}

/** Open events about an entity. */
export function listOpenOfEntity(db: Store, entity: string): EventWithQuiet[] {
  const sql = `${WITH_QUIET} WHERE e.entity = ? AND e.resolved_at IS NULL ORDER BY e.id`;
  return db.raw.query<EventWithQuiet, [string]>(sql).all(entity);
}

/** Things with open events that are about more than silence. */
export function listOpenEntities(db: Store): string[] {
  const sql = `SELECT DISTINCT entity FROM alert_events WHERE resolved_at IS NULL AND type NOT IN ('absence', 'no_data')`;
  return db.raw
    .query<{ entity: string }, []>(sql)
    .all()
    .map(({ entity }) => entity);
}

/** Events of a rule or about an entity that somebody may have to be told about; 100 at most, the rest waits for its turn. */
export function listToTell(db: Store, { rule_key, entity }: Partial<Key>): string[] {
  const sql = `SELECT id FROM alert_events WHERE (rule_key = ?1 OR ?1 IS NULL) AND (entity = ?2 OR ?2 IS NULL)
    AND (resolved_at IS NULL OR (fire_told_at IS NOT NULL AND resolve_told_at IS NULL)) ORDER BY id LIMIT 100`;
  const rows = db.raw.query<{ id: string }, [string | null, string | null]>(sql).all(rule_key ?? null, entity ?? null);
  return rows.map(({ id }) => id);
}

/** Events that are over and not told of though their fire was, after the one with id `after`; 500 at most. */
export function listOwed(db: Store, after: string): EventWithQuiet[] {
  const sql = `${WITH_QUIET} WHERE e.resolved_at IS NOT NULL AND e.fire_told_at IS NOT NULL AND e.resolve_told_at IS NULL
    AND e.id > ? ORDER BY e.id LIMIT 500`;
  return db.raw.query<EventWithQuiet, [string]>(sql).all(after);
}

/** Open events after the one with id `after`; 500 at most. */
export function listOpen(db: Store, after: string): EventWithQuiet[] {
  const sql = `${WITH_QUIET} WHERE e.resolved_at IS NULL AND e.id > ? ORDER BY e.id LIMIT 500`;
  return db.raw.query<EventWithQuiet, [string]>(sql).all(after);
}

/** Writes what changes in an event's life. */
export function updateEvent(db: Store, row: EventRow): void {
  db.raw
    .query(
      `UPDATE alert_events SET value = ?, peak = ?, resolved_at = ?, resolution = ?, flapping = ?, fire_told_at = ?,
         told_at = ?, flap_told_at = ?, resolve_told_at = ?, reminders = ?, acknowledged_at = ?, acknowledged_by = ?
       WHERE id = ?`,
    )
    .run(
      row.value,
      row.peak,
      row.resolved_at,
      row.resolution,
      row.flapping,
      row.fire_told_at,
      row.told_at,
      row.flap_told_at,
      row.resolve_told_at,
      row.reminders,
      row.acknowledged_at,
      row.acknowledged_by,
      row.id,
    );
}

type Filters = Pick<EventQuery, "state" | "severity" | "rule_id" | "entity"> & {
  before: string | null;
  from: number | null;
  to: number | null;
};

/** Events that pass the filters, newest first, after the one with id `before`. */
export function listEvents(db: Store, filters: Filters, limit: number): EventWithQuiet[] {
  const sql = `${WITH_QUIET}
    WHERE (?1 IS NULL OR e.id < ?1) AND (?2 IS NULL OR (e.resolved_at IS NULL) = (?2 = 'firing'))
      AND (?3 IS NULL OR e.severity = ?3) AND (?4 IS NULL OR e.rule_key = ?4) AND (?5 IS NULL OR e.entity = ?5)
      AND (?6 IS NULL OR e.fired_at >= ?6) AND (?7 IS NULL OR e.fired_at < ?7)
    ORDER BY e.id DESC LIMIT ?8`;
  return db.raw
    .query<EventWithQuiet, (string | number | null)[]>(sql)
    .all(
      filters.before,
      filters.state ?? null,
      filters.severity ?? null,
      filters.rule_id ?? null,
      filters.entity ?? null,
      filters.from,
      filters.to,
      limit,
    );
}

/** How many events are open, and how many of them are critical. */
export function countOpen(db: Store): { open: number; critical: number } {
  const sql = `SELECT count(*) AS open, coalesce(sum(severity = 'critical'), 0) AS critical
    FROM alert_events WHERE resolved_at IS NULL`;
  return db.raw.query<{ open: number; critical: number }, []>(sql).get() ?? { open: 0, critical: 0 };
}

/** Forgets what was over before then, 500 rows at most; gives how many. */
export function pruneEvents(db: Store, before: number): number {
  const sql = `DELETE FROM alert_events WHERE id IN
    (SELECT id FROM alert_events WHERE resolved_at < ? ORDER BY id LIMIT 500)`;
  return db.raw.query(sql).run(before).changes;
}
