import type { ServerEvent } from "../../../kernel/http/sse.ts";
import { createChannel } from "../../../lib/channel.ts";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import type { LiveStore } from "../../agents/live/index.ts";
import type { FleetChanged } from "./contract.ts";

/** The least time between two events. */
const PAUSE_MS = seconds(1);
/** How often figures alone are worth an event; a large fleet sends some all the time. */
const FIGURES_MS = seconds(5);

interface Deps {
  live: LiveStore;
  clock: Clock;
}

/** Who waits for the next heartbeat of a workspace; one ear for all streams, because heartbeats come by the thousand. */
const waiting = new WeakMap<LiveStore, Map<string, Set<() => void>>>();

function waitersOf(live: LiveStore): Map<string, Set<() => void>> {
  const known = waiting.get(live);
  if (known) return known;
  const fresh = new Map<string, Set<() => void>>();
  waiting.set(live, fresh);
  live.onSeen((_, tenantId) => {
    const waiters = fresh.get(tenantId);
    if (!waiters) return;
    fresh.delete(tenantId);
    for (const tell of waiters) tell();
  });
  return fresh;
}

/** Calls `tell` at the next heartbeat of the workspace, once. */
function onNextBeat(live: LiveStore, tenantId: string, tell: () => void): () => void {
  const waiters = waitersOf(live);
  const mine = waiters.get(tenantId) ?? new Set();
  waiters.set(tenantId, mine.add(tell));
  return () => {
    mine.delete(tell);
    if (mine.size === 0 && waiters.get(tenantId) === mine) waiters.delete(tenantId);
  };
}

/**
 * Tells that the workspace's fleet changed: at once to begin with, then at most once a second for nodes that come, go or
 * change, and every five seconds for figures alone.
 */
export async function* watchFleet(
  { live, clock }: Deps,
  tenantId: string,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const fleet = live.of(tenantId);
  const changes = createChannel<void>(1, signal);
  const tell = () => changes.push();
  const stopListening = live.onChange(tenantId, tell);
  let stopWaiting = () => {};
  const stopFigures = clock.every(FIGURES_MS, () => {
    stopWaiting();
    stopWaiting = onNextBeat(live, tenantId, tell);
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
}
