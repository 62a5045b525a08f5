import { toIso } from "../../../lib/clock.ts";
import { inventoryOf } from "../../../shared/agent-protocol/index.ts";
import type { NodeFacts, TenantFleet } from "../../agents/live/index.ts";
import type { TenantDb } from "../../data/tenant-db.ts";
import { nodePlanOf, planOf } from "../../plans.ts";
import type { InstanceDetail, NodeFactSheet } from "./contract.ts";
import { presentLastHour } from "./metrics.ts";
import { figureOf, isoOrNull, presentInstance } from "./present.ts";
import { findGroupName, findPlan } from "./store.ts";

/** Everything about one node. `now` in milliseconds. */
export async function describeInstance(
  db: TenantDb,
  fleet: TenantFleet,
  facts: NodeFacts,
  now: number,
): Promise<InstanceDetail> {
  const group = facts.group_id === null ? null : await findGroupName(db, facts.group_id);
  const plan = await findPlan(db);
  // What the node told while the database answered counts.
  const latest = fleet.get(facts.id) ?? facts;
  return {
    instance: presentInstance(fleet, latest),
    facts: {
      ...inventoryPart(latest),
      ...livePart(fleet, latest, now),
      agent_version: latest.version,
      region: latest.region || null,
      zone: latest.zone,
      cloud_provider: latest.cloud_provider,
      ip_address: latest.ip_address,
      public_ip: latest.public_ip,
      ip_addresses: [...latest.ip_addresses],
      tenant: latest.client_id === null ? null : { id: latest.client_id, name: latest.client_name },
      group: latest.group_id === null || group === null ? null : { id: latest.group_id, name: group },
      tags: [...latest.tags],
      registered_at: toIso(latest.registered_at),
      first_seen_at: isoOrNull(latest.first_seen_at),
      certificate_expires_at: toIso(latest.certificate_end),
      license_plan: nodePlanOf(planOf(plan)),
    },
    apps: latest.apps.map((app) => ({ ...app })),
    metrics: presentLastHour(fleet, latest.no),
  };
}

function inventoryPart({
  inventory,
}: NodeFacts): Pick<
  NodeFactSheet,
  "os" | "kernel" | "cpu_model" | "cpu_cores" | "memory_bytes" | "disk_bytes" | "boot_time" | "cluster"
> {
  const cluster = inventoryOf.cluster(inventory);
  return {
    os: inventoryOf.os(inventory),
    kernel: inventoryOf.kernel(inventory),
    cpu_model: inventoryOf.cpu_model(inventory),
    cpu_cores: inventoryOf.cpu_cores(inventory),
    memory_bytes: inventoryOf.memory_bytes(inventory),
    disk_bytes: inventoryOf.disk_bytes(inventory),
    boot_time: inventoryOf.boot_time(inventory),
    cluster: cluster && {
      id: cluster.id,
      name: cluster.name ?? cluster.id,
      role: cluster.role,
      ip: cluster.ip ?? null,
      term: cluster.term ?? null,
    },
  };
}

function livePart(
  fleet: TenantFleet,
  { id, no }: NodeFacts,
  now: number,
): Pick<NodeFactSheet, "uptime_seconds" | "last_heartbeat" | "last_heartbeat_age_seconds" | "agent_connected"> {
  const { last_seen, uptime_seconds } = fleet.figures(no);
  const { health } = fleet.verdict(no);
  return {
    uptime_seconds: health === "offline" ? null : figureOf(uptime_seconds),
    last_heartbeat: isoOrNull(last_seen),
    last_heartbeat_age_seconds: last_seen === 0 ? null : Math.max(0, Math.round((now - last_seen) / 1_000)),
    agent_connected: fleet.isConnected(id),
  };
}
