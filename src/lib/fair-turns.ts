import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "./clock.ts";
import { createPiles } from "./piles.ts";

/** For whom something is done: a group, who of it, and so on down. What a part has taken counts for all that it is in. */
export type Whose = readonly [group: string, member: string, ...parts: string[]];

/** Asks for a turn: undefined for whoever passes at once, null, or false later, where too many wait. */
export type TakeTurn = (whose: Whose) => Promise<boolean> | undefined | null;

/** Lets others go before the next part of something long, as soon as this turn of the event loop was long or others wait. */
export async function giveWay(takeTurn: TakeTurn, whose: Whose): Promise<void> {
  const turn = takeTurn(whose);
  // It is begun already: where too many wait, it goes on in the next turn.
  await (turn === null ? nextTurn() : turn);
}

interface Waiting {
  whose: Whose;
  keys: readonly string[];
  /** False: its place went to somebody who had fewer. */
  admit: (isIn: boolean) => void;
  /** Takes it out of those that are counted. */
  uncount: () => void;
}

/** How long a turn of the event loop may last before whoever comes in it waits for another. */
const TURN_MS = 8;
/** How many may pass in a turn: where all turns are short, for so long after one that was not, and right after such a one. */
const PASSING = { ever: 64, soon: 4, next: 1 };
const SOON_MS = 1_000;
/** How many of one member may wait, and how many in all. */
const MEMBER_MAX = 200;
const ALL_MAX = 4_000;
/** Of so many it is known what they took; beyond that all begin anew. */
const KNOWN_MAX = 20_000;

/** What all groups are in. */
const WHOLE = "";
/** The key of each part, the widest first. None is that of the whole, also where a group has no name. */
const keysOf = (whose: Whose): string[] => whose.map((_, index) => `/${whose.slice(0, index + 1).join("\n")}`);

/**
 * Lets callers pass at once while turns of the event loop are short, few where one was long, and one alone right after it. Of those who
 * wait the one goes first whose group, in it who, and so on down, has taken the least time since the crowd began. Who comes later begins
 * where the others are, or they would have to wait until it has taken as much. So whoever asks for what is dear, as often as they like,
 * holds everybody else for the time of one answer. Every group has its turn, so whoever can make up names without end must be parts of one.
 * Null, or false later, when too many wait: the caller has to come again. The newest of the group that has most there makes room for those
 * that have less, in it of who has, and so on down.
 */
export function createFairTurns(clock: Pick<Clock, "monotonic">): TakeTurn {
  const waiting: Waiting[] = [];
  const taken = new Map<string, number>();
  const waits = createPiles<Waiting>();
  /** What who went last had taken before: among the groups, and among the parts of each. */
  const floors = new Map<string, number>();
  let isOpen = false;
  let begun = 0;
  let room = 0;
  let lastLong = Number.NEGATIVE_INFINITY;
  /** Who passed in this turn. What it takes counts for all of them in equal parts, as nobody knows whose doing it was. */
  let passed: (readonly string[])[] = [];
  const timeOf = (key: string | undefined): number => (key === undefined ? 0 : (taken.get(key) ?? 0));

  function forget(): void {
    taken.clear();
    floors.clear();
  }

  function enter(one: Waiting): void {
    waiting.push(one);
    one.uncount = waits.add(one.whose, one);
    for (const [index, key] of one.keys.entries())
      taken.set(key, Math.max(timeOf(key), floors.get(one.keys[index - 1] ?? WHOLE) ?? 0));
  }

  function leave(index: number): Waiting[] {
    const gone = waiting.splice(index, 1);
    for (const { uncount } of gone) uncount();
    return gone;
  }

  /** Where too many wait, sends away the newest of who has most; false when that is the one that has just come. */
  function makeRoom(newcomer: Waiting): boolean {
    if (waiting.length <= ALL_MAX) return true;
    const loser = waits.newestOfMost(newcomer.whose) ?? newcomer;
    for (const { admit } of leave(waiting.lastIndexOf(loser))) admit(false);
    return loser !== newcomer;
  }

  /** Whether the widest of their parts that have not taken the same time is one that has taken less. */
  function goesBefore(one: readonly string[], other: readonly string[]): boolean {
    for (let depth = 0; depth < one.length && depth < other.length; depth++) {
      if (one[depth] === other[depth]) continue;
      const more = timeOf(one[depth]) - timeOf(other[depth]);
      if (more !== 0) return more < 0;
    }
    return false;
  }

  /** Takes out who goes next. */
  function next(): Waiting[] {
    let best = 0;
    for (const [index, { keys }] of waiting.entries()) if (goesBefore(keys, waiting[best]?.keys ?? [])) best = index;
    const found = leave(best);
    for (const { keys } of found)
      for (const [index, key] of keys.entries()) floors.set(keys[index - 1] ?? WHOLE, timeOf(key));
    return found;
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
    const share = (now - begun) / passed.length;
    for (const key of passed.flat()) taken.set(key, timeOf(key) + share);
    open(now, isLong);
    const admitted: Waiting[] = [];
    for (; room > 0 && waiting.length > 0; room--) admitted.push(...next());
    passed = admitted.map(({ keys }) => keys);
    isOpen = admitted.length > 0;
    if (!isOpen) {
      forget();
      return;
    }
    if (taken.size > KNOWN_MAX) forget();
    setImmediate(beginTurn);
    for (const { admit } of admitted) admit(true);
  }

  return (whose) => {
    if (!isOpen) {
      isOpen = true;
      open(clock.monotonic(), false);
      setImmediate(beginTurn);
    }
    if (room > 0 && waiting.length === 0 && clock.monotonic() - begun < TURN_MS) {
      room -= 1;
      passed.push(keysOf(whose));
      return undefined;
    }
    if (waits.count(whose) >= MEMBER_MAX) return null;
    const { promise, resolve: admit } = Promise.withResolvers<boolean>();
    const newcomer: Waiting = { whose, keys: keysOf(whose), admit, uncount: () => {} };
    enter(newcomer);
    return makeRoom(newcomer) ? promise : null;
  };
}
