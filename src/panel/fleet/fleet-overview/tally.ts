import type { TenantFleet } from "../../agents/live/index.ts";
import { type NodeIndex, readStatuses } from "../fleet/index.ts";
import type { Region, RegionTally } from "./contract.ts";

/** Counts of a region, or of all. */
export type Tally = Omit<RegionTally, "region">;

/** A look at every node, shared by what is made of it. */
export interface FleetView {
  fleet: TenantFleet;
  index: NodeIndex;
  /** The rank of each node's status, by position. */
  status: Uint8Array;
  all: Tally;
  /** By region code. */
  regions: Map<number, Tally>;
}

const STATUS_NAMES = ["online", "degraded", "offline", "offline"] as const;

/** Looks at every node; one that never connected counts as offline. */
export function viewFleet(fleet: TenantFleet, index: NodeIndex): FleetView {
  const status = readStatuses(fleet, index);
  const codes = index.code("region");
  const all: Tally = { total: 0, online: 0, degraded: 0, offline: 0 };
  const regions = new Map<number, Tally>();
  for (let position = 0; position < index.size; position++) {
    const code = codes[position] ?? 0;
    let tally = regions.get(code);
    if (!tally) {
      tally = { total: 0, online: 0, degraded: 0, offline: 0 };
      regions.set(code, tally);
    }
    const name = STATUS_NAMES[status[position] ?? 0] ?? "online";
    tally[name] += 1;
    tally.total += 1;
    all[name] += 1;
    all.total += 1;
  }
  return { fleet, index, status, all, regions };
}

/** Regions by name with their codes; the nodes without one come last, as `unknown`. */
export function listTallies({ index, regions }: FleetView): { code: number; region: string; tally: Tally }[] {
  const names = index.names("region");
  return [...regions]
    .map(([code, tally]) => ({ code, region: code === 0 ? "unknown" : names.nameOf(code), tally }))
    .sort((a, b) => Number(a.code === 0) - Number(b.code === 0) || (a.region < b.region ? -1 : 1));
}

/** The regions in which nodes are, with their counts. */
export function listRegions(fleet: TenantFleet, index: NodeIndex): Region[] {
  return listTallies(viewFleet(fleet, index)).map(({ region, tally }) => ({ region, ...tally, nodes: tally.total }));
}
