import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";
import type { Needs } from "./needs.ts";
import { NO_PASSWORD } from "./store.ts";

const AT_ONCE = 500;

type Queries = Pick<SystemDb | SystemTx, "all">;

/** Accounts that a directory or a workspace's own sign-in made, and whose owner could get nowhere by them; `more` narrows them. */
async function listLost(
  db: Queries,
  { lists }: Pick<Needs, "lists">,
  more: string,
  values: readonly (string | number)[],
): Promise<string[]> {
  const own = lists.accountRemains.all().flatMap(({ needs }) => (needs ? [` AND NOT EXISTS (${needs("a.id")})`] : []));
  const rows = await db.all<{ id: string }>(
    `SELECT a.id FROM accounts a WHERE a.password_hash = '${NO_PASSWORD}' AND a.global_role IS NULL
     AND NOT EXISTS (SELECT 1 FROM members m WHERE m.account_id = a.id)${own.join("")} AND ${more}`,
    [...values],
  );
  return rows.map(({ id }) => id);
}

/**
 * Forgets the accounts that only a directory or a workspace's own sign-in made, once they are in no workspace any more: without that they
 * would pile up with each workspace that is made and deleted. In parts, so that nobody waits for all of them.
 */
export async function forgetAccounts(
  needs: Pick<Needs, "system" | "lists">,
  signal: AbortSignal,
  atOnce = AT_ONCE,
): Promise<void> {
  let after = "";
  while (!signal.aborted) {
    const found = await listLost(needs.system, needs, "a.id > ? ORDER BY a.id LIMIT ?", [after, atOnce]);
    if (found.length > 0) await needs.system.tx((tx) => forget(needs, tx, found));
    after = found.at(-1) ?? after;
    if (found.length < atOnce) return;
  }
}

async function forget({ lists }: Pick<Needs, "lists">, tx: SystemTx, found: readonly string[]): Promise<void> {
  const among = (ids: readonly string[]): string => `id IN (${ids.map(() => "?").join(", ")})`;
  // Somebody may have been let in again meanwhile; from here on nobody is.
  await tx.run(`UPDATE accounts SET email = email WHERE ${among(found)}`, [...found]);
  const lost = await listLost(tx, { lists }, `a.${among(found)}`, found);
  if (lost.length === 0) return;
  for (const { clear } of lists.accountRemains.all()) await clear?.(tx, lost);
  await tx.run(`DELETE FROM accounts WHERE ${among(lost)}`, [...lost]);
}
