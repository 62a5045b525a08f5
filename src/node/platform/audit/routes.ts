import { setImmediate } from "node:timers/promises";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { NodeBase } from "../../base.ts";
import { bindRoutes } from "../../route.ts";
import { checkChain } from "./chain.ts";
import { auditRoutes } from "./contract.ts";
import { readAuditLog } from "./logic.ts";

/** What answers the routes of the audit log. */
export const bindAuditRoutes = (needs: NodeBase): BoundRoutes =>
  bindRoutes(auditRoutes, {
    "GET /api/audit/logs": ({ query }) => readAuditLog(needs, query),
    "GET /api/audit/check": () => checkChain(needs, setImmediate),
  });
