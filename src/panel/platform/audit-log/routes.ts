import { Elysia } from "elysia";
import { can } from "../../access.ts";
import type { PanelRoutes } from "../../context.ts";
import { AuditPage, AuditQuery } from "./contract.ts";
import { readAudit } from "./logic.ts";

export const auditLogRoutes: PanelRoutes = (ctx) =>
  new Elysia({ prefix: "/api/audit" }).use(ctx.guard).get("/logs", ({ actor, query }) => readAudit(actor, query), {
    access: can("users:manage"),
    query: AuditQuery,
    response: AuditPage,
  });
