import type { Clock } from "./clock.ts";
import type { Whose } from "./fair-turns.ts";

/** Runs a task as soon as one of the slots is for whom it is done; gives what the task gives. */
export type FairSlots = <T>(whose: Whose, task: () => Promise<T>) => Promise<T>;

/** How many slots there are, and how they are shared. */
export interface SlotRules {
  size: number;
  /** So many of them are only for groups that have none, or fewer than they count for. */
  spare: number;
  /** A group that counts for several has so many times the share of others; 1 for most. */
  weightOf(group: string): number;
}

/** What a group, or a member of one, has of the slots: how many now, and for how long since others began to wait (milliseconds). */
interface Share {
  running: number;
  taken: number;
  /** How many tasks wait. */
  waiting: number;
}

interface Member extends Share {
  queue: (() => void)[];
}

interface Group extends Share {
  weight: number;
  members: Map<string, Member>;
  /** What the member that went last had taken. */
  floor: number;
}

/** Of so many it is known what they took; beyond that those who have nothing here begin anew. */
const KNOWN_MAX = 20_000;

/**
 * Shares slots among those who want them. While there is room a task begins at once; of those that wait the one goes first whose group
 * has the fewest slots, then the one whose group has had them for the least time, and in it the same of its members; tasks of a member
 * begin in order. Who comes later begins where the others are, so that nobody waits without end. A group that has a slot cannot take
 * the last ones: whoever comes to a crowd for the first time finds room. A task must not wait for another slot.
 */
export function createFairSlots(clock: Pick<Clock, "monotonic">, { size, spare, weightOf }: SlotRules): FairSlots {
  const groups = new Map<string, Group>();
  const all = { running: 0, waiting: 0, known: 0, floor: 0 };

  function find([name, who]: Whose): [Group, Member] {
    const none = () => ({ running: 0, taken: 0, waiting: 0 });
    const group = groups.get(name) ?? { ...none(), weight: weightOf(name), members: new Map(), floor: 0 };
    const member = group.members.get(who) ?? { ...none(), queue: [] };
    if (!group.members.has(who)) all.known += 1;
    groups.set(name, group);
    group.members.set(who, member);
    return [group, member];
  }

  /** Drops those who have nothing here. */
  function forget(): void {
    for (const [name, group] of groups) {
      for (const [who, { running, waiting }] of group.members) if (running + waiting === 0) drop(group.members, who);
      if (group.members.size === 0) groups.delete(name);
    }
  }

  function drop(members: Group["members"], who: string): void {
    members.delete(who);
    all.known -= 1;
  }

  /** The crowd is over: what anybody has taken no longer counts. */
  function beginAnew(): void {
    forget();
    all.floor = 0;
    for (const group of groups.values()) {
      [group.taken, group.floor] = [0, 0];
      for (const member of group.members.values()) member.taken = 0;
    }
  }

  const hasRoom = ({ running, weight }: Group): boolean => all.running < (running < weight ? size : size - spare);

  function begin(group: Group, member: Member): void {
    for (const share of [all, group, member]) share.running += 1;
  }

  function end(group: Group, member: Member, ms: number): void {
    for (const share of [all, group, member]) share.running -= 1;
    group.taken += ms / group.weight;
    member.taken += ms;
    if (all.waiting === 0) beginAnew();
    else if (all.known > KNOWN_MAX) forget();
    fill();
  }

  function enqueue(group: Group, member: Member): Promise<void> {
    if (group.waiting === 0) group.taken = Math.max(group.taken, all.floor);
    if (member.waiting === 0) member.taken = Math.max(member.taken, group.floor);
    for (const share of [all, group, member]) share.waiting += 1;
    return new Promise((resolve) => {
      member.queue.push(resolve);
      fill();
    });
  }

  /** Lets in who may begin now. */
  function fill(): void {
    while (all.waiting > 0 && all.running < size) {
      const group = leastOf(groups.values(), hasRoom);
      const member = group && leastOf(group.members.values(), () => true);
      if (!group || !member) return;
      all.floor = group.taken;
      group.floor = member.taken;
      for (const share of [all, group, member]) share.waiting -= 1;
      begin(group, member);
      member.queue.shift()?.();
    }
  }

  return async (whose, task) => {
    const [group, member] = find(whose);
    if (all.waiting === 0 && hasRoom(group)) begin(group, member);
    else await enqueue(group, member);
    const begun = clock.monotonic();
    try {
      return await task();
    } finally {
      end(group, member, clock.monotonic() - begun);
    }
  };
}

/** Of those who wait and may begin the one that has least. */
function leastOf<S extends Share & { weight?: number }>(shares: Iterable<S>, mayBegin: (one: S) => boolean): S | null {
  let best: S | null = null;
  for (const one of shares)
    if (one.waiting > 0 && mayBegin(one) && (best === null || hasLess(one, best))) best = one;
  return best;
}

function hasLess(one: Share & { weight?: number }, other: Share & { weight?: number }): boolean {
  const [mine, theirs] = [one.running / (one.weight ?? 1), other.running / (other.weight ?? 1)];
  return mine < theirs || (mine === theirs && one.taken < other.taken);
}
