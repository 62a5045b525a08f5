import { type Clock, toIso } from "../../lib/clock.ts";
import { agentFail, heartbeatSeconds, spreadSeconds } from "../../shared/agent-protocol/index.ts";
import type { SampleReads } from "../samples/port.ts";
import type { LiveStore, TenantFleet } from "./port.ts";
import { createRoster } from "./roster.ts";
import { tenantFleet } from "./tenant-fleet.ts";
import { createVitals } from "./vitals.ts";

export interface LiveDeps {
  clock: Clock;
  /** Numbers in [0, 1), for spreading heartbeats. */
  random: () => number;
  samples?: SampleReads;
}

const NO_SAMPLES: SampleReads = { range: async () => [], hourly: async () => [], daily: async () => [] };

/** A store of the nodes of all workspaces; empty until `put` and `start`. */
export function createLiveStore({ clock, random, samples = NO_SAMPLES }: LiveDeps): LiveStore {
  const roster = createRoster();
  const vitals = createVitals();
  const fleets = new Map<string, TenantFleet>();
  const seen = new Set<(nodeId: string, tenantId: string, first: boolean) => void>();

  return {
    of(tenantId) {
      const known = fleets.get(tenantId);
      if (known) return known;
      const fresh = tenantFleet({ roster, vitals, clock, samples }, tenantId);
      fleets.set(tenantId, fresh);
      return fresh;
    },
    put(facts) {
      const before = roster.put(facts);
      if (before && before.no !== facts.no) vitals.clear(before.no);
      vitals.admit(facts);
    },
    remove(id) {
      const before = roster.remove(id);
      if (before) vitals.clear(before.no);
    },
    async heartbeat(input, { nodeId, tenantId }) {
      const facts = roster.find(nodeId);
      if (facts?.tenant_id !== tenantId) throw agentFail("node_deleted");
      const now = clock.now();
      vitals.write(facts.no, input, now);
      const first = facts.first_seen_at === null;
      if (first) roster.put({ ...facts, first_seen_at: now });
      for (const listener of seen) listener(nodeId, tenantId, first);
      return {
        commands: [],
        next_heartbeat_sec: spreadSeconds(heartbeatSeconds(roster.count()), random),
        server_time: toIso(now),
      };
    },
    onSeen(listener) {
      seen.add(listener);
      return () => void seen.delete(listener);
    },
    onChange(tenantId, listener) {
      const { listeners } = roster.tenant(tenantId);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    count: () => roster.count(),
    async start() {
      vitals.listenFrom(clock.now());
    },
    async stop() {},
  };
}
