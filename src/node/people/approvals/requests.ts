import { createLimiter, type Limiter } from "../../../kernel/http/limit.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { createSharedMap, type SharedMap } from "../../../lib/shared-map.ts";
import type { ApprovalStatus } from "./contract.ts";

export const REQUEST_MS = minutes(2);
/** After the decision the requesting screen has this long to fetch its session. */
export const DELIVERY_MS = seconds(60);
/** Ended requests answer `expired` or `denied` a little longer before they are forgotten. */
export const REMEMBER_MS = minutes(12);

/** One request to be let in; in memory only, so a restart ends it. */
export interface ApprovalRequest {
  /** Known to the screen that asks alone: it fetches the session by it. */
  id: string;
  /** What those are shown who may decide: it fetches nothing. */
  shown_id: string;
  /** Whose address it names; empty for an unknown one. Looks that up when first asked. */
  userId: () => string;
  code: string;
  device: string;
  ip: string;
  /** Wall time, milliseconds. */
  created_at: number;
  /** Monotonic time at which it expires in its present state. */
  end: number;
  state: "pending" | "approved" | "denied";
  /** The paired device that approved it, or that let in who did. */
  device_id: string | null;
  /** False once what it was approved with has ended. */
  holds: () => boolean;
  /** True once its session was handed out. */
  isDelivered: boolean;
  /** Called when the state changes. */
  watchers: Set<() => void>;
}

/** All requests of a node and the limits on making them. */
export interface OpenRequests {
  requests: SharedMap<ApprovalRequest>;
  byAddress: Limiter;
  byEmail: Limiter;
}

/** No requests yet. */
export function createOpenRequests(clock: Clock): OpenRequests {
  return {
    requests: createSharedMap(clock, { size: 10_000, ttlMs: REMEMBER_MS }),
    byAddress: createLimiter(clock, 10, minutes(10)),
    byEmail: createLimiter(clock, 5, minutes(10)),
  };
}

/** The state as the API words it. An approval that nobody fetched in time has expired too. */
export function statusOf(clock: Clock, request: ApprovalRequest): ApprovalStatus {
  if (request.state === "denied" || request.isDelivered) return request.state;
  if (!request.holds()) return "expired";
  return clock.monotonic() >= request.end ? "expired" : request.state;
}

/** Moves a request on and tells those who watch it. */
export function setState(request: ApprovalRequest, state: "approved" | "denied", end: number): void {
  request.state = state;
  request.end = end;
  for (const watcher of request.watchers) watcher();
}
