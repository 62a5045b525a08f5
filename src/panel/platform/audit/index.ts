/** Audit: who did what in a workspace, written together with it. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { days, hours } from "../../../lib/duration.ts";
import type { SystemTx, TenantTx } from "../../data/tenant-db.ts";
import { type Acts, createActs } from "./acts.ts";
import init from "./migrations/0001_audit.sql" with { type: "text" };
import byTime from "./migrations/0002_audit_by_time.sql" with { type: "text" };
import byAge from "./migrations/0003_audit_by_age.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { recordEvent } from "./record.ts";
import { deleteBefore, isAudited, isAuditedHere } from "./store.ts";

export type { Acts } from "./acts.ts";

export const auditFeature = defineFeature({ name: "audit", migrations: [init, byTime, byAge] });

export interface Audit extends Part {
  /** True when the workspace's log names the member for more than what they did with their own account. */
  isAudited(tx: SystemTx, tenantId: string, memberId: string): Promise<boolean>;
  /** The same, asked by the workspace itself. */
  isAuditedHere(tx: TenantTx, memberId: string): Promise<boolean>;
  acts: Acts;
}

/** Entries that go in one transaction, so that nobody waits for a year of them. */
const BATCH = 1_000;

/** Since when entries are kept, milliseconds. */
export const keptSince = ({ clock, config }: Pick<Needs, "clock" | "config">): number =>
  clock.now() - days(config.audit_days);

/** Forgets what is older than the log is kept. */
async function forgetOld(needs: Needs, signal: AbortSignal): Promise<void> {
  const before = keptSince(needs);
  while (!signal.aborted && (await deleteBefore(needs.system, before, BATCH)) === BATCH);
}

/** A log of what events mean, which begins with `subscribe`. */
export function createAudit(needs: Needs): Audit {
  const acts = createActs(needs.clock);
  return {
    feature: auditFeature,
    jobs: [{ name: "audit.forget", everyMs: hours(1), run: (signal) => forgetOld(needs, signal) }],
    ...{ isAudited, isAuditedHere, acts },
    subscribe: () => void needs.bus.onEmit((tx, name, event) => recordEvent({ ...needs, acts }, tx, name, event)),
  };
}
