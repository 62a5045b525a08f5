import type { Store } from "../../../kernel/db/store.ts";

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
