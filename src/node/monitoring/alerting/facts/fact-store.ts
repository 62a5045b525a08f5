import type { Store } from "../../../../kernel/db/store.ts";

/** Something that is good or bad, as an event told. */
export interface Fact {
  metric: string;
  entity: string;
  entity_name: string;
  bad: boolean;
  message: string;
  /** Milliseconds. */
  at: number;
}

type FactRow = Omit<Fact, "bad"> & { bad: number };

const toFact = (row: FactRow): Fact => ({ ...row, bad: row.bad !== 0 });

export function saveFact(db: Store, fact: Fact): void {
  db.raw
    .query(
      "INSERT OR REPLACE INTO alert_facts (metric, entity, entity_name, bad, message, at) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(fact.metric, fact.entity, fact.entity_name, fact.bad ? 1 : 0, fact.message, fact.at);
}

export function findFact(db: Store, metric: string, entity: string): Fact | null {
  const sql = "SELECT * FROM alert_facts WHERE metric = ? AND entity = ?";
  const row = db.raw.query<FactRow, [string, string]>(sql).get(metric, entity);
  return row && toFact(row);
}

/** Every fact of a metric. */
export function listFacts(db: Store, metric: string): Fact[] {
  const sql = "SELECT * FROM alert_facts WHERE metric = ? ORDER BY entity";
  return db.raw.query<FactRow, [string]>(sql).all(metric).map(toFact);
}

export function deleteFacts(db: Store, entity: string): void {
  db.raw.query("DELETE FROM alert_facts WHERE entity = ?").run(entity);
}

/** A turn of something to bad, to good or, with null, away. */
export interface Turn {
  metric: string;
  entity: string;
  entity_name: string;
  bad: boolean | null;
  /** Milliseconds. */
  at: number;
}

/** Notes a turn, or that something happened so many times. */
export function logTurn(db: Store, { metric, entity, entity_name, bad, at }: Turn, times = 1): void {
  db.raw
    .query("INSERT INTO alert_fact_log (metric, entity, entity_name, bad, times, at) VALUES (?, ?, ?, ?, ?, ?)")
    .run(metric, entity, entity_name, bad === null ? null : Number(bad), times, at);
}

/** Turns of a metric after `from`, oldest first; 5000 at most. */
export function listTurns(db: Store, metric: string, from: number): Turn[] {
  const sql = "SELECT * FROM alert_fact_log WHERE metric = ? AND at > ? ORDER BY at, seq LIMIT 5000";
  const rows = db.raw.query<Omit<Turn, "bad"> & { bad: number | null }, [string, number]>(sql).all(metric, from);
  return rows.map((row) => ({ ...row, bad: row.bad === null ? null : row.bad !== 0 }));
}

/** How often something happened to an entity after `from`. */
export function countTurns(db: Store, metric: string, entity: string, from: number): number {
  const sql = "SELECT coalesce(sum(times), 0) AS n FROM alert_fact_log WHERE metric = ? AND entity = ? AND at > ?";
  return db.raw.query<{ n: number }, [string, string, number]>(sql).get(metric, entity, from)?.n ?? 0;
}

export function deleteTurns(db: Store, metric: string, entity: string): void {
  db.raw.query("DELETE FROM alert_fact_log WHERE metric = ? AND entity = ?").run(metric, entity);
}

/** Facts about an entity. */
export function listFactsOf(db: Store, entity: string): Fact[] {
  return db.raw.query<FactRow, [string]>("SELECT * FROM alert_facts WHERE entity = ?").all(entity).map(toFact);
}

/** Forgets turns from before then, 2000 rows at most; gives how many. */
export function pruneTurns(db: Store, before: number): number {
  const sql = `DELETE FROM alert_fact_log WHERE seq IN (SELECT seq FROM alert_fact_log WHERE at < ? ORDER BY seq LIMIT 2000)`;
  return db.raw.query(sql).run(before).changes;
}
