import type { SystemDb, SystemTx, TenantDb } from "../../data/tenant-db.ts";
import type { NodeState } from "./contract.ts";
import { SETTLED } from "./engine/model.ts";

/** How many nodes of a stage are in one state. */
export interface StageCount {
  rollout_id: string;
  stage: number;
  state: NodeState;
  count: number;
}

/** When a stage began last. */
export interface StageStart {
  rollout_id: string;
  stage: number;
  at: number;
}

/** Counts the nodes of one rollout after some of them changed, so that nobody who reads has to. */
export async function countAnew(tx: SystemTx, tenantId: string, id: string): Promise<void> {
  await tx.run("DELETE FROM rollout_counts WHERE tenant_id = ? AND rollout_id = ?", [tenantId, id]);
  await tx.run(
    `INSERT INTO rollout_counts (tenant_id, rollout_id, stage, state, count)
     SELECT tenant_id, rollout_id, stage, state, count(*) FROM rollout_nodes WHERE tenant_id = ? AND rollout_id = ?
     GROUP BY tenant_id, rollout_id, stage, state`,
    [tenantId, id],
  );
}

/** A stage of a rollout began, for the first time or again. */
export async function noteStageStart(
  tx: SystemTx,
  tenantId: string,
  id: string,
  { stage, at }: { stage: number; at: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO rollout_stage_starts (tenant_id, rollout_id, stage, at) VALUES (?, ?, ?, ?)
     ON CONFLICT (tenant_id, rollout_id, stage) DO UPDATE SET at = excluded.at`,
    [tenantId, id, stage, at],
  );
}

/** How many nodes of each stage are in which state, of rollouts between two ids. */
export function countNodes(db: TenantDb, fromId: string, toId: string): Promise<StageCount[]> {
  return db.all(
    `SELECT rollout_id, stage, state, count FROM rollout_counts
     WHERE tenant_id = :tenant AND rollout_id >= ? AND rollout_id <= ?`,
    [fromId, toId],
  );
}

const SETTLED_STATES = [...SETTLED].map((state) => `'${state}'`).join(", ");

/** Whether a rollout waits for any of its nodes. */
export async function isUnderWay(from: SystemDb | SystemTx, tenantId: string, id: string): Promise<boolean> {
  const row = await from.get(
    `SELECT 1 AS found FROM rollout_counts WHERE tenant_id = ? AND rollout_id = ? AND state NOT IN (${SETTLED_STATES}) LIMIT 1`,
    [tenantId, id],
  );
  return row !== null;
}

/** When stages began last, of rollouts between two ids. */
export function listStageStarts(db: TenantDb, fromId: string, toId: string): Promise<StageStart[]> {
  return db.all(
    `SELECT rollout_id, stage, at FROM rollout_stage_starts
     WHERE tenant_id = :tenant AND rollout_id >= ? AND rollout_id <= ?`,
    [fromId, toId],
  );
}
