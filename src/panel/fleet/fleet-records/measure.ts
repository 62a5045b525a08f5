import type { TenantFleet } from "../../agents/live/index.ts";
import { severityOf } from "../fleet/index.ts";
import type { CpuPoint } from "./store.ts";

/** Processor use over the nodes that are heard of, now; null when there is none. */
export function cpuNow(fleet: TenantFleet, at: number): CpuPoint | null {
  const { cpu } = fleet.columns();
  const nodes = fleet.nodes();
  const values = new Float64Array(nodes.length);
  let count = 0;
  for (const { no } of nodes) {
    const value = cpu[no] ?? Number.NaN;
    if (!Number.isNaN(value) && fleet.verdict(no).health !== "offline") values[count++] = value;
  }
  if (count === 0) return null;
  const sorted = values.subarray(0, count).sort();
  return { at, nodes: count, p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}

/** The value that this share of the sorted ones is not above. */
function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** How many nodes are how, by health; a node that never connected counts as offline. */
export function countAll(fleet: TenantFleet) {
  const counts = { total: 0, online: 0, degraded: 0, offline: 0, incidents: 0 };
  for (const { no } of fleet.nodes()) {
    const { health, reasons } = fleet.verdict(no);
    counts.total += 1;
    counts[health] += 1;
    if (reasons.some((reason) => severityOf(reason) !== "info")) counts.incidents += 1;
  }
  return counts;
}
