import type { SystemDb, SystemTx } from "../../../data/tenant-db.ts";

/** Writes down that an assertion is taken; false when it was taken before. */
export async function takeAssertion(
  tx: SystemTx,
  of: { tenant_id: string; connector_id: string; hash: string },
  expiresAt: number,
): Promise<boolean> {
  const taken = await tx.run(
    `INSERT INTO sso_assertions (tenant_id, connector_id, hash, expires_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (tenant_id, connector_id, hash) DO NOTHING`,
    [of.tenant_id, of.connector_id, of.hash, expiresAt],
  );
  return taken === 1;
}

/** Forgets assertions that nobody can bring again. */
export async function forgetAssertions(db: SystemDb, now: number): Promise<void> {
  await db.tx((tx) => tx.run("DELETE FROM sso_assertions WHERE expires_at < ?", [now]));
}
