/** Audit log: reading what was done in a workspace, for those who manage its people. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { auditLogRoutes } from "./routes.ts";

export const auditLog = defineFeature<PanelContext>({
  name: "audit-log",
  requires: ["audit", "tenants", "sessions", "nodes"],
  errors: fail.table,
  routes: auditLogRoutes,
});
