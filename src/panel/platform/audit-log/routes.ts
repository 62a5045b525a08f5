import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { auditLogRoutes } from "./contract.ts";
import { readAudit } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of the audit log. */
export const bindAuditLogRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(auditLogRoutes, {
    "GET /api/audit/logs": ({ actor, query }) => readAudit(needs, actor.db, query),
  });
