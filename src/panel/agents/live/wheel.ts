import { seconds } from "../../../lib/duration.ts";

const SLOT_MS = seconds(1);
/** More than the longest wait, ten minutes. */
const SLOTS = 1_024;
const NONE = -1;

/**
 * Nodes that have to be looked at, by the second. A node waits in one place only and is not moved when it is heard: when
 * its turn comes it is put where it belongs by then, so that a heartbeat costs nothing here.
 */
export function createWheel(now: number) {
  const heads = new Int32Array(SLOTS).fill(NONE);
  let next = new Int32Array(1_024).fill(NONE);
  let isWaiting = new Uint8Array(1_024);
  let last = Math.floor(now / SLOT_MS);

  function reserve(no: number): void {
    if (no < next.length) return;
    let size = next.length;
    while (size <= no) size *= 2;
    const [oldNext, oldWaiting] = [next, isWaiting];
    next = new Int32Array(size).fill(NONE);
    next.set(oldNext);
    isWaiting = new Uint8Array(size);
    isWaiting.set(oldWaiting);
  }

  /** Empties a slot; gives the nodes that waited there. */
  function take(slot: number): number[] {
    const nodes: number[] = [];
    for (let no = heads[slot] ?? NONE; no !== NONE; no = next[no] ?? NONE) nodes.push(no);
    heads[slot] = NONE;
    for (const no of nodes) isWaiting[no] = 0;
    return nodes;
  }

  return {
    has: (no: number): boolean => isWaiting[no] === 1,
    /** Lets a node wait until `due` (milliseconds) is past; one that waits already stays where it is. */
    add(no: number, due: number): void {
      reserve(no);
      if (isWaiting[no] === 1) return;
      const second = Math.min(Math.max(Math.floor(due / SLOT_MS), last) + 1, last + SLOTS - 1);
      const slot = second % SLOTS;
      next[no] = heads[slot] ?? NONE;
      heads[slot] = no;
      isWaiting[no] = 1;
    },
    /** Gives the nodes whose wait is over. */
    advance(now: number): number[] {
      const second = Math.floor(now / SLOT_MS);
      const first = Math.max(last + 1, second - SLOTS + 1);
      const due: number[] = [];
      for (let each = first; each <= second; each++) due.push(...take(each % SLOTS));
      last = Math.max(last, second);
      return due;
    },
    /** Begins anew at `now`, after the clock was set; gives everybody who waited. */
    reset(now: number): number[] {
      last = Math.floor(now / SLOT_MS);
      return Array.from(heads.keys()).flatMap(take);
    },
  };
}
