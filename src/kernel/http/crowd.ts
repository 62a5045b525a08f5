import type { Clock } from "../../lib/clock.ts";
import { createPiles } from "../../lib/piles.ts";

/** How many there may be. */
export interface CrowdLimits {
  /** In all. */
  max: number;
  /** Of each whom a whole path leads to, such as a network. */
  maxOfEach: number;
  /** Whoever was here for longer than this makes room where nobody has more than the newcomer, milliseconds. */
  fairMs: number;
}

/** Those who are let in for a while, each of somebody who may be a part of others, such as a network of a provider. */
export interface Crowd<T> {
  /** Lets a member in, if need be in the place of another one, which is `removed`; false when there is no room. The widest part is first. */
  admit(member: T, path: readonly string[]): boolean;
  /** It gets on, and is here from now as far as making room goes. */
  touch(member: T): void;
  /** It has gone, or is done. */
  leave(member: T): void;
  count(): number;
}

/**
 * Bounds a crowd so that nobody takes the room of another: each has a limit of its own, and when there are too many in all, whoever came
 * first of who has most goes, at once where that is more than the newcomer's have. Of a path the widest part decides first: a provider with
 * a thousand networks makes room for a network of another one. `removed` is told of those who had to go.
 */
export function createCrowd<T>(
  clock: Pick<Clock, "monotonic">,
  { max, maxOfEach, fairMs }: CrowdLimits,
  removed: (member: T) => void,
): Crowd<T> {
  const piles = createPiles<T>();
  const members = new Map<T, { since: number; path: readonly string[]; takeAway(): void }>();

  function add(member: T, path: readonly string[]): void {
    members.set(member, { since: clock.monotonic(), path, takeAway: piles.add(path, member) });
  }

  function leave(member: T): void {
    members.get(member)?.takeAway();
    members.delete(member);
  }

  function remove(member: T): boolean {
    leave(member);
    removed(member);
    return true;
  }

  /** Whether one of these was here for long enough to go: the oldest does. */
  function removeIfFair(some: readonly T[]): boolean {
    const sinceOf = (member: T): number => members.get(member)?.since ?? Number.POSITIVE_INFINITY;
    const [first] = some;
    if (first === undefined) return false;
    const oldest = some.reduce((before, member) => (sinceOf(member) < sinceOf(before) ? member : before), first);
    return clock.monotonic() - sinceOf(oldest) > fairMs && remove(oldest);
  }

  /** Whether there is room for one more, if need be in the place of another one. */
  function hasRoom(path: readonly string[]): boolean {
    if (piles.count(path) >= maxOfEach) return removeIfFair(piles.oldestOfEachMost(path));
    if (members.size < max) return true;
    const crowding = piles.oldestOfMore(path);
    return crowding === undefined ? removeIfFair(piles.oldestOfEachMost([])) : remove(crowding);
  }

  return {
    admit(member, path) {
      if (!hasRoom(path)) return false;
      add(member, path);
      return true;
    },
    touch(member) {
      const here = members.get(member);
      if (here === undefined) return;
      leave(member);
      add(member, here.path);
    },
    leave,
    count: () => members.size,
  };
}
