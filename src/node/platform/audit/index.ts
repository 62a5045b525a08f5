/** Audit: what happened to accounts, sessions and keys, in a log that can only grow and shows when it was tampered with. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { days } from "../../../lib/duration.ts";
import type { NodeBase } from "../../base.ts";
import { appendEntry, type ChainDeps } from "./chain.ts";
import { fail } from "./contract.ts";
import init from "./migrations/0001_audit.sql" with { type: "text" };
import start from "./migrations/0002_audit_start.sql" with { type: "text" };
import { pruneLog } from "./prune.ts";
import { bindAuditRoutes } from "./routes.ts";

export const auditFeature = defineFeature({ name: "audit", migrations: [init, start], errors: fail.table });

/** Puts an event on record, if it is one for the log. For events that nobody emits: of commands beside the running node. */
export function recordEvent(deps: ChainDeps & Pick<NodeBase, "meanings">, name: string, data: object): void {
  const line = deps.meanings.get(name)?.audit?.(data);
  if (line) appendEntry(deps, { action: name, ...line });
}

/** The audit log, which listens to everything. */
export const createAudit = (needs: NodeBase): Part => ({
  feature: auditFeature,
  routes: [bindAuditRoutes(needs)],
  jobs: [{ name: "audit.prune", everyMs: days(1), run: (signal) => pruneLog(needs, signal) }],
  // In the transaction of its cause: what is done is on record, and what was rolled back is not.
  subscribe: () => void needs.bus.onEmit((name, data) => recordEvent(needs, name, data)),
});
