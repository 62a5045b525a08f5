import { setImmediate } from "node:timers/promises";
import type { Measure } from "../../../kernel/prometheus.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import type { TenantFleet } from "../../agents/live/index.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import { countAll, cpuNow } from "./measure.ts";
import type { Needs } from "./needs.ts";
import {
  countClients,
  countGroups,
  deleteCpuBefore,
  deleteSnapshotsBefore,
  insertCpuPoint,
  insertSnapshot,
  listTenants,
  rollUpCpu,
} from "./store.ts";

/** The spans that processor use is kept by. */
export const MINUTE_MS = minutes(1);
export const QUARTER_MS = minutes(15);
const HOUR_MS = hours(1);
const KEEP_MINUTES_MS = hours(7);
const KEEP_QUARTERS_MS = days(8);
const KEEP_SNAPSHOTS_MS = days(8);
/** Fleets that are measured between two transactions. */
const PAGE = 200;

/** Fleets from this size on have their index made ahead. */
const LARGE = 5_000;

type Deps = Pick<Needs, "system" | "live" | "clock">;

/** The fleets of all workspaces that have nodes, page by page. */
async function* fleets(system: SystemDb, live: Deps["live"]): AsyncGenerator<TenantFleet[]> {
  let after = "";
  while (true) {
    const page = await listTenants(system, after, PAGE);
    yield page.map((id) => live.of(id)).filter((fleet) => fleet.nodes().length > 0);
    after = page.at(-1) ?? "";
    if (page.length < PAGE) return;
  }
}

/** Notes every fleet's processor use of this minute, and puts old minutes together. */
export async function recordCpu(
  { system, live, clock, fleet: { prepareIndex } }: Deps & Pick<Needs, "fleet">,
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  const at = now - (now % MINUTE_MS);
  for await (const page of fleets(system, live)) {
    if (signal.aborted) return;
    const points: [string, NonNullable<ReturnType<typeof cpuNow>>][] = [];
    for (const fleet of page) {
      // So that the first list after a start finds the index of a large fleet ready.
      if (fleet.nodes().length >= LARGE) await prepareIndex(fleet, ["id", "host"]);
      const point = cpuNow(fleet, at);
      if (point) points.push([fleet.tenant_id, point]);
      await setImmediate();
    }
    await system.tx(async (tx) => {
      for (const [tenantId, point] of points) await insertCpuPoint(tx, tenantId, MINUTE_MS, point);
    });
  }
  const quarter = at - (at % QUARTER_MS);
  // The last two, for the first minutes of a quarter may have been late for the one before.
  const from = quarter - QUARTER_MS;
  await rollUpCpu(system, { fromSpan: MINUTE_MS, toSpan: QUARTER_MS, from, to: at + MINUTE_MS });
  await deleteCpuBefore(system, MINUTE_MS, at - KEEP_MINUTES_MS);
  await deleteCpuBefore(system, QUARTER_MS, at - KEEP_QUARTERS_MS);
}

/** Notes how every fleet stands, once an hour; calls in between do nothing. */
export function createSnapshots({ system, live, clock }: Deps): (signal: AbortSignal) => Promise<void> {
  let done = 0;
  return async (signal) => {
    const now = clock.now();
    const at = now - (now % HOUR_MS);
    if (at === done) return;
    const groups = await countGroups(system);
    const clients = await countClients(system);
    for await (const page of fleets(system, live)) {
      if (signal.aborted) return;
      const snapshots: [string, ReturnType<typeof countAll>][] = [];
      for (const fleet of page) {
        snapshots.push([fleet.tenant_id, countAll(fleet)]);
        await setImmediate();
      }
      await system.tx(async (tx) => {
        for (const [tenantId, counts] of snapshots)
          await insertSnapshot(tx, tenantId, {
            ...{ at, ...counts },
            node_groups: groups.get(tenantId) ?? 0,
            clients: clients.get(tenantId) ?? 0,
          });
      });
    }
    await deleteSnapshotsBefore(system, at - KEEP_SNAPSHOTS_MS);
    done = at;
  };
}

/** How the nodes of all workspaces stand together, for scrapers. */
export async function measureFleets({ system, live }: Pick<Deps, "system" | "live">): Promise<Measure[]> {
  const sums = { online: 0, degraded: 0, offline: 0 };
  for await (const page of fleets(system, live))
    for (const fleet of page) {
      const counts = countAll(fleet);
      for (const health of ["online", "degraded", "offline"] as const) sums[health] += counts[health];
      await setImmediate();
    }
  const figures = Object.entries(sums).map(([health, value]) => ({ labels: { health }, value }));
  return [{ name: "orrery_panel_nodes", help: "Nodes of all workspaces by health", type: "gauge", figures }];
}
