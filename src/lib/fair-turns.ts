import type { Clock } from "./clock.ts";

/** For whom something is done: a group, and who of it. What one member has taken counts for its whole group. */
export type Whose = readonly [group: string, member: string];

interface Waiting {
  whose: Whose;
  /** The key of both parts. */
  member: string;
  admit: () => void;
}

/** How long a turn of the event loop may last before whoever comes in it waits for another. */
const TURN_MS = 8;
/** How many may pass in a turn: where all turns are short, for so long after one that was not, and right after such a one. */
const PASSING = { ever: 64, soon: 4, next: 1 };
const SOON_MS = 1_000;
/** How many of one member may wait, and how many in all. */
const MEMBER_MAX = 200;
const ALL_MAX = 4_000;

/**
 * Lets callers pass at once while turns of the event loop are short, few where one was long, and one alone right after it. Of those who
 * wait the one goes first whose group, and in it who, has taken the least time since the crowd began. So whoever asks for what is dear, as often
 * as they like, holds everybody else for the time of one answer. Null when too many wait: the caller has to come again.
 */
export function createFairTurns(clock: Pick<Clock, "monotonic">): (whose: Whose) => Promise<void> | undefined | null {
  const waiting: Waiting[] = [];
  const taken = new Map<string, number>();
  const waits = new Map<string, number>();
  let isOpen = false;
  let begun = 0;
  let room = 0;
  let lastLong = Number.NEGATIVE_INFINITY;
  let last: Whose | null = null;

  const memberKey = ([group, member]: Whose): string => `${group}\n${member}`;
  const add = (counts: Map<string, number>, key: string, more: number): void =>
    void counts.set(key, (counts.get(key) ?? 0) + more);

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
      add(taken, last[0], now - begun);
      add(taken, memberKey(last), now - begun);
    }
    open(now, isLong);
    const admitted: Waiting[] = [];
    for (; room > 0 && waiting.length > 0; room--) admitted.push(...next());
    last = admitted.at(-1)?.whose ?? null;
    isOpen = admitted.length > 0;
    if (!isOpen) {
      taken.clear();
      waits.clear();
      return;
    }
    setImmediate(beginTurn);
    for (const { member, admit } of admitted) {
      add(waits, member, -1);
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
    if (waiting.length >= ALL_MAX || (waits.get(member) ?? 0) >= MEMBER_MAX) return null;
    add(waits, member, 1);
    return new Promise((resolve) => waiting.push({ whose, member, admit: resolve }));
  };
}

const isLess = ([one = 0, two = 0]: readonly number[], [other = 0, another = 0]: readonly number[]): boolean =>
  one < other || (one === other && two < another);
