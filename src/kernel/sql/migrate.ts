import { sha256Hex } from "../../lib/digest.ts";
import { assertSameHistory, type Migration, MigrationError } from "../db/migrate.ts";
import type { SqlDb, Tx } from "./port.ts";

const LEDGER = `CREATE TABLE IF NOT EXISTS migrations (
  feature TEXT NOT NULL, number INTEGER NOT NULL, sha256 TEXT NOT NULL, applied_at TEXT NOT NULL,
  PRIMARY KEY (feature, number)) STRICT;`;
/** Any number, the same in every panel: only one of several that start together migrates. */
const LOCK = 7_236_101;

/**
 * Applies what is missing, all or nothing, and returns how many ran. `snapshot` is called once before the first change to a
 * database that holds data; `finish` runs in the same transaction as the migrations, after them. Throws MigrationError.
 */
export async function migrateSqlDb(
  db: SqlDb,
  migrations: readonly Migration[],
  nowIso: string,
  snapshot: () => Promise<void>,
  finish: (tx: Tx) => Promise<void>,
): Promise<number> {
  const missing = await db.tx((tx) => findMissing(tx, db.engine, migrations));
  if (missing.length === 0) return 0;
  if (missing.length < migrations.length) await snapshot();
  return db.tx(async (tx) => {
    // Asked again: another panel may have been faster.
    const still = await findMissing(tx, db.engine, migrations);
    for (const item of still) await apply(tx, item, nowIso);
    await finish(tx);
    return still.length;
  });
}

async function findMissing(tx: Tx, engine: SqlDb["engine"], migrations: readonly Migration[]): Promise<Migration[]> {
  if (engine === "postgres") await tx.get("SELECT pg_advisory_xact_lock(?)", [LOCK]);
  await tx.script(LEDGER);
  const applied = await tx.all<{ feature: string; number: number; sha256: string }>(
    "SELECT feature, number, sha256 FROM migrations",
  );
  const known = new Map(applied.map((row) => [`${row.feature}/${row.number}`, row.sha256]));
  assertSameHistory(known, migrations);
  return migrations.filter(({ feature, number }) => !known.has(`${feature}/${number}`));
}

async function apply(tx: Tx, { feature, number, sql }: Migration, nowIso: string): Promise<void> {
  try {
    await tx.script(sql);
    await tx.run("INSERT INTO migrations (feature, number, sha256, applied_at) VALUES (?, ?, ?, ?)", [
      feature,
      number,
      sha256Hex(sql),
      nowIso,
    ]);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(`migration ${feature}/${number} failed, nothing was changed: ${reason}`, { cause });
  }
}
