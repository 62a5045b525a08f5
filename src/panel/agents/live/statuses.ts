import { seconds } from "../../../lib/duration.ts";
import { LATE_MS, OFFLINE_MS, type Reason, type Verdict } from "./health.ts";
import type { NodeFacts, Transition } from "./port.ts";
import type { Roster } from "./roster.ts";
import type { Vitals } from "./vitals.ts";

type Status = Verdict["status"];

/** A figure that plays about its limit is told once: it must stay below for so long. */
const HOLD_MS = seconds(60);
/** A change that seems to be no later than the one before by less than this came right after it; by more, the clock was set. */
const ORDER_MS = seconds(1);

/**
 * The status of every node as it was last written down. What lists show follows the figures at once; what is recorded, and
 * what notices are made of, gets worse at once and better when that lasts, unless it was silence alone.
 */
export function createStatuses({ roster, vitals }: { roster: Roster; vitals: Vitals }) {
  const recorded: (Status | undefined)[] = [];
  /** Nodes whose recorded status is degraded for more than being late. */
  const isMeasured: (boolean | undefined)[] = [];
  /** Since when a node has been better than recorded, milliseconds. */
  const betterSince = new Map<number, number>();
  /** When the latest change of a node was, milliseconds. */
  const changedAt: (number | undefined)[] = [];

  /** The moment of a change: each of a node has one of its own, by which it is kept, and they are in order. */
  function momentOf(no: number, now: number): number {
    const before = changedAt[no];
    return before !== undefined && now <= before && now > before - ORDER_MS ? before + 1 : now;
  }

  function set(no: number, status: Status, reasons: readonly Reason[]): void {
    recorded[no] = status;
    isMeasured[no] = status === "degraded" && reasons.some((reason) => reason !== "heartbeat_late");
    betterSince.delete(no);
  }

  /** True while an improvement has to prove itself. */
  function isHeld(no: number, to: Status, now: number): boolean {
    if (to !== "online" || recorded[no] !== "degraded" || !isMeasured[no]) return false;
    const since = betterSince.get(no) ?? now;
    betterSince.set(no, since);
    return now - since < HOLD_MS;
  }

  return {
    of: (no: number): Status => recorded[no] ?? "pending",
    forget(no: number): void {
      delete recorded[no];
      delete isMeasured[no];
      delete changedAt[no];
      betterSince.delete(no);
    },
    /** The change to record about a node at `now` (milliseconds); null when there is none. */
    changeOf({ no, id, tenant_id }: NodeFacts, now: number): Transition | null {
      const { status, reasons } = vitals.verdict(no, now);
      const from = recorded[no] ?? "pending";
      if (status === from) betterSince.delete(no);
      if (status === from || status === "pending" || isHeld(no, status, now)) return null;
      return { tenant_id, node_id: id, no, at: momentOf(no, now), from, to: status, reasons };
    },
    /** When a node has to be looked at again if it is not heard, milliseconds; null when nothing will change. */
    nextLook(no: number, now: number): number | null {
      const { status, reasons } = vitals.verdict(no, now);
      const facts = roster.at(no);
      const isWaitedFor = reasons.includes("not_yet_heard");
      // What was read back may be silent for too long already, which is to be written down.
      if (status === "offline" && recorded[no] !== "offline") return now;
      if (!facts || (status === "pending" && !isWaitedFor) || status === "offline") return null;
      const silent = vitals.silentSince(no);
      const looks = [silent + LATE_MS, silent + OFFLINE_MS, (betterSince.get(no) ?? Number.NaN) + HOLD_MS];
      return Math.min(...looks.filter((look) => look >= now));
    },
    /** Takes what was recorded before the panel stopped: it holds until the node is heard. */
    restore(no: number, status: Status, reasons: readonly Reason[]): void {
      set(no, status, reasons);
      vitals.hold(no, status, reasons);
    },
    /** Takes what was just recorded; silence holds until the node is heard, even when the clock is set. */
    take({ no, at, to, reasons }: Transition): void {
      set(no, to, reasons);
      changedAt[no] = at;
      // The node may have been heard while this was written down.
      const current = vitals.verdict(no, at);
      vitals.hold(no, current.status, current.reasons);
    },
  };
}

export type Statuses = ReturnType<typeof createStatuses>;
