/** Audit log: reading what was done in a workspace, for those who manage its people. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { auditLogRoutes } from "./routes.ts";

export const auditLog = defineContextFeature<PanelContext>({
  name: "audit-log",
  errors: fail.table,
  routes: auditLogRoutes,
});
