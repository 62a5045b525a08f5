import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";
import { NOTICE_KINDS } from "../../event-meaning.ts";
import { CHOSEN_KINDS } from "./contract.ts";

/** Rows and workspaces that are looked at in one go: whatever else is written waits for its end. */
const AT_ONCE = 1_000;

/** What cannot be switched off, and has a share of its own: nobody's nodes push out what tells of a stranger in an account. */
const ABOUT_SAFETY = NOTICE_KINDS.filter((kind) => !CHOSEN_KINDS.some((chosen) => chosen === kind))
  .map((kind) => `'${kind}'`)
  .join(", ");
const SHARES = [`kind IN (${ABOUT_SAFETY})`, `kind NOT IN (${ABOUT_SAFETY})`];

/**
 * Forgets notifications of before `before` (milliseconds), and of each workspace all but the `keep` newest, and as many of what cannot be
 * switched off, with their marks.
 */
export async function deleteOld(db: SystemDb, before: number, keep: number, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await db.tx((tx) => deleteBefore(tx, before))) === AT_ONCE);
  for (let after = ""; ; ) {
    const page = await db.all<{ tenant_id: string }>(
      "SELECT tenant_id FROM tenants WHERE tenant_id > ? ORDER BY tenant_id LIMIT ?",
      [after, AT_ONCE],
    );
    for (const { tenant_id } of page)
      for (const share of SHARES)
        while (!signal?.aborted && (await db.tx((tx) => deleteSurplus(tx, tenant_id, share, keep))) === AT_ONCE);
    after = page.at(-1)?.tenant_id ?? "";
    if (page.length < AT_ONCE || signal?.aborted) return;
  }
}

/** Deletes the oldest of before a time; gives how many. */
async function deleteBefore(tx: SystemTx, before: number): Promise<number> {
  const old = "SELECT tenant_id, id FROM notifications WHERE created_at < ? ORDER BY created_at, tenant_id, id LIMIT ?";
  await tx.run(`DELETE FROM notification_reads WHERE (tenant_id, notification_id) IN (${old})`, [before, AT_ONCE]);
  return tx.run(`DELETE FROM notifications WHERE (tenant_id, id) IN (${old})`, [before, AT_ONCE]);
}

/** Deletes of a share of a workspace what is beyond the `keep` newest; gives how many. */
async function deleteSurplus(tx: SystemTx, tenantId: string, share: string, keep: number): Promise<number> {
  const surplus = `SELECT id FROM notifications WHERE tenant_id = ? AND ${share} ORDER BY id DESC LIMIT ? OFFSET ?`;
  const rows = await tx.all<{ id: string }>(surplus, [tenantId, AT_ONCE, keep]);
  const [newest, oldest] = [rows[0], rows.at(-1)];
  if (!newest || !oldest) return 0;
  const these = `SELECT id FROM notifications WHERE tenant_id = ? AND id BETWEEN ? AND ? AND ${share}`;
  const values = [tenantId, tenantId, oldest.id, newest.id];
  await tx.run(`DELETE FROM notification_reads WHERE tenant_id = ? AND notification_id IN (${these})`, values);
  return tx.run(`DELETE FROM notifications WHERE tenant_id = ? AND id IN (${these})`, values);
}
