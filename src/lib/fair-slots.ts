import type { Clock } from "./clock.ts";

/** For whom a task is done: a group, a part of it, and so on down to a member. */
export type SlotPath = readonly [group: string, ...parts: string[]];

/**
 * Runs a task as soon as one of the slots is for whom it is done; gives what the task gives. What still waits when `signal` aborts is
 * dropped: it throws the signal's reason.
 */
export type FairSlots = <T>(path: SlotPath, task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** How many slots there are, and how they are shared. */
export interface SlotRules {
  size: number;
  /** So many of them are only for groups that took little lately. */
  spare: number;
  /** A group that counts for several has so many times the share of others; 1 for most. */
  weightOf(group: string): number;
  /**
   * How many a group, at depth 0, and each of its parts, at 1 and so on, may have at once, whatever is free; left out, as many as there
   * are.
   */
  mostOfPart?(group: string, depth: number): number;
}

interface Waiting {
  /** Those who came before have less. */
  no: number;
  begin(now: number): void;
}

/** What a group, a part of one or a member has of the slots. */
interface Share {
  weight: number;
  /** So many run at once at most. */
  most: number;
  running: number;
  /** When the tasks that run began, all added up. */
  begun: number;
  waiting: number;
  /** For how long it had slots, by what it gave back: milliseconds, of which half are forgotten in a while. */
  taken: number;
  /** When that was reckoned. */
  at: number;
  parts: Map<string, Share>;
  /** Those of its parts that have something waiting which may begin as far as they are concerned. */
  wanting: Set<Share>;
  /** What waits for a member, which has no parts. */
  queue: Waiting[];
}

/** Half of what was taken is forgotten after so long. */
const HALF_MS = 2_000;
/** Who took less than so much, and has no more than so many, may have the spare slots. */
const LITTLE = { ms: 100, slots: 4 };
/** A task that runs is taken for so much longer than it has run, so that many that begin together count for more than one. */
const BEGUN_MS = 20;
/** Less is as good as nothing: those who have so little wait in the order in which their tasks came. */
const NOTHING_MS = 1;
/** Of so many it is known what they took; beyond that it is forgotten of those who have nothing here. */
const KNOWN_MAX = 20_000;

/**
 * Shares slots among those who want them. While there is room a task begins at once; of those that wait the one goes first whose group
 * had slots for the least time lately, and in it the one whose part had, down to the member; tasks of a member begin in order. The spare
 * slots are never for groups that had much: whoever comes to a crowd finds room. What waits has ever less, so that nobody waits without
 * end, except for a part's own tasks where it has as many as it may. A task must not wait for another slot.
 */
export function createFairSlots(
  clock: Pick<Clock, "monotonic">,
  { size, spare, weightOf, mostOfPart = () => Number.POSITIVE_INFINITY }: SlotRules,
): FairSlots {
  /** What all have together. */
  const whole = newShare(1, size);
  let known = 0;
  let came = 0;

  /** All that a member is a part of, from the whole down to itself. */
  function lineOf(path: SlotPath): Line {
    let share = whole;
    const line = path.map((name, depth) => {
      const part = share.parts.get(name) ?? newPart(path[0], name, depth);
      if (!share.parts.has(name)) known += 1;
      share.parts.set(name, part);
      share = part;
      return part;
    });
    return { all: [whole, ...line], group: line[0] ?? whole, member: share };
  }

  const newPart = (group: string, name: string, depth: number): Share =>
    newShare(depth === 0 ? weightOf(name) : 1, mostOfPart(group, depth));

  function hasRoom(group: Share, now: number): boolean {
    if (whole.running < size - spare) return true;
    const { weight } = group;
    return whole.running < size && group.running < LITTLE.slots * weight && usedBy(group, now) < LITTLE.ms;
  }

  function begin(line: readonly Share[], now: number): void {
    for (const share of line) {
      share.running += 1;
      share.begun += now;
    }
    settle(line);
  }

  function end(line: readonly Share[], begun: number): void {
    const now = clock.monotonic();
    for (const share of line) {
      share.running -= 1;
      share.begun -= begun;
      share.taken = leftOf(share, now) + now - begun;
      share.at = now;
    }
    settle(line);
    if (known > KNOWN_MAX) known = forgetIdle(whole);
    fill(now);
  }

  /** Those who begin next, from the whole down to the member; null where nobody may. */
  function next(now: number): readonly Share[] | null {
    const line = [whole];
    for (let share = whole; share.wanting.size > 0; ) {
      const isGroup = share === whole;
      const part = leastOf(share.wanting, now, (one) => !isGroup || hasRoom(one, now));
      if (!part) return null;
      line.push(part);
      share = part;
    }
    return line;
  }

  /** Lets in who may begin now. */
  function fill(now: number): void {
    while (whole.wanting.size > 0 && whole.running < size) {
      const line = next(now);
      const task = line?.at(-1)?.queue.shift();
      if (!line || !task) return;
      countWaiting(line, -1);
      begin(line, now);
      task.begin(now);
    }
  }

  /** When the task began. */
  async function enter({ all, group, member }: Line, signal: AbortSignal | undefined): Promise<number> {
    const now = clock.monotonic();
    if (whole.wanting.size === 0 && all.every(hasPlace) && hasRoom(group, now)) {
      begin(all, now);
      return now;
    }
    const entered = Promise.withResolvers<number>();
    const waiting: Waiting = { no: ++came, begin: entered.resolve };
    function drop(): void {
      const place = member.queue.indexOf(waiting);
      if (place < 0) return;
      member.queue.splice(place, 1);
      countWaiting(all, -1);
      entered.reject(signal?.reason);
    }
    member.queue.push(waiting);
    countWaiting(all, 1);
    signal?.addEventListener("abort", drop);
    fill(now);
    try {
      return await entered.promise;
    } finally {
      signal?.removeEventListener("abort", drop);
    }
  }

  return async (path, task, signal) => {
    signal?.throwIfAborted();
    const line = lineOf(path);
    const begun = await enter(line, signal);
    try {
      return await task();
    } finally {
      end(line.all, begun);
    }
  };
}

interface Line {
  all: readonly Share[];
  group: Share;
  member: Share;
}

function newShare(weight: number, most: number): Share {
  const nothing = { running: 0, begun: 0, waiting: 0, taken: 0, at: 0 };
  return { weight, most, ...nothing, parts: new Map(), wanting: new Set(), queue: [] };
}

const hasPlace = ({ running, most }: Share): boolean => running < most;

function countWaiting(line: readonly Share[], more: number): void {
  for (const share of line) share.waiting += more;
  settle(line);
}

/** Notes, from the member up, who of a line has something waiting that may begin. */
function settle(line: readonly Share[]): void {
  for (const [depth, share] of [...line.entries()].reverse()) {
    const above = line[depth - 1];
    if (hasPlace(share) && share.queue.length + share.wanting.size > 0) above?.wanting.add(share);
    else above?.wanting.delete(share);
  }
}

/** Forgets the parts that have nothing here; gives how many are left. */
function forgetIdle(share: Share): number {
  let left = 0;
  for (const [name, part] of share.parts) {
    left += 1 + forgetIdle(part);
    if (part.running + part.waiting > 0) continue;
    share.parts.delete(name);
    left -= 1;
  }
  return left;
}

/** What is left by now of what was taken. */
const leftOf = ({ taken, at }: Share, now: number): number => taken * 2 ** ((at - now) / HALF_MS);

/** For how long slots were taken lately, those that are taken now among them, by weight. */
function usedBy(share: Share, now: number): number {
  const { running, begun, weight } = share;
  const used = (leftOf(share, now) + running * (now + BEGUN_MS) - begun) / weight;
  return used < NOTHING_MS ? 0 : used;
}

/** The number of what waits for longest. */
function firstOf({ queue, wanting }: Share): number {
  return (
    queue[0]?.no ?? wanting.values().reduce((first, part) => Math.min(first, firstOf(part)), Number.POSITIVE_INFINITY)
  );
}

/** Of those who may begin the one that has least, and of several the one whose task came first. */
function leastOf(shares: Iterable<Share>, now: number, mayBegin: (one: Share) => boolean): Share | null {
  let best: Share | null = null;
  let least = Number.POSITIVE_INFINITY;
  let first = Number.POSITIVE_INFINITY;
  for (const one of shares) {
    if (!mayBegin(one)) continue;
    const used = usedBy(one, now);
    if (used > least) continue;
    const no = firstOf(one);
    if (used === least && no > first) continue;
    [best, least, first] = [one, used, no];
  }
  return best;
}
