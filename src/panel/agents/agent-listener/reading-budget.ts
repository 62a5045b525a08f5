import type { Clock } from "../../../lib/clock.ts";

/**
 * What it costs to read what nodes say, in values of JSON and 16 bytes each: a thousand take a millisecond at the very most. A
 * usual heartbeat costs five hundred every 20 seconds, an eighth of what counts as modest. A second's worth of a workspace:
 */
const SHARE = { least: 100_000, ofNode: 400 };
/** Whoever uses no more than this is read however busy others keep the program. */
const MODEST = { least: 25_000, ofNode: 200 };
const PROGRAM_PER_SECOND = 500_000;
/** How many seconds' worth may come at once. */
const BURST_S = 3;
const BYTES_OF_ONE = 16;
const MAX_WORKSPACES = 20_000;

/** How much of the program's time goes into reading what the nodes of each workspace say. */
export interface ReadingBudget {
  /** True while a workspace has used up its time: what its nodes say is not to be read yet. */
  isSpent(tenantId: string): boolean;
  /** Notes what was read for a workspace: bytes, and the values of JSON in them. Fewer bytes than none give back what was noted before. */
  spend(tenantId: string, bytes: number, values: number): void;
}

/** Counts for each workspace and in all; `countNodes` tells how many nodes a workspace has. */
export function createReadingBudget(clock: Clock, countNodes: (tenantId: string) => number): ReadingBudget {
  /** Seconds' worth that are left, of its share and of what is modest; below zero is debt. */
  const workspaces = new Map<string, { left: number; modest: number; at: number }>();
  const program = { left: BURST_S, at: clock.monotonic() };

  const refilled = (left: number, ms: number): number => Math.min(BURST_S, left + ms / 1000);

  function of(tenantId: string) {
    const now = clock.monotonic();
    const { left, modest, at } = workspaces.get(tenantId) ?? { left: BURST_S, modest: BURST_S, at: now };
    return { left: refilled(left, now - at), modest: refilled(modest, now - at), at: now };
  }

  function ofProgram(): number {
    const now = clock.monotonic();
    program.left = refilled(program.left, now - program.at);
    program.at = now;
    return program.left;
  }

  return {
    isSpent(tenantId) {
      const { left, modest } = of(tenantId);
      return left < 0 || (modest < 0 && ofProgram() < 0);
    },
    spend(tenantId, bytes, values) {
      const cost = values + bytes / BYTES_OF_ONE;
      const count = countNodes(tenantId);
      const secondsOf = ({ least, ofNode }: typeof SHARE): number => cost / (least + ofNode * count);
      const { left, modest, at } = of(tenantId);
      workspaces.delete(tenantId);
      workspaces.set(tenantId, { left: left - secondsOf(SHARE), modest: modest - secondsOf(MODEST), at });
      const first = workspaces.keys().next();
      if (workspaces.size > MAX_WORKSPACES && !first.done) workspaces.delete(first.value);
      program.left = ofProgram() - cost / PROGRAM_PER_SECOND;
    },
  };
}
