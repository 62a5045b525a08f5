import type { Clock } from "../../../lib/clock.ts";
import type { SampleReads } from "../samples/port.ts";
import type { Reason } from "./health.ts";
import type { OnsetsOfAll } from "./onsets.ts";
import type { AppReport, TenantFleet } from "./port.ts";
import type { Roster } from "./roster.ts";
import { UNHEARD, type Vitals } from "./vitals.ts";

/** What is kept in memory of all workspaces' nodes. */
export interface LiveMemory {
  roster: Roster;
  vitals: Vitals;
  onsets: OnsetsOfAll;
  clock: Clock;
  samples: SampleReads;
  /** The apps of a node as they were told last; undefined when they were not since the start. */
  latestApps(no: number): readonly AppReport[] | undefined;
  isConnected(nodeId: string): boolean;
}

/** What is counted from the last sign of life. */
const SILENT: ReadonlySet<Reason> = new Set(["heartbeat_late", "heartbeat_missing", "not_yet_heard"]);
const NEVER = Number.MAX_SAFE_INTEGER;

/** The nodes of one workspace, and nobody else's. */
export function tenantFleet(
  { roster, vitals, onsets, clock, samples, latestApps, isConnected }: LiveMemory,
  tenantId: string,
): TenantFleet {
  const own = roster.tenant(tenantId);
  const isOwn = (no: number) => roster.at(no)?.tenant_id === tenantId;
  return {
    tenant_id: tenantId,
    nodes: own.list,
    get: (id) => {
      const facts = own.nodes.get(id);
      const apps = facts && latestApps(facts.no);
      return (apps ? { ...facts, apps } : facts) ?? null;
    },
    figures: (no) => (isOwn(no) ? vitals.read(no) : UNHEARD),
    verdict: (no) => vitals.verdict(isOwn(no) ? no : NEVER, clock.now()),
    since(no, reason) {
      const facts = isOwn(no) ? roster.at(no) : null;
      const { last_seen } = facts ? vitals.read(no) : UNHEARD;
      if (reason === "never_connected") return facts?.registered_at ?? 0;
      return (SILENT.has(reason) ? undefined : onsets.of(no)[reason]) ?? last_seen;
    },
    isConnected: (id) => own.nodes.has(id) && isConnected(id),
    lastHour: (no) => vitals.lastHour(isOwn(no) ? no : NEVER, clock.now()),
    version: own.version,
    columns: vitals.columns,
    history: {
      range: async (no, from, to) => (isOwn(no) ? samples.range(no, from, to) : []),
      hourly: async (no, from, to) => (isOwn(no) ? samples.hourly(no, from, to) : []),
      daily: async (no, from, to) => (isOwn(no) ? samples.daily(no, from, to) : []),
    },
  };
}
