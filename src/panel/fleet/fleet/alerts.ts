import { toIso } from "../../../lib/clock.ts";
import type { NodeFacts, NodeFigures, Reason, TenantFleet } from "../../agents/live/index.ts";
import type { FleetAlert, FleetAlerts, Severity } from "./contract.ts";

const SEVERITIES: Record<Reason, Severity> = {
  heartbeat_missing: "critical",
  agent_critical: "critical",
  heartbeat_late: "warning",
  cpu_high: "warning",
  mem_high: "warning",
  disk_high: "warning",
  app_failed: "warning",
  never_connected: "info",
  not_yet_heard: "info",
};
const WORDS: Record<Reason, (figures: NodeFigures, facts: NodeFacts) => string> = {
  heartbeat_missing: () => "is offline",
  agent_critical: () => "calls itself critical",
  heartbeat_late: () => "reports late",
  cpu_high: ({ cpu }) => `uses ${Math.round(cpu)}% of its processor`,
  mem_high: ({ memory }) => `uses ${Math.round(memory)}% of its memory`,
  disk_high: ({ disk }) => `uses ${Math.round(disk)}% of its disk`,
  app_failed: (_, { failed_apps }) => (failed_apps === 1 ? "has a failed app" : `has ${failed_apps} failed apps`),
  never_connected: () => "has never connected",
  not_yet_heard: () => "was not heard yet since the panel started",
};

/** An alert before it is told: who, why, and since when (milliseconds). */
export interface OpenAlert {
  facts: NodeFacts;
  reason: Reason;
  at: number;
}

/** Everything that is wrong with the fleet now, newest first. */
export function openAlerts(fleet: TenantFleet): OpenAlert[] {
  const open: OpenAlert[] = [];
  for (const facts of fleet.nodes()) {
    const { reasons } = fleet.verdict(facts.no);
    for (const reason of reasons) {
      // That nobody knows yet is no alarm.
      if (reason !== "not_yet_heard") open.push({ facts, reason, at: fleet.since(facts.no, reason) });
    }
  }
  return open.sort((a, b) => b.at - a.at || (a.facts.id < b.facts.id ? -1 : 1));
}

/** The severity of a reason. */
export const severityOf = (reason: Reason): Severity => SEVERITIES[reason];

/** An alert as the API shows one. */
export function presentAlert(fleet: TenantFleet, { facts, reason, at }: OpenAlert): FleetAlert {
  const now = fleet.get(facts.id) ?? facts;
  return {
    id: `${facts.id}:${reason}`,
    kind: reason === "heartbeat_missing" || reason === "never_connected" ? "node.offline" : "node.degraded",
    severity: severityOf(reason),
    title: `${now.hostname} ${WORDS[reason](fleet.figures(facts.no), now)}`,
    rule: reason,
    status: "open",
    instance_id: facts.id,
    hostname: now.hostname,
    at: toIso(at),
  };
}

/** The newest alerts, and how many there are. */
export function listAlerts(fleet: TenantFleet, limit: number): FleetAlerts {
  const open = openAlerts(fleet);
  return { alerts: open.slice(0, limit).map((alert) => presentAlert(fleet, alert)), total: open.length };
}
