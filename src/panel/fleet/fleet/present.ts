import { toIso } from "../../../lib/clock.ts";
import type { NodeFacts, TenantFleet } from "../../agents/live/index.ts";
import type { Instance } from "./contract.ts";

/** A time on the wire; 0 and null are never. */
export const isoOrNull = (ms: number | null): string | null => (ms ? toIso(ms) : null);

/** A figure on the wire, two digits after the point; NaN is null. */
export const figureOf = (value: number): number | null => (Number.isNaN(value) ? null : Math.round(value * 100) / 100);

/**
 * A node as lists show it. What a node that is offline measured last is not what it is now: it shows no figures.
 */
export function presentInstance(fleet: TenantFleet, facts: NodeFacts): Instance {
  const { health, status, reasons } = fleet.verdict(facts.no);
  const figures = fleet.figures(facts.no);
  const measured = (value: number) => (health === "offline" ? null : figureOf(value));
  const last_heartbeat = isoOrNull(figures.last_seen);
  return {
    id: facts.id,
    hostname: facts.hostname,
    name: facts.hostname,
    status,
    health,
    degraded_reasons: [...reasons],
    ...(facts.marked_offline ? { marked_offline: true as const } : {}),
    version: facts.version,
    region: facts.region || null,
    region_source: facts.region ? facts.region_source : null,
    zone: facts.zone,
    cloud_provider: facts.cloud_provider,
    ip_address: facts.ip_address,
    public_ip: facts.public_ip,
    ip_addresses: [...facts.ip_addresses],
    cpu_percent: measured(figures.cpu),
    memory_percent: measured(figures.memory),
    disk_percent: measured(figures.disk),
    tags: [...facts.tags],
    group_id: facts.group_id,
    msp_client_id: facts.client_id,
    client_name: facts.client_name,
    uptime_seconds: measured(figures.uptime_seconds),
    apps_count: facts.apps.length,
    failed_apps: facts.failed_apps,
    last_heartbeat,
    last_seen: last_heartbeat,
  };
}
