import { sortRange } from "../../../lib/smallest.ts";
import { inventoryOf } from "../../../shared/agent-protocol/index.ts";
import type { TenantFleet } from "../../agents/live/index.ts";
import type { FleetHealth, Summary } from "./contract.ts";
import { STATUSES } from "./match.ts";
import type { FleetIndexes } from "./node-index.ts";
import { isoOrNull } from "./present.ts";
import { readStatuses } from "./scan.ts";

const GIB = 2 ** 30;
/** How many of the nodes that are not online are told one by one. */
const UNHEALTHY_MAX = 200;

/** The fleet in seven numbers. */
export function summarize(fleet: TenantFleet): Summary {
  const summary = { total_instances: 0, healthy: 0, degraded: 0, offline: 0, total_apps: 0, total_cpu_cores: 0 };
  let memory = 0;
  for (const { no, apps, inventory } of fleet.nodes()) {
    const { health } = fleet.verdict(no);
    summary.total_instances += 1;
    summary[health === "online" ? "healthy" : health] += 1;
    summary.total_apps += apps.length;
    summary.total_cpu_cores += inventoryOf.cpu_cores(inventory) ?? 0;
    memory += inventoryOf.memory_bytes(inventory) ?? 0;
  }
  return { ...summary, total_memory_gb: Math.round((memory / GIB) * 10) / 10 };
}

/** How many nodes are well, what ails the others, and which ones they are. */
export async function assessHealth({ indexOf, prepareIndex }: FleetIndexes, fleet: TenantFleet): Promise<FleetHealth> {
  await prepareIndex(fleet, ["id"]);
  const index = indexOf(fleet);
  const status = readStatuses(fleet, index);
  const counts = new Uint32Array(STATUSES.length);
  const reasons = new Map<string, number>();
  const unhealthy: number[] = [];
  const worst = new Float64Array(index.size);
  for (const [position, rank] of status.entries()) {
    counts[rank] = (counts[rank] ?? 0) + 1;
    if (rank === 0) continue;
    worst[position] = -rank;
    unhealthy.push(position);
    for (const reason of fleet.verdict(index.no[position] ?? -1).reasons)
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const positions = Uint32Array.from(unhealthy);
  sortRange(positions, worst, index.rank("id"), 0, UNHEALTHY_MAX);
  const [online = 0, degraded = 0, offline = 0, pending = 0] = counts;
  return {
    total: index.size,
    healthy_pct: healthyPercent(online, index.size),
    status: { online, degraded, offline, pending },
    reasons: Object.fromEntries(reasons),
    unhealthy: [...positions.subarray(0, UNHEALTHY_MAX)].flatMap((position) => {
      const facts = index.facts[position];
      if (!facts) return [];
      const verdict = fleet.verdict(facts.no);
      return {
        id: facts.id,
        hostname: facts.hostname,
        status: verdict.status,
        health: verdict.health,
        degraded_reasons: [...verdict.reasons],
        region: facts.region || null,
        last_heartbeat: isoOrNull(fleet.figures(facts.no).last_seen),
      };
    }),
  };
}

/** Percent with one digit; a fleet with a single bad node is never at 100. Null for an empty fleet. */
export function healthyPercent(online: number, total: number): number | null {
  return total === 0 ? null : Math.floor((online / total) * 1_000) / 10;
}
