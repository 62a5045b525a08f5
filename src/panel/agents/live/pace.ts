import { heartbeatSeconds, spreadSeconds } from "../../../shared/agent-protocol/index.ts";

/** A node that comes less often than this would be late. */
const SLOWEST_SEC = 60;
/** From here on the disk is behind, and the fleet slows down. */
const BEHIND = 0.25;
const FAR_BEHIND = 0.75;

/** When a node is to come again: by the size of the fleet, later while the disk is behind (`pressure`, 0 to 1). */
export function nextHeartbeat(nodes: number, pressure: number, random: () => number): number {
  const interval = heartbeatSeconds(nodes);
  if (pressure < BEHIND) return spreadSeconds(interval, random);
  return spreadSeconds(pressure < FAR_BEHIND ? Math.min(interval * 2, SLOWEST_SEC) : SLOWEST_SEC, random);
}
