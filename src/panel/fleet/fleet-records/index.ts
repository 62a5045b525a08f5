/** Fleet records: how every fleet stood, hour by hour, and its processor use, for comparisons and charts. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { minutes } from "../../../lib/duration.ts";
import type { TenantDb } from "../../data/tenant-db.ts";
import init from "./migrations/0001_fleet_records.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { createSnapshots, measureFleets, recordCpu } from "./record.ts";
import { type CpuPoint, findSnapshot, listCpuPoints, type Snapshot } from "./store.ts";

export { cpuNow } from "./measure.ts";
export { MINUTE_MS, QUARTER_MS } from "./record.ts";
export type { CpuPoint, Snapshot } from "./store.ts";

export const fleetRecordsFeature = defineFeature({ name: "fleet-records", migrations: [init] });

export interface FleetRecords extends Part {
  /** The workspace's snapshot nearest to `at` that is at most `within` away (milliseconds); null when there is none. */
  findSnapshot(db: TenantDb, at: number, within: number): Promise<Snapshot | null>;
  /** The workspace's processor use from `from` on (milliseconds), oldest first. */
  listCpuPoints(db: TenantDb, spanMs: number, from: number): Promise<CpuPoint[]>;
}

export function createFleetRecords(needs: Needs): FleetRecords {
  needs.lists.measures.add(() => measureFleets(needs));
  return {
    feature: fleetRecordsFeature,
    jobs: [
      { name: "fleet.cpu", everyMs: minutes(1), run: (signal) => recordCpu(needs, signal) },
      // Asked more often than it acts, so that an hour is not missed by a restart.
      { name: "fleet.snapshots", everyMs: minutes(1), run: createSnapshots(needs) },
    ],
    ...{ findSnapshot, listCpuPoints },
  };
}
