/** Audit log: reading what was done in a workspace, for those who manage its people. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { bindAuditLogRoutes } from "./routes.ts";

export const auditLogFeature = defineFeature({ name: "audit-log", errors: fail.table });

export const createAuditLog = (needs: Needs): Part => ({
  feature: auditLogFeature,
  routes: [bindAuditLogRoutes(needs)],
});
