import { toIso } from "../../../lib/clock.ts";
import type { NodeFacts, TenantFleet } from "../../agents/live/index.ts";
import type { InstanceMetrics, LastHour, Point } from "./contract.ts";
import { figureOf, isoOrNull } from "./present.ts";

function points(times: readonly number[], values: readonly number[]): Point[] {
  return times.flatMap((time, index) => {
    const value = figureOf(values[index] ?? Number.NaN);
    return value === null ? [] : [{ t: toIso(time), v: value }];
  });
}

/** A node's last hour, a point a minute; what was not measured is left out. */
export function presentLastHour(fleet: TenantFleet, no: number): LastHour {
  const { t, cpu, mem, disk, net_in } = fleet.lastHour(no);
  return { cpu: points(t, cpu), mem: points(t, mem), disk: points(t, disk), net_in: points(t, net_in) };
}

/** What a node measures, now and over the last hour. */
export function presentMetrics(fleet: TenantFleet, { id, no }: NodeFacts): InstanceMetrics {
  const figures = fleet.figures(no);
  const isOffline = fleet.verdict(no).health === "offline";
  const measured = (value: number) => (isOffline ? null : figureOf(value));
  return {
    instance_id: id,
    cpu_percent: measured(figures.cpu),
    memory_percent: measured(figures.memory),
    disk_percent: measured(figures.disk),
    net_in: measured(figures.net_in),
    net_out: measured(figures.net_out),
    uptime_seconds: measured(figures.uptime_seconds),
    last_heartbeat: isoOrNull(figures.last_seen),
    metrics: presentLastHour(fleet, no),
  };
}
