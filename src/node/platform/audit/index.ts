/** Audit: what happened to accounts, sessions and keys, in a log that can only grow and shows when it was tampered with. */
import { setImmediate } from "node:timers/promises";
import { Elysia, t } from "elysia";
import { defineContextFeature } from "../../../kernel/feature.ts";
import { admin } from "../../access.ts";
import type { NodeContext } from "../../context.ts";
import type { AllMeanings } from "../../event-meaning.ts";
import { appendEntry, type ChainDeps, checkChain } from "./chain.ts";
import { AuditCheck, AuditEntry, AuditQuery, fail } from "./contract.ts";
import { readAuditLog } from "./logic.ts";
import init from "./migrations/0001_audit.sql" with { type: "text" };

/** Puts an event on record, if it is one for the log. For events that nobody emits: of commands beside the running node. */
export function record(deps: ChainDeps & { meanings: AllMeanings }, name: string, data: object): void {
  const line = deps.meanings.get(name)?.audit?.(data);
  if (line) appendEntry(deps, { action: name, ...line });
}

export const audit = defineContextFeature<NodeContext>({
  name: "audit",
  migrations: [init],
  errors: fail.table,
  routes: (ctx) =>
    new Elysia({ prefix: "/api/audit" })
      .use(ctx.guard)
      .get("/logs", ({ query }) => readAuditLog(ctx, query), {
        access: admin("security"),
        query: AuditQuery,
        response: t.Array(AuditEntry),
      })
      .get("/check", () => checkChain(ctx, setImmediate), {
        access: admin("security"),
        response: AuditCheck,
      }),
  subscribe(ctx) {
    // In the transaction of its cause: what is done is on record, and what was rolled back is not.
    ctx.bus.onEmit((name, data) => record(ctx, name, data));
  },
});
