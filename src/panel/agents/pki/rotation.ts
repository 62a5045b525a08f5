import { days } from "../../../lib/duration.ts";
import { INTERMEDIATE_LIFETIME_MS, LEAF_LIFETIME_MS } from "./lifetimes.ts";

const PREPARE_BEFORE_MS = days(30);
const ACTIVATE_BEFORE_MS = days(7);
/** A change that somebody asked for waits this long for nodes that have not heard of the new root. */
const PATIENCE_MS = days(7);
/** Share of the living nodes that must trust the new root before it signs. */
const INFORMED_SHARE = 0.99;
/** A token printed under the old root lives no longer than this. */
const SHORTEST_OVERLAP_MS = days(1);

/**
 * Which of two slots signs. `prepared`: the other one is trusted and will take over; `activated`: the other one is the
 * former, trusted for as long as its certificates live.
 */
export type Rotation =
  | { phase: "steady"; signing: string }
  | { phase: "prepared"; signing: string; other: string; activateAt: number; forceAt: number }
  | { phase: "activated"; signing: string; other: string; since: number; otherUntil: number };

export type RotationAction =
  | { kind: "prepare"; what: "root" | "intermediate"; activateAt: number; forceAt: number }
  | { kind: "activate" }
  | { kind: "retire" };

/** Validity of the signing slot, milliseconds. */
export interface SlotTimes {
  notBefore: number;
  notAfter: number;
  rootNotAfter: number;
}

/** What the fleet looks like. */
export interface RotationFacts {
  /** Share (0 to 1) of the living nodes whose bundle is the panel's own; 1 when there are none. */
  informedShare: number;
  /** Nodes with a living certificate of the slot that does not sign. */
  nodesOnOther: number;
}

/**
 * What is due now, if anything. Times count back from the last moment at which a leaf of full life still ends before its
 * issuer: a certificate that outlives its issuer strands its node.
 */
export function decideRotation(
  rotation: Rotation,
  signing: SlotTimes,
  facts: RotationFacts,
  now: number,
): RotationAction | null {
  if (rotation.phase === "steady") {
    const life = signing.notAfter - signing.notBefore;
    const lastFullIssue = signing.notAfter - LEAF_LIFETIME_MS;
    if (now < lastFullIssue - Math.min(life / 2, PREPARE_BEFORE_MS)) return null;
    return {
      kind: "prepare",
      what: nextKind(signing, now),
      activateAt: lastFullIssue - Math.min(life / 6, ACTIVATE_BEFORE_MS),
      forceAt: lastFullIssue,
    };
  }
  if (rotation.phase === "prepared") {
    const isReady = now >= rotation.activateAt && facts.informedShare >= INFORMED_SHARE;
    return isReady || now >= rotation.forceAt ? { kind: "activate" } : null;
  }
  const isUnused = facts.nodesOnOther === 0 && now >= rotation.since + SHORTEST_OVERLAP_MS;
  return isUnused || now >= rotation.otherUntil ? { kind: "retire" } : null;
}

/** A change asked for by hand: it takes over as soon as the nodes have heard of it. Null while another one runs. */
export function requestRotation(
  rotation: Rotation,
  what: "root" | "intermediate",
  now: number,
): Extract<RotationAction, { kind: "prepare" }> | null {
  return rotation.phase === "steady" ? { kind: "prepare", what, activateAt: now, forceAt: now + PATIENCE_MS } : null;
}

/** A root that would end before a full intermediate does is changed along with it. */
const nextKind = ({ rootNotAfter }: SlotTimes, now: number): "root" | "intermediate" =>
  rootNotAfter - now < INTERMEDIATE_LIFETIME_MS ? "root" : "intermediate";

/** The state after an action; `fresh` is the slot that a `prepare` made. An action of another phase changes nothing. */
export function applyRotation(rotation: Rotation, action: RotationAction, fresh: string, now: number): Rotation {
  const { signing } = rotation;
  if (action.kind === "prepare" && rotation.phase === "steady") {
    return { phase: "prepared", signing, other: fresh, activateAt: action.activateAt, forceAt: action.forceAt };
  }
  if (action.kind === "activate" && rotation.phase === "prepared") return takeOver(signing, rotation.other, now);
  if (action.kind === "retire" && rotation.phase === "activated") return { phase: "steady", signing };
  return rotation;
}

/**
 * Takes a change back, at any point: a slot that never signed is dropped; one that did hands back to the former and
 * stays trusted until its own certificates have ended.
 */
export function rollBackRotation(rotation: Rotation, now: number): Rotation {
  if (rotation.phase === "prepared") return { phase: "steady", signing: rotation.signing };
  if (rotation.phase === "activated") return takeOver(rotation.signing, rotation.other, now);
  return rotation;
}

function takeOver(former: string, next: string, now: number): Rotation {
  return { phase: "activated", signing: next, other: former, since: now, otherUntil: now + LEAF_LIFETIME_MS };
}

/** The slots that are trusted, the signing one first. */
export function trustedSlots(rotation: Rotation): string[] {
  return rotation.phase === "steady" ? [rotation.signing] : [rotation.signing, rotation.other];
}
