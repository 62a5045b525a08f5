/** Audit: who did what in a workspace, written together with it. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { PanelBase } from "../../base.ts";
import type { SystemTx, TenantTx } from "../../data/tenant-db.ts";
import init from "./migrations/0001_audit.sql" with { type: "text" };
import byTime from "./migrations/0002_audit_by_time.sql" with { type: "text" };
import { recordEvent } from "./record.ts";
import { isAudited, isAuditedHere } from "./store.ts";

export const auditFeature = defineFeature({ name: "audit", migrations: [init, byTime] });

export interface Audit extends Part {
  /** True when the workspace's log names the member for more than what they did with their own account. */
  isAudited(tx: SystemTx, tenantId: string, memberId: string): Promise<boolean>;
  /** The same, asked by the workspace itself. */
  isAuditedHere(tx: TenantTx, memberId: string): Promise<boolean>;
}

/** A log of what events mean, which begins with `subscribe`. */
export const createAudit = (needs: PanelBase): Audit => ({
  feature: auditFeature,
  ...{ isAudited, isAuditedHere },
  subscribe: () => void needs.bus.onEmit((tx, name, event) => recordEvent(needs, tx, name, event)),
});
