import type { Store } from "../../../../kernel/db/store.ts";

/** A row of `image_checks`; times in milliseconds since 1970. */
export interface CheckRow {
  /** In full. */
  reference: string;
  asked_at: number;
  /** What the tag stands for at the registry; null where that did not say. */
  digest: string | null;
  /** Ids of images that were here then and are older ones. */
  older: string[];
  failure: string | null;
  with_login: boolean;
  /** The digest that people were told of. */
  told: string | null;
}

/** A row of `registry_rests`: a registry that is not asked for a while. */
export interface RestRow {
  registry: string;
  failure: string;
  /** How often it failed in a row. */
  tries: number;
  asked_at: number;
  until: number;
}

type Stored = Omit<CheckRow, "older" | "with_login"> & { older: string; with_login: number };

/** Every row by its reference. */
export function readChecks(db: Store): Map<string, CheckRow> {
  const rows = db.raw.query<Stored, []>("SELECT * FROM image_checks").all();
  return new Map(
    rows.map((row) => {
      const older: string[] = JSON.parse(row.older);
      return [row.reference, { ...row, older, with_login: row.with_login === 1 }];
    }),
  );
}

/** Writes an answer; what people were told of before stays. */
export function writeCheck(db: Store, row: Omit<CheckRow, "told">): void {
  const { reference, asked_at, digest, older, failure, with_login } = row;
  db.raw
    .query(
      `INSERT INTO image_checks (reference, asked_at, digest, older, failure, with_login) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (reference) DO UPDATE SET asked_at = excluded.asked_at, digest = excluded.digest, older = excluded.older,
         failure = excluded.failure, with_login = excluded.with_login`,
    )
    .run(reference, asked_at, digest, JSON.stringify(older), failure, Number(with_login));
}

export function writeTold(db: Store, reference: string, digest: string): void {
  db.raw.query("UPDATE image_checks SET told = ? WHERE reference = ?").run(digest, reference);
}

export function deleteCheck(db: Store, reference: string): void {
  db.raw.query("DELETE FROM image_checks WHERE reference = ?").run(reference);
}

/** Every row by its registry. */
export function readRests(db: Store): Map<string, RestRow> {
  const rows = db.raw.query<RestRow, []>("SELECT * FROM registry_rests").all();
  return new Map(rows.map((row) => [row.registry, row]));
}

export function writeRest(db: Store, { registry, failure, tries, asked_at, until }: RestRow): void {
  db.raw
    .query("INSERT OR REPLACE INTO registry_rests (registry, failure, tries, asked_at, until) VALUES (?, ?, ?, ?, ?)")
    .run(registry, failure, tries, asked_at, until);
}

export function deleteRest(db: Store, registry: string): void {
  db.raw.query("DELETE FROM registry_rests WHERE registry = ?").run(registry);
}

/** How many questions were asked from `since` up to `now`. */
export function countAsked(db: Store, since: number, now: number): number {
  const sql = `SELECT count(*) AS asked FROM (SELECT asked_at FROM image_checks UNION ALL SELECT asked_at FROM registry_rests)
    WHERE asked_at > ? AND asked_at <= ?`;
  return db.raw.query<{ asked: number }, [number, number]>(sql).get(since, now)?.asked ?? 0;
}
