import type { Clock } from "../../src/lib/clock.ts";
import type { NodeFacts, TenantFleet } from "../../src/panel/agents/live/index.ts";
import { createOnsets } from "../../src/panel/agents/live/onsets.ts";
import { createRoster } from "../../src/panel/agents/live/roster.ts";
import { tenantFleet } from "../../src/panel/agents/live/tenant-fleet.ts";
import { createVitals } from "../../src/panel/agents/live/vitals.ts";
import type { SampleReads } from "../../src/panel/agents/samples/index.ts";
import type { HeartbeatInput } from "../../src/shared/agent-protocol/index.ts";
import { heartbeatBody } from "./agent-panel.ts";
import { nodeFacts } from "./node-facts.ts";

/** What a node says of itself in a test; left out is unknown. */
export interface Beat {
  cpu?: number | null;
  memory?: number | null;
  disk?: number | null;
  net_in?: number | null;
  uptime?: number;
  isCritical?: boolean;
  more?: Partial<HeartbeatInput>;
}

/** The body of such a heartbeat. */
export function beatBody(facts: Pick<NodeFacts, "hostname" | "version">, beat: Beat = {}): HeartbeatInput {
  return {
    ...heartbeatBody(),
    status: beat.isCritical ? "critical" : "ok",
    hostname: facts.hostname,
    version: facts.version,
    uptime_seconds: beat.uptime ?? 1,
    metrics: {
      cpu_percent: beat.cpu ?? null,
      memory_percent: beat.memory ?? null,
      disk_percent: beat.disk ?? null,
      net_in: beat.net_in ?? null,
      net_out: null,
    },
    ...beat.more,
  };
}

/** A workspace's nodes in memory, as the live store keeps them, without anything that is written. */
export interface TestFleet {
  fleet: TenantFleet;
  put(no: number, more?: Partial<NodeFacts>): void;
  remove(id: string): void;
  /** A heartbeat of a node that is there. */
  beat(id: string, beat?: Beat): void;
}

const NO_SAMPLES: SampleReads = { range: async () => [], hourly: async () => [], daily: async () => [] };

/** An empty fleet of workspace `t1`. */
export function createTestFleet(clock: Clock, samples: SampleReads = NO_SAMPLES): TestFleet {
  const roster = createRoster();
  const vitals = createVitals();
  const onsets = createOnsets();
  const fleet = tenantFleet(
    { roster, vitals, onsets, clock, samples, latestApps: () => undefined, isConnected: () => false },
    "t1",
  );
  return {
    fleet,
    put(no, more) {
      const facts = nodeFacts(no, more);
      roster.put(facts);
      vitals.admit(facts);
    },
    remove(id) {
      const facts = roster.remove(id);
      if (facts) vitals.clear(facts.no);
    },
    beat(id, beat) {
      const facts = fleet.get(id);
      if (!facts) return;
      vitals.write(facts.no, beatBody(facts, beat), clock.now());
      onsets.follow(facts.no, vitals.verdict(facts.no, clock.now()).reasons, clock.now());
    },
  };
}
