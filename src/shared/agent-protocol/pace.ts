const JITTER = 0.1;

/** Seconds between heartbeats by size of the fleet: never above 60, for a node is late after 90. */
export function heartbeatSeconds(nodes: number): number {
  if (nodes <= 10_000) return 20;
  return nodes <= 50_000 ? 30 : 60;
}

/** One node's own interval: ±10 %, at most 60 seconds, so that a fleet that started together spreads out. */
export function spreadSeconds(interval: number, random: () => number): number {
  const spread = interval * (1 - JITTER + 2 * JITTER * random());
  return Math.min(60, Math.round(spread * 10) / 10);
}
