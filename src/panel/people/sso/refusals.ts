import { createLimiter } from "../../../kernel/http/limit.ts";
import type { Measure } from "../../../kernel/prometheus.ts";
import type { Clock } from "../../../lib/clock.ts";
import { hours } from "../../../lib/duration.ts";
import type { RefusalCause } from "./contract.ts";

/** How much of what strangers do at one connector is written down in an hour. */
const WRITTEN_AN_HOUR = 100;
/** How many new people a provider may bring in an hour: a whole company on its first morning, but no flood. */
const JOINED_AN_HOUR = 1_000;

/** Counts who was let in and who was not. */
export interface Refusals {
  count(result: RefusalCause | "let_in"): void;
  /** False once enough of a connector was written down; what is counted is not bounded by it. */
  mayWrite(connectorId: string): boolean;
  /** False once too many people became members of a workspace by its provider within an hour. */
  mayJoin(tenantId: string): boolean;
  measure(): Measure;
}

/** Counts from nothing: a restart begins anew, as counters do. */
export function createRefusals(clock: Clock): Refusals {
  const counts = new Map<string, number>();
  const joined = createLimiter(clock, JOINED_AN_HOUR, hours(1));
  const written = createLimiter(clock, WRITTEN_AN_HOUR, hours(1));
  return {
    count: (result) => void counts.set(result, (counts.get(result) ?? 0) + 1),
    mayWrite: (connectorId) => written.take(connectorId) === 0,
    mayJoin: (tenantId) => joined.take(tenantId) === 0,
    measure: () => ({
      name: "orrery_panel_sso_sign_ins_total",
      help: "Sign-ins through providers of workspaces, by what became of them",
      type: "counter",
      figures: [...counts].map(([result, value]) => ({ labels: { result }, value })),
    }),
  };
}
