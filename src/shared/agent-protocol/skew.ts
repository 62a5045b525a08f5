import { seconds } from "../../lib/duration.ts";

const WARN_ABOVE_MS = seconds(60);

/**
 * How far the node's clock is ahead of the panel's, milliseconds, from one answer: the panel's time is taken for the
 * middle of the call. Null when `serverTime` is no time.
 */
export function clockSkew(sentAt: number, receivedAt: number, serverTime: string): number | null {
  const server = Date.parse(serverTime);
  return Number.isNaN(server) ? null : (sentAt + receivedAt) / 2 - server;
}

/** True when a skew is worth a warning. */
export const isSkewed = (skewMs: number): boolean => Math.abs(skewMs) > WARN_ABOVE_MS;
