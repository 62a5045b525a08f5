import type { Store } from "../../../../kernel/db/store.ts";
import { parseJson } from "../../../../lib/json.ts";
import type { AlertState, Phase } from "./step.ts";

interface StateRow {
  rule_key: string;
  entity: string;
  phase: Phase;
  since: number;
  bad_since: number | null;
  counted_from: number;
  at: number;
  value: number | null;
  peak: number | null;
  is_open: number;
  flapping: number;
  /** JSON list of times. */
  turns: string;
}

/** One rule and one entity, or `no_data` and one entity. */
export interface Key {
  rule_key: string;
  entity: string;
}

function readTurns(text: string): number[] {
  const turns = parseJson(text);
  return Array.isArray(turns) ? turns.filter((turn) => typeof turn === "number") : [];
}

const toState = ({ rule_key, entity, ...row }: StateRow): Key & { state: AlertState } => ({
  rule_key,
  entity,
  state: { ...row, is_open: row.is_open !== 0, flapping: row.flapping !== 0, turns: readTurns(row.turns) },
});

export function findState(db: Store, { rule_key, entity }: Key): AlertState | null {
  const sql = "SELECT * FROM alert_states WHERE rule_key = ? AND entity = ?";
  const row = db.raw.query<StateRow, [string, string]>(sql).get(rule_key, entity);
  return row && toState(row).state;
}

/** Every state that a clock set back has left in the future. */
export function listStatesAfter(db: Store, at: number): (Key & { state: AlertState })[] {
  return db.raw.query<StateRow, [number]>("SELECT * FROM alert_states WHERE at > ?").all(at).map(toState);
}

export function saveState(db: Store, { rule_key, entity }: Key, state: AlertState): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO alert_states
         (rule_key, entity, phase, since, bad_since, counted_from, at, value, peak, is_open, flapping, turns)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      rule_key,
      entity,
      state.phase,
      state.since,
      state.bad_since,
      state.counted_from,
      state.at,
      state.value,
      state.peak,
      state.is_open ? 1 : 0,
      state.flapping ? 1 : 0,
      JSON.stringify(state.turns),
    );
}

export function deleteState(db: Store, { rule_key, entity }: Key): void {
  db.raw.query("DELETE FROM alert_states WHERE rule_key = ? AND entity = ?").run(rule_key, entity);
}

export function deleteStates(db: Store, ruleKey: string): void {
  db.raw.query("DELETE FROM alert_states WHERE rule_key = ?").run(ruleKey);
}

/** Notes that a fire of a rule and entity was told. */
export function noteFireTold(db: Store, { rule_key, entity }: Key, now: number): void {
  const sql = `INSERT INTO alert_quiet (rule_key, entity, fire_told_at) VALUES (?, ?, ?)
    ON CONFLICT (rule_key, entity) DO UPDATE SET fire_told_at = excluded.fire_told_at`;
  db.raw.query(sql).run(rule_key, entity, now);
}

/** Silences a rule for an entity until then; null ends the silence. */
export function silence(db: Store, { rule_key, entity }: Key, until: number | null): void {
  const sql = `INSERT INTO alert_quiet (rule_key, entity, silenced_until) VALUES (?, ?, ?)
    ON CONFLICT (rule_key, entity) DO UPDATE SET silenced_until = excluded.silenced_until`;
  db.raw.query(sql).run(rule_key, entity, until);
}

export function deleteQuiet(db: Store, ruleKey: string): void {
  db.raw.query("DELETE FROM alert_quiet WHERE rule_key = ?").run(ruleKey);
}

/**
 * Forgets what stood as it is since before then, of things that are most likely gone: no alert is open, none was told, nobody wants
 * quiet.
 */
export function pruneIdle(db: Store, before: number): void {
  db.raw.query("DELETE FROM alert_states WHERE is_open = 0 AND at < ?").run(before);
  const sql = "DELETE FROM alert_quiet WHERE max(coalesce(fire_told_at, 0), coalesce(silenced_until, 0)) < ?";
  db.raw.query(sql).run(before);
}

/** End of the last minute that was judged; null before the first. */
export function readJudgedTo(db: Store): number | null {
  const sql = "SELECT judged_to FROM alert_progress";
  return db.raw.query<{ judged_to: number | null }, []>(sql).get()?.judged_to ?? null;
}

export function saveJudgedTo(db: Store, at: number): void {
  db.raw.query("UPDATE alert_progress SET judged_to = ?").run(at);
}
