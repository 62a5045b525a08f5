import type { Clock } from "./clock.ts";
import { createPlaces } from "./places.ts";

/** For whom something is done: a group, and who of it. What one member has taken counts for its whole group. */
export type Whose = readonly [group: string, member: string];

interface Waiting {
  whose: Whose;
  /** The key of both parts. */
  member: string;
  admit: () => void;
  leave: () => void;
}

/** How long a turn of the event loop may last before whoever comes in it waits for another. */
const TURN_MS = 8;
/** How many may pass in a turn: where all turns are short, for so long after one that was not, and right after such a one. */
const PASSING = { ever: 64, soon: 4, next: 1 };
const SOON_MS = 1_000;
/** How many of one member may wait, as a page asks for, and how many in all: it takes eighty accounts to keep others from waiting. */
const MEMBER_MAX = 50;
const ALL_MAX = 4_000;
/** Of how many it is remembered what they took: when more come in one crowd, all begin anew. */
const KNOWN_MAX = 20_000;

/**
 * Lets callers pass at once while turns of the event loop are short, few where one was long, and one alone right after it. Of those who
 * wait the one goes first whose group, and in it who, has taken the least time since the crowd began. So whoever asks for what is dear,
 * as often as they like, holds everybody else for the time of one answer. A group that was not there before goes first, so whoever can
 * make up names without end must be members of one. Null when too many wait: the caller has to come again.
 */
export function createFairTurns(clock: Pick<Clock, "monotonic">): (whose: Whose) => Promise<void> | undefined | null {
  const waiting: Waiting[] = [];
  const taken = new Map<string, number>();
  const places = createPlaces();
  let isOpen = false;
  let begun = 0;
  let room = 0;
  let lastLong = Number.NEGATIVE_INFINITY;
  let last: Whose | null = null;

  const memberKey = ([group, member]: Whose): string => `${group}\n${member}`;
  const charge = (key: string, ms: number): void => void taken.set(key, (taken.get(key) ?? 0) + ms);

  /** Takes out who goes next. */
  function next(): Waiting[] {
    let best = 0;
    let least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const [index, { whose, member }] of waiting.entries()) {
      const costs = [taken.get(whose[0]) ?? 0, taken.get(member) ?? 0];
      if (isLess(costs, least)) [best, least] = [index, costs];
    }
    return waiting.splice(best, 1);
  }

  function open(now: number, isAfterLong: boolean): void {
    begun = now;
    const usual = now - lastLong < SOON_MS ? PASSING.soon : PASSING.ever;
    room = isAfterLong ? PASSING.next : usual;
  }

  function beginTurn(): void {
    const now = clock.monotonic();
    const isLong = now - begun >= TURN_MS;
    if (isLong) lastLong = now;
    if (last !== null) {
      charge(last[0], now - begun);
      charge(memberKey(last), now - begun);
      if (taken.size > KNOWN_MAX) taken.clear();
    }
    open(now, isLong);
    const admitted: Waiting[] = [];
    for (; room > 0 && waiting.length > 0; room--) admitted.push(...next());
    last = admitted.at(-1)?.whose ?? null;
    isOpen = admitted.length > 0;
    if (!isOpen) {
      taken.clear();
      return;
    }
    setImmediate(beginTurn);
    for (const { leave, admit } of admitted) {
      leave();
      admit();
    }
  }

  return (whose) => {
    if (!isOpen) {
      isOpen = true;
      last = whose;
      open(clock.monotonic(), false);
      setImmediate(beginTurn);
    }
    if (room > 0 && waiting.length === 0 && clock.monotonic() - begun < TURN_MS) {
      room -= 1;
      return undefined;
    }
    const member = memberKey(whose);
    const place = places.take([
      { key: member, most: MEMBER_MAX },
      { key: "all", most: ALL_MAX },
    ]);
    if (place.full !== null) return null;
    return new Promise((resolve) => waiting.push({ whose, member, admit: resolve, leave: place.give }));
  };
}

const isLess = ([one = 0, two = 0]: readonly number[], [other = 0, another = 0]: readonly number[]): boolean =>
  one < other || (one === other && two < another);
