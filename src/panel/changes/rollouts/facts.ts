import { minutes } from "../../../lib/duration.ts";
import type { NodeFacts, TenantFleet } from "../../agents/live/index.ts";
import type { Facts, NodeFact, Outcome } from "./engine/model.ts";
import type { ErrorSamples } from "./error-samples.ts";
import type { FollowedRow } from "./store.ts";

/** What became of a command, from its stored status. */
function outcomeOf(status: string | null): Outcome {
  if (status === "succeeded") return "succeeded";
  if (status === "failed" || status === "refused") return "failed";
  return status === null || status === "cancelled" ? "none" : "open";
}

/** Whether a node is there now: heard, and lately. */
export function isOnline(fleet: TenantFleet, { no }: Pick<NodeFacts, "no">): boolean {
  const { status } = fleet.verdict(no);
  return status === "online" || status === "degraded";
}

/** What is known of a rollout's nodes at this moment; what they tell of failed requests is kept in `errors`. */
export function readFacts(
  fleet: TenantFleet,
  rolloutId: string,
  rows: readonly FollowedRow[],
  errors: ErrorSamples,
  world: Omit<Facts, "node">,
): Facts {
  const byId = new Map(rows.map((row) => [row.node_id, row]));
  const known = new Map<string, NodeFact | null>();
  const read = (id: string): NodeFact | null => {
    const row = byId.get(id);
    const node = fleet.get(id);
    if (!row || !node) return null;
    return {
      is_online: isOnline(fleet, node),
      last_seen: fleet.figures(node.no).last_seen,
      version: node.version,
      forward: outcomeOf(row.forward),
      forward_error: row.forward_error,
      revert: outcomeOf(row.revert),
      revert_error: row.revert_error,
      cpu: row.state === "done" ? cpuOf(fleet, node.no) : [],
      error_rate: row.state === "done" ? errors.note(rolloutId, node.no, fleet.figures(node.no)) : [],
    };
  };
  return {
    ...world,
    node(id) {
      const found = known.get(id);
      if (found !== undefined) return found;
      const fact = read(id);
      known.set(id, fact);
      return fact;
    },
  };
}

/** One point for each minute of the last hour; a minute counts as measured at its end. */
function cpuOf(fleet: TenantFleet, no: number): NodeFact["cpu"] {
  const { t, cpu } = fleet.lastHour(no);
  return t.flatMap((at, index) => {
    const value = cpu[index] ?? Number.NaN;
    return Number.isNaN(value) ? [] : [{ t: Math.min(at + minutes(1), fleet.figures(no).last_seen), value }];
  });
}
