import { toIso } from "../../../lib/clock.ts";
import { days, hours } from "../../../lib/duration.ts";
import { versionKey } from "../../../lib/natural-key.ts";
import { sortRange } from "../../../lib/smallest.ts";
import type { TenantFleet } from "../../agents/live/index.ts";
import type { TenantDb } from "../../data/tenant-db.ts";
import {
  FIRST_SILENT,
  figureOf,
  healthyPercent,
  type OpenAlert,
  openAlerts,
  presentAlert,
  STATUSES,
  severityOf,
} from "../fleet/index.ts";
import type { Snapshot } from "../fleet-records/index.ts";
import type { Overview, OverviewRange, TopNode } from "./contract.ts";
import { readCpu } from "./cpu-band.ts";
import type { Needs } from "./needs.ts";
import { countGroups, findMode } from "./store.ts";
import { type FleetView, listTallies, viewFleet } from "./tally.ts";

const DAY_MS = days(1);
/** How far from a day ago a snapshot may be to compare with. */
const TOLERANCE_MS = hours(12);
/** The rank of nodes that were never heard of, or not yet since the panel started. */
const PENDING = STATUSES.indexOf("pending");
const SEVERITIES = ["critical", "warning", "info"] as const;

/** What an overview is asked for. */
export interface OverviewInput {
  range: OverviewRange;
  top: number;
  alerts: number;
}

/** The whole fleet at one look. `now` in milliseconds. */
export async function makeOverview(
  needs: Pick<Needs, "fleet" | "records" | "tenants">,
  db: TenantDb,
  fleet: TenantFleet,
  { range, top, alerts }: OverviewInput,
  now: number,
): Promise<Overview> {
  const [before, groups, mode, points] = [
    await needs.records.findSnapshot(db, now - DAY_MS, TOLERANCE_MS),
    await countGroups(db),
    await findMode(db),
    await readCpu(needs, db, fleet, range, now),
  ];
  const clients = mode === "msp" ? await needs.tenants.countOwnClients(db.tenant_id) : 0;
  await needs.fleet.prepareIndex(fleet, ["id"]);
  const view = viewFleet(fleet, needs.fleet.indexOf(fleet));
  const open = openAlerts(fleet);
  const counted = (name: "total" | "online" | "degraded" | "offline") => ({
    value: view.all[name],
    delta: before && view.all[name] - before[name],
  });
  return {
    range,
    generated_at: toIso(now),
    healthy_pct: healthyPercent(view.all.online, view.all.total),
    totals: {
      total: counted("total"),
      online: counted("online"),
      degraded: counted("degraded"),
      offline: counted("offline"),
    },
    ...countUnheard(view),
    tenants: mode === "msp" ? clientsOf(clients, before) : groupsOf(groups, before),
    incidents: incidentsOf(open, before),
    newest_version: newestVersion(view),
    cpu: points,
    resources: averages(view),
    top_cpu: busiest(view, top),
    recent_alerts: open.slice(0, alerts).map((alert) => presentAlert(fleet, alert)),
    open_alerts: open.length,
    regions: listTallies(view).map(({ region, tally }) => ({ region, ...tally })),
  };
}

/** Of those that are pending: who never connected, and who was not heard yet since the panel started. */
function countUnheard({ fleet, index, status }: FleetView): Pick<Overview, "never_connected" | "not_yet_heard"> {
  const { last_seen } = fleet.columns();
  const counts = { never_connected: 0, not_yet_heard: 0 };
  for (let position = 0; position < index.size; position++) {
    if (status[position] !== PENDING) continue;
    counts[last_seen[index.no[position] ?? -1] ? "not_yet_heard" : "never_connected"] += 1;
  }
  return counts;
}

/** Clients without nodes are clients too. */
function clientsOf(value: number, before: Snapshot | null): Overview["tenants"] {
  return { value, delta: before && value - before.clients, kind: "clients" };
}

function groupsOf(value: number, before: Snapshot | null): Overview["tenants"] {
  return { value, delta: before && value - before.node_groups, kind: "groups" };
}

/** A node with something worse than a note is one incident. */
function incidentsOf(open: readonly OpenAlert[], before: Snapshot | null): Overview["incidents"] {
  const severities = new Set(open.map(({ reason }) => severityOf(reason)));
  const nodes = new Set(open.filter(({ reason }) => severityOf(reason) !== "info").map(({ facts }) => facts.no));
  return {
    open: nodes.size,
    delta: before && nodes.size - before.incidents,
    max_severity: SEVERITIES.find((severity) => severities.has(severity)) ?? null,
  };
}

function newestVersion({ index }: FleetView): Overview["newest_version"] {
  const codes = index.code("version").subarray(0, index.size);
  const counts = new Map<number, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  const names = index.names("version");
  let newest: { version: string; key: string; count: number } | null = null;
  for (const [code, count] of counts) {
    const version = names.nameOf(code);
    const key = versionKey(version);
    if (!newest || key > newest.key) newest = { version, key, count };
  }
  return { version: newest?.version ?? null, count: newest?.count ?? 0, total: index.size };
}

/** Means over the nodes that are heard of; a figure that a node does not measure is left out. */
function averages({ fleet, index, status }: FleetView): Overview["resources"] {
  const { cpu, memory, disk } = fleet.columns();
  const columns = [cpu, memory, disk];
  const sums = [0, 0, 0];
  const counts = [0, 0, 0];
  let nodes = 0;
  for (let position = 0; position < index.size; position++) {
    if ((status[position] ?? 0) >= FIRST_SILENT) continue;
    nodes += 1;
    const no = index.no[position] ?? -1;
    for (const [column, values] of columns.entries()) {
      const value = values[no] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      sums[column] = (sums[column] ?? 0) + value;
      counts[column] = (counts[column] ?? 0) + 1;
    }
  }
  const [avg_cpu = null, avg_mem = null, avg_disk = null] = sums.map((sum, column) =>
    figureOf(sum / (counts[column] || Number.NaN)),
  );
  return { avg_cpu, avg_mem, avg_disk, nodes };
}

/** The nodes with the busiest processors, the busiest first. */
function busiest({ fleet, index, status }: FleetView, top: number): TopNode[] {
  const { cpu, memory, disk } = fleet.columns();
  const keys = new Float64Array(index.size);
  const heard: number[] = [];
  for (let position = 0; position < index.size; position++) {
    const value = cpu[index.no[position] ?? -1] ?? Number.NaN;
    if ((status[position] ?? 0) >= FIRST_SILENT || Number.isNaN(value)) continue;
    keys[position] = -value;
    heard.push(position);
  }
  const positions = Uint32Array.from(heard);
  sortRange(positions, keys, index.rank("id"), 0, top);
  return [...positions.subarray(0, top)].flatMap((position) => {
    const facts = index.facts[position];
    if (!facts) return [];
    return {
      id: facts.id,
      hostname: facts.hostname,
      region: facts.region || null,
      status: fleet.verdict(facts.no).status,
      cpu_percent: figureOf(cpu[facts.no] ?? Number.NaN) ?? 0,
      memory_percent: figureOf(memory[facts.no] ?? Number.NaN),
      disk_percent: figureOf(disk[facts.no] ?? Number.NaN),
    };
  });
}
