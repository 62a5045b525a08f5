import type { TenantDb, TenantTx } from "../../data/tenant-db.ts";
import { isLanguage } from "../../languages.ts";
import type { Mode } from "../tenants/contract.ts";
import type { ModeState, WorkspaceSettings } from "./contract.ts";

/** The workspace's settings; null when it is gone. */
export async function findSettings(db: TenantDb | TenantTx): Promise<WorkspaceSettings | null> {
  const row = await db.get<
    Record<Exclude<keyof WorkspaceSettings, "language">, number | null> & { language: string | null }
  >("SELECT require_2fa, record_terminal_sessions, agent_auto_update, language FROM tenants WHERE tenant_id = :tenant");
  return (
    row && {
      require_2fa: row.require_2fa === 1,
      record_terminal_sessions: row.record_terminal_sessions === 1,
      agent_auto_update: row.agent_auto_update === null ? null : row.agent_auto_update === 1,
      language: isLanguage(row.language) ? row.language : null,
    }
  );
}

/** True when somebody who owns the workspace has a second factor. */
export async function hasOwnerWithFactor(tx: TenantTx): Promise<boolean> {
  const row = await tx.get(
    `SELECT 1 AS one FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.tenant_id = :tenant
     AND m.role = 'org_owner' AND m.status = 'active' AND a.has_factor = 1 LIMIT 1`,
  );
  return row !== null;
}

export async function updateSettings(tx: TenantTx, settings: WorkspaceSettings): Promise<void> {
  const { agent_auto_update } = settings;
  await tx.run(
    `UPDATE tenants SET require_2fa = ?, record_terminal_sessions = ?, agent_auto_update = ?, language = ?
     WHERE tenant_id = :tenant`,
    [
      Number(settings.require_2fa),
      Number(settings.record_terminal_sessions),
      agent_auto_update === null ? null : Number(agent_auto_update),
      settings.language,
    ],
  );
}

export async function findMode(db: TenantDb | TenantTx): Promise<ModeState | null> {
  const row = await db.get<{ mode: Mode; mode_chosen: number }>(
    "SELECT mode, mode_chosen FROM tenants WHERE tenant_id = :tenant",
  );
  return row && { mode: row.mode, chosen: row.mode_chosen === 1 };
}

export async function updateMode(tx: TenantTx, mode: Mode): Promise<void> {
  await tx.run("UPDATE tenants SET mode = ?, mode_chosen = 1 WHERE tenant_id = :tenant", [mode]);
}
