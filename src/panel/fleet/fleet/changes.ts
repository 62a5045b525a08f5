import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import type { LiveStore } from "../../agents/live/index.ts";
import type { ChangeSource } from "../../base.ts";

/** How often figures alone are worth a word; a large fleet sends some all the time. */
const FIGURES_MS = seconds(5);

/** Where heartbeats and changes are heard of. */
interface Heard {
  live: Pick<LiveStore, "onChange" | "onSeen">;
  clock: Clock;
}

/**
 * Tells that a workspace's fleet changed: at once for nodes that come, go or change, and every five seconds for figures
 * alone. It begins to listen to heartbeats here: one ear for all pages, because they come by the thousand.
 */
export function createFleetChanges({ live, clock }: Heard): ChangeSource {
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

  return {
    topic: "fleet",
    permission: "fleet:read",
    onChange({ tenant_id }, tell) {
      const stopListening = live.onChange(tenant_id, tell);
      let stopWaiting = () => {};
      const stopFigures = clock.every(FIGURES_MS, () => {
        stopWaiting();
        stopWaiting = onNextBeat(tenant_id, tell);
      });
      return () => {
        stopListening();
        stopFigures();
        stopWaiting();
      };
    },
  };
}
