import type { Clock } from "../../src/lib/clock.ts";
import type { LiveStore, NodeFacts } from "../../src/panel/live/index.ts";
import type { HeartbeatInput } from "../../src/shared/agent-protocol/index.ts";
import { heartbeatBody } from "./agent-panel.ts";
import { createMemoryLive } from "./memory-live.ts";
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

/** A live store without a panel around it, and how to fill it. */
export function createTestFleet(clock: Clock, live: LiveStore = createMemoryLive(clock)) {
  return {
    live,
    fleet: live.of("t1"),
    add(no: number, more: Partial<NodeFacts> = {}): NodeFacts {
      const facts = nodeFacts(no, more);
      live.put(facts);
      return facts;
    },
    /** A heartbeat of a node that has been added. */
    async beat(nodeId: string, beat: Beat = {}, tenantId = "t1"): Promise<void> {
      const facts = live.of(tenantId).get(nodeId);
      if (!facts) throw new Error(`there is no node ${nodeId}`);
      const body: HeartbeatInput = {
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
      await live.heartbeat(body, { nodeId, tenantId, serial: "s" });
    },
  };
}
