/** Fleet records: how every fleet stood, hour by hour, and its processor use, for comparisons and charts. */
import { minutes } from "../../../lib/duration.ts";
import { defineContextFeature } from "../../context.ts";
import init from "./migrations/0001_fleet_records.sql" with { type: "text" };
import { createSnapshots, recordCpu } from "./record.ts";

export { cpuNow } from "./measure.ts";
export { MINUTE_MS, QUARTER_MS } from "./record.ts";
export { type CpuPoint, findSnapshot, listCpuPoints, type Snapshot } from "./store.ts";

export const fleetRecords = defineContextFeature({
  name: "fleet-records",
  migrations: [init],
  jobs: (ctx) => [
    { name: "fleet.cpu", everyMs: minutes(1), run: (signal) => recordCpu(ctx, signal) },
    // Asked more often than it acts, so that an hour is not missed by a restart.
    { name: "fleet.snapshots", everyMs: minutes(1), run: createSnapshots(ctx) },
  ],
});
