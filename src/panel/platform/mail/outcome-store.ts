import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";
import type { MailOutcome } from "./contract.ts";

/** What became of the last letter to an address; times in milliseconds. `tenant_id` is empty for letters of no workspace. */
export interface OutcomeRow {
  tenant_id: string;
  address: string;
  letter_id: string;
  state: MailOutcome["state"];
  reason: string | null;
  is_unreachable: number;
  queued_at: number;
  at: number;
}

/** The letter that an outcome is of. */
export type OutcomeKey = Pick<OutcomeRow, "tenant_id" | "address" | "letter_id">;

const COLUMNS = "tenant_id, address, letter_id, state, reason, is_unreachable, queued_at, at";
const OF_LETTER = "WHERE tenant_id = ? AND address = ? AND letter_id = ?";
const keyOf = ({ tenant_id, address, letter_id }: OutcomeKey): string[] => [tenant_id, address, letter_id];

/** These columns of `o`, for a statement with `joinOutcome`. */
export const OUTCOME_COLUMNS = `o.state AS mail_state, o.reason AS mail_reason, o.is_unreachable AS mail_unreachable,
  o.queued_at AS mail_queued_at, o.at AS mail_at`;

/** Adds to each row what became of the last letter of its workspace to an address; both are SQL expressions. */
export const joinOutcome = (tenantId: string, address: string): string =>
  `LEFT JOIN mail_outcomes o ON o.tenant_id = ${tenantId} AND o.address = ${address}`;

/** True when nobody has an address, by what letters of a workspace have shown; all are SQL expressions. */
export const isUnreachable = (tenantId: string, address: string): string =>
  `EXISTS (SELECT 1 FROM mail_outcomes o WHERE o.tenant_id = ${tenantId} AND o.address = ${address} AND o.is_unreachable = 1)`;

/**
 * A letter waits from now on. That nobody has the address holds until a letter is taken, and so do the words of the mail server that
 * say so: whatever it says of later letters is less.
 */
export async function beginOutcome(tx: SystemTx, key: OutcomeKey, now: number): Promise<void> {
  await tx.run(
    `INSERT INTO mail_outcomes (${COLUMNS}) VALUES (?, ?, ?, 'waiting', NULL, 0, ?, ?)
     ON CONFLICT (tenant_id, address) DO UPDATE SET letter_id = excluded.letter_id, state = 'waiting',
     reason = CASE WHEN mail_outcomes.is_unreachable = 1 THEN mail_outcomes.reason END,
     queued_at = excluded.queued_at, at = excluded.at`,
    [...keyOf(key), now, now],
  );
}

/** What has become of a letter by now; nothing when a later one went to the same address. */
export async function updateOutcome(
  tx: SystemTx,
  key: OutcomeKey,
  { state, reason, at }: Pick<OutcomeRow, "state" | "reason" | "at">,
): Promise<void> {
  await tx.run(
    `UPDATE mail_outcomes SET state = ?, reason = CASE WHEN is_unreachable = 1 THEN reason ELSE ? END, at = ? ${OF_LETTER}`,
    [...[state, reason, at], ...keyOf(key)],
  );
}

/** A letter is of no use any more before anybody took it; the reason stays. */
export async function endOutcome(tx: SystemTx, key: OutcomeKey, at: number): Promise<void> {
  await tx.run(`UPDATE mail_outcomes SET state = 'given_up', at = ? ${OF_LETTER}`, [at, ...keyOf(key)]);
}

/** There was no reason for the letter after all. */
export async function deleteOutcome(tx: SystemTx, key: OutcomeKey): Promise<void> {
  await tx.run(`DELETE FROM mail_outcomes ${OF_LETTER}`, keyOf(key));
}

/** Nobody has the address, as a letter of a workspace has shown, or one of no workspace. */
export async function markUnreachable(
  tx: SystemTx,
  { tenant_id, address }: Pick<OutcomeRow, "tenant_id" | "address">,
  reason: string,
): Promise<void> {
  await tx.run("UPDATE mail_outcomes SET is_unreachable = 1, reason = ? WHERE tenant_id = ? AND address = ?", [
    ...[reason, tenant_id, address],
  ]);
}

/** Nobody has the address, as an account's own letter has shown: a workspace that the account is in has tried none itself. */
export async function tellUnreachable(
  tx: SystemTx,
  { tenant_id, address, letter_id, reason, at }: OutcomeKey & { reason: string; at: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO mail_outcomes (${COLUMNS}) VALUES (?, ?, ?, 'refused', ?, 1, ?, ?)
     ON CONFLICT (tenant_id, address) DO UPDATE SET reason = excluded.reason, is_unreachable = 1, at = excluded.at,
     state = CASE WHEN mail_outcomes.state = 'waiting' THEN 'waiting' ELSE 'refused' END`,
    [tenant_id, address, letter_id, reason, at, at],
  );
}

/**
 * A letter was taken. One of no workspace was the account's own: the address is good for all of its workspaces again. One of a
 * workspace tells that workspace and the account, and no other workspace.
 */
export async function markReachable(tx: SystemTx, tenantId: string, address: string): Promise<void> {
  if (tenantId === "")
    await tx.run("DELETE FROM mail_outcomes WHERE address = ? AND tenant_id <> '' AND is_unreachable = 1", [address]);
  await tx.run(
    "UPDATE mail_outcomes SET is_unreachable = 0, reason = NULL WHERE tenant_id IN (?, '') AND address = ?",
    [...[tenantId, address]],
  );
}

export function findOutcome(db: SystemDb | SystemTx, tenantId: string, address: string): Promise<OutcomeRow | null> {
  return db.get(`SELECT ${COLUMNS} FROM mail_outcomes WHERE tenant_id = ? AND address = ?`, [tenantId, address]);
}

/** What was not taken, the latest first; of one address alone where one is named. */
export function listUntaken(db: SystemDb, address: string | null, limit: number): Promise<OutcomeRow[]> {
  const which = address === null ? "state <> 'sent'" : "address = ?";
  return db.all(`SELECT ${COLUMNS} FROM mail_outcomes WHERE ${which} ORDER BY at DESC, address, tenant_id LIMIT ?`, [
    ...(address === null ? [] : [address]),
    limit,
  ]);
}

/** How many addresses nobody has. */
export async function countUnreachable(db: SystemDb): Promise<number> {
  const row = await db.get<{ n: number }>(
    "SELECT COUNT(DISTINCT address) AS n FROM mail_outcomes WHERE is_unreachable = 1",
  );
  return Number(row?.n ?? 0);
}

/** Forgets all of an address, so that it is tried anew. Returns how much there was. */
export const forgetAddress = (db: SystemDb, address: string): Promise<number> =>
  db.run("DELETE FROM mail_outcomes WHERE address = ?", [address]);

/** Forgets what is older than `before`, and the oldest beyond `most`. */
export async function deleteOldOutcomes(db: SystemDb, before: number, most: number): Promise<void> {
  await db.run("DELETE FROM mail_outcomes WHERE at < ?", [before]);
  await db.run(
    `DELETE FROM mail_outcomes WHERE at <= (SELECT at FROM mail_outcomes ORDER BY at DESC LIMIT 1 OFFSET ?)`,
    [most],
  );
}
