import { toIso } from "../../../lib/clock.ts";
import type { NodeFacts, Reason, TenantFleet } from "../../agents/live/index.ts";
import { sayAlert } from "./alert-words.ts";
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
/** An alert before it is told: who, why, and since when (milliseconds). */
export interface OpenAlert {
  facts: NodeFacts;
  reason: Reason;
  at: number;
}

/** Everything that is wrong with a node now. */
export function alertsOf(fleet: TenantFleet, facts: NodeFacts): OpenAlert[] {
  // That nobody knows yet is no alarm.
  const reasons = fleet.verdict(facts.no).reasons.filter((reason) => reason !== "not_yet_heard");
  return reasons.map((reason) => ({ facts, reason, at: fleet.since(facts.no, reason) }));
}

/** Everything that is wrong with the fleet now, newest first. */
export function openAlerts(fleet: TenantFleet): OpenAlert[] {
  const open: OpenAlert[] = [];
  for (const facts of fleet.nodes()) open.push(...alertsOf(fleet, facts));
  return open.sort((a, b) => b.at - a.at || (a.facts.id < b.facts.id ? -1 : 1));
}

/** The severity of a reason. */
export const severityOf = (reason: Reason): Severity => SEVERITIES[reason];

/** What an alert is about in numbers, a whole share in percent or how many apps; 0 for a reason that has none. */
export function alertFigure(fleet: TenantFleet, { facts, reason }: OpenAlert): number {
  const { cpu, memory, disk } = fleet.figures(facts.no);
  if (reason === "app_failed") return (fleet.get(facts.id) ?? facts).failed_apps;
  const shares: Partial<Record<Reason, number>> = { cpu_high: cpu, mem_high: memory, disk_high: disk };
  return Math.round(shares[reason] ?? 0);
}

/** An alert as the API shows one. */
export function presentAlert(fleet: TenantFleet, alert: OpenAlert): FleetAlert {
  const { facts, reason, at } = alert;
  const now = fleet.get(facts.id) ?? facts;
  return {
    id: `${facts.id}:${reason}`,
    kind: reason === "heartbeat_missing" || reason === "never_connected" ? "node.offline" : "node.degraded",
    severity: severityOf(reason),
    title: sayAlert("en", now.hostname, reason, alertFigure(fleet, alert)),
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
