import { minutes, seconds } from "../../../lib/duration.ts";
import type { AppReport } from "./port.ts";

/** Why a node is what it is, in the order in which they are told. */
const DEGRADED = ["heartbeat_late", "cpu_high", "mem_high", "disk_high", "agent_critical", "app_failed"] as const;

export type Reason = (typeof DEGRADED)[number] | "never_connected" | "heartbeat_missing" | "not_yet_heard";

/** The three ways a node can be. */
export type Health = "online" | "degraded" | "offline";

/** The judgement on a node; shared objects, compare them by identity. */
export interface Verdict {
  readonly health: Health;
  /** As lists count: a node that never connected, or was not heard yet after a start, is pending, and offline in its health. */
  readonly status: Health | "pending";
  readonly reasons: readonly Reason[];
}

/** What the judgement is made of. Times are milliseconds, figures percent, NaN for unknown. */
export interface FiguresOf {
  /** 0 when it never connected. */
  last_seen: number;
  cpu: number;
  memory: number;
  disk: number;
  /** The node calls itself critical. */
  critical: boolean;
  failed_apps: number;
  marked_offline: boolean;
  /** Since when the panel has been listening without a gap: what it could not hear is no silence. 0 for always. */
  listening_since: number;
  /** What was known when the listening began; it holds until the node is heard. */
  known: "late" | "offline" | null;
  /** It is what was read back after a start: the node was not heard since. */
  unheard: boolean;
}

/** Silence beyond this is late. */
export const LATE_MS = seconds(90);
/** Silence beyond this is offline. */
export const OFFLINE_MS = minutes(10);
/** Percent from which a figure is high. */
const HIGH = 90;

const verdict = (health: Health, status: Verdict["status"], reasons: readonly Reason[]): Verdict =>
  Object.freeze({ health, status, reasons: Object.freeze(reasons) });

const PENDING = verdict("offline", "pending", ["never_connected"]);
const OFFLINE = verdict("offline", "offline", ["heartbeat_missing"]);
/** Nobody knows how it is: neither an alarm nor a reassurance. */
const NOT_YET_HEARD = verdict("offline", "pending", ["not_yet_heard"]);
const ONLINE = verdict("online", "online", []);
/** By the bits of their reasons, bit 0 for the first. */
const BY_REASONS: readonly Verdict[] = Array.from({ length: 2 ** DEGRADED.length }, (_, bits) =>
  bits === 0
    ? ONLINE
    : verdict(
        "degraded",
        "degraded",
        DEGRADED.filter((_, bit) => bits & (1 << bit)),
      ),
);

/**
 * The one judgement on a node, for lists, details, counts and notices alike. Offline: never connected, marked so, or
 * silent for more than 10 minutes. Degraded: silent for more than 90 seconds, a figure at 90 % or more, critical in its
 * own words, or an app restarting or dead. Else online. After a start, a node whose last word is too old to tell how
 * it is now, and which had its 90 seconds to say so not yet, is not yet heard.
 */
export function health(node: FiguresOf, now: number): Verdict {
  if (node.last_seen === 0) return PENDING;
  const silence = now - Math.max(node.last_seen, node.listening_since);
  const isWaitedFor = node.unheard && node.known === null && now - node.listening_since <= LATE_MS;
  if (isWaitedFor && !node.marked_offline && now - node.last_seen > LATE_MS) return NOT_YET_HEARD;
  if (node.marked_offline || node.known === "offline" || silence > OFFLINE_MS) return OFFLINE;
  const bits =
    (silence > LATE_MS || node.known === "late" ? 1 : 0) |
    (node.cpu >= HIGH ? 2 : 0) |
    (node.memory >= HIGH ? 4 : 0) |
    (node.disk >= HIGH ? 8 : 0) |
    (node.critical ? 16 : 0) |
    (node.failed_apps > 0 ? 32 : 0);
  return BY_REASONS[bits] ?? ONLINE;
}

/** A container's own words, and a node's for an app whose containers are so. */
const FAILED = ["restarting", "dead", "error"];

/** How many apps have a container that restarts again and again or is dead. */
export function countFailedApps(apps: readonly Pick<AppReport, "status">[]): number {
  return apps.filter(({ status }) => FAILED.includes(status)).length;
}
