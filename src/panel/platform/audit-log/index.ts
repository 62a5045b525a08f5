/** Audit log: reading what was done in a workspace, for those who manage its people. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { bindAuditLogRoutes } from "./routes.ts";

export const auditLogFeature = defineFeature({ name: "audit-log", errors: fail.table });

export const createAuditLog = (): Part => ({
  feature: auditLogFeature,
  routes: [bindAuditLogRoutes()],
});
