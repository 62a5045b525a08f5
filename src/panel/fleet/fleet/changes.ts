import type { ServerEvent } from "../../../kernel/http/sse.ts";
import { createChannel } from "../../../lib/channel.ts";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import type { LiveStore, TenantFleet } from "../../agents/live/index.ts";
import type { FleetChanged } from "./contract.ts";

/** The least time between two events. */
const PAUSE_MS = seconds(1);
/** How often figures alone are worth an event; a large fleet sends some all the time. */
const FIGURES_MS = seconds(5);

/**
 * Tells that a workspace's fleet changed: at once to begin with, then at most once a second for nodes that come, go or
 * change, and every five seconds for figures alone.
 */
export type FleetWatch = (fleet: TenantFleet, signal: AbortSignal) => AsyncGenerator<ServerEvent>;

/** Where heartbeats and changes are heard of. */
interface Heard {
  live: Pick<LiveStore, "onChange" | "onSeen">;
  clock: Clock;
}

/** Begins to listen to heartbeats: one ear for all streams, because they come by the thousand. */
export function createFleetWatch({ live, clock }: Heard): FleetWatch {
  /** Who waits for the next heartbeat of a workspace. */
  const waiting = new Map<string, Set<() => void>>();
  live.onSeen((_, tenantId) => {
    const waiters = waiting.get(tenantId);
    if (!waiters) return;
    waiting.delete(tenantId);
    for (const tell of waiters) tell();
  });

  /** Calls `tell` at the next heartbeat of the workspace, once. */
  function onNextBeat(tenantId: string, tell: () => void): () => void {
    const mine = waiting.get(tenantId) ?? new Set();
    waiting.set(tenantId, mine.add(tell));
    return () => {
      mine.delete(tell);
      if (mine.size === 0 && waiting.get(tenantId) === mine) waiting.delete(tenantId);
    };
  }

  return async function* (fleet, signal) {
    const { tenant_id } = fleet;
    const changes = createChannel<void>(1, signal);
    const tell = () => changes.push();
    const stopListening = live.onChange(tenant_id, tell);
    let stopWaiting = () => {};
    const stopFigures = clock.every(FIGURES_MS, () => {
      stopWaiting();
      stopWaiting = onNextBeat(tenant_id, tell);
    });
    try {
      tell();
      for await (const _ of changes) {
        yield { event: "changed", data: { version: fleet.version() } satisfies FleetChanged };
        await clock.sleep(PAUSE_MS, signal);
      }
    } finally {
      stopListening();
      stopFigures();
      stopWaiting();
    }
  };
}
