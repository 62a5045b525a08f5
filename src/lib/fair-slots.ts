import type { Clock } from "./clock.ts";
import type { Whose } from "./fair-turns.ts";

/** Runs a task as soon as one of the slots is for whom it is done; gives what the task gives. */
export type FairSlots = <T>(whose: Whose, task: () => Promise<T>) => Promise<T>;

/** How many slots there are, and how they are shared. */
export interface SlotRules {
  size: number;
  /** So many of them are only for groups that took little lately. */
  spare: number;
  /** A group that counts for several has so many times the share of others; 1 for most. */
  weightOf(group: string): number;
}

/** What a group, or a member of one, has of the slots. */
interface Share {
  weight: number;
  running: number;
  /** When the tasks that run began, all added up. */
  begun: number;
  waiting: number;
  /** For how long it had slots, by what it gave back: milliseconds, of which half are forgotten in a while. */
  taken: number;
  /** When that was reckoned. */
  at: number;
}

interface Member extends Share {
  /** Each is told when it begins. */
  queue: ((now: number) => void)[];
}

interface Group extends Share {
  members: Map<string, Member>;
}

/** Half of what was taken is forgotten after so long. */
const HALF_MS = 2_000;
/** Who took less than so much, and has no more than so many, may have the spare slots. */
const LITTLE = { ms: 100, slots: 4 };
/** A task that runs is taken for so much longer than it has run, so that many that begin together count for more than one. */
const BEGUN_MS = 20;
/** Less is as good as nothing: those who have so little wait in order. */
const NOTHING_MS = 1;
/** Of so many it is known what they took; beyond that it is forgotten of those who have nothing here. */
const KNOWN_MAX = 20_000;

/**
 * Shares slots among those who want them. While there is room a task begins at once; of those that wait the one goes first whose group
 * had slots for the least time lately, and in it the one whose member had; tasks of a member begin in order. The spare slots are never
 * for groups that had much: whoever comes to a crowd finds room. What waits has ever less, so that nobody waits without end. A task must
 * not wait for another slot.
 */
export function createFairSlots(clock: Pick<Clock, "monotonic">, { size, spare, weightOf }: SlotRules): FairSlots {
  const groups = new Map<string, Group>();
  let running = 0;
  let waiting = 0;
  let known = 0;

  function find([name, who]: Whose): [Group, Member] {
    const none = (weight: number) => ({ weight, running: 0, begun: 0, waiting: 0, taken: 0, at: 0 });
    const group = groups.get(name) ?? { ...none(weightOf(name)), members: new Map<string, Member>() };
    const member = group.members.get(who) ?? { ...none(1), queue: [] };
    if (!group.members.has(who)) known += 1;
    groups.set(name, group);
    group.members.set(who, member);
    return [group, member];
  }

  function forgetIdle(): void {
    for (const [name, group] of groups) {
      for (const [who, member] of group.members) if (member.running + member.waiting === 0) group.members.delete(who);
      if (group.members.size === 0) groups.delete(name);
    }
    known = groups.values().reduce((sum, { members }) => sum + members.size, 0);
  }

  function hasRoom(group: Group, now: number): boolean {
    if (running < size - spare) return true;
    const { weight } = group;
    return running < size && group.running < LITTLE.slots * weight && usedBy(group, now) < LITTLE.ms;
  }

  function begin(group: Group, member: Member, now: number): void {
    running += 1;
    for (const share of [group, member]) {
      share.running += 1;
      share.begun += now;
    }
  }

  function end(group: Group, member: Member, begun: number): void {
    const now = clock.monotonic();
    running -= 1;
    for (const share of [group, member]) {
      share.running -= 1;
      share.begun -= begun;
      share.taken = leftOf(share, now) + now - begun;
      share.at = now;
    }
    if (known > KNOWN_MAX) forgetIdle();
    if (waiting > 0) fill(now);
  }

  /** Lets in who may begin now. */
  function fill(now: number): void {
    while (waiting > 0 && running < size) {
      const group = leastOf(groups.values(), now, (one) => hasRoom(one, now));
      const member = group && leastOf(group.members.values(), now, () => true);
      if (!group || !member) return;
      waiting -= 1;
      for (const share of [group, member]) share.waiting -= 1;
      begin(group, member, now);
      member.queue.shift()?.(now);
    }
  }

  /** When the task began. */
  async function enter(group: Group, member: Member): Promise<number> {
    const came = clock.monotonic();
    if (waiting === 0 && hasRoom(group, came)) {
      begin(group, member, came);
      return came;
    }
    waiting += 1;
    for (const share of [group, member]) share.waiting += 1;
    return new Promise((resolve) => {
      member.queue.push(resolve);
      fill(came);
    });
  }

  return async (whose, task) => {
    const [group, member] = find(whose);
    const begun = await enter(group, member);
    try {
      return await task();
    } finally {
      end(group, member, begun);
    }
  };
}

/** What is left by now of what was taken. */
const leftOf = ({ taken, at }: Share, now: number): number => taken * 2 ** ((at - now) / HALF_MS);

/** For how long slots were taken lately, those that are taken now among them, by weight. */
function usedBy(share: Share, now: number): number {
  const { running, begun, weight } = share;
  const used = (leftOf(share, now) + running * (now + BEGUN_MS) - begun) / weight;
  return used < NOTHING_MS ? 0 : used;
}

/** Of those who wait and may begin the one that has least, and of several the first. */
function leastOf<S extends Share>(shares: Iterable<S>, now: number, mayBegin: (one: S) => boolean): S | null {
  let best: S | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const one of shares) {
    if (one.waiting === 0 || !mayBegin(one)) continue;
    const used = usedBy(one, now);
    if (used >= least) continue;
    best = one;
    least = used;
  }
  return best;
}
