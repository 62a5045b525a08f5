import type { LinkPhase } from "./contract.ts";

/** What only the running process knows of its link. Times in milliseconds. */
export interface LiveLink {
  phase: Extract<LinkPhase, "connecting" | "connected" | "retrying">;
  lastHeartbeatAt: number | null;
  nextTryAt: number | null;
  lastError: string | null;
  /** How far this server's clock is ahead of the panel's; null before the first answer. */
  aheadMs: number | null;
}

/** Before the first try. */
export const NOT_TRIED: LiveLink = {
  phase: "connecting",
  lastHeartbeatAt: null,
  nextTryAt: null,
  lastError: null,
  aheadMs: null,
};
