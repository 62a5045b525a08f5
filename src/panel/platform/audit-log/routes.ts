import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { auditLogRoutes } from "./contract.ts";
import { createReader } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of the audit log. */
export function bindAuditLogRoutes(needs: Needs): BoundRoutes {
  const read = createReader(needs);
  return bindRoutes(auditLogRoutes, { "GET /api/audit/logs": ({ actor, query }) => read(actor, query) });
}
