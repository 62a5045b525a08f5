import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "./clock.ts";
import { createPiles } from "./piles.ts";

/** For whom something is done: a group, and who of it. What one member has taken counts for its whole group. */
export type Whose = readonly [group: string, member: string];

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
  /** The key of both parts. */
  member: string;
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

/**
 * Lets callers pass at once while turns of the event loop are short, few where one was long, and one alone right after it. Of those who
 * wait the one goes first whose group, and in it who, has taken the least time since the crowd began. Who comes later begins where the
 * others are, or they would have to wait until it has taken as much. So whoever asks for what is dear, as often as they like, holds
 * everybody else for the time of one answer. Every group has its turn, so whoever can make up names without end must be members of one.
 * Null, or false later, when too many wait: the caller has to come again. The newest of the group that has most there makes room for those
 * that have less, and in it of the member who has.
 */
export function createFairTurns(clock: Pick<Clock, "monotonic">): TakeTurn {
  const waiting: Waiting[] = [];
  const taken = new Map<string, number>();
  const waits = createPiles<Waiting>();
  /** What who went last had taken before: of the groups, and of the members of each. */
  let floor = 0;
  const floors = new Map<string, number>();
  let isOpen = false;
  let begun = 0;
  let room = 0;
  let lastLong = Number.NEGATIVE_INFINITY;
  /** Who passed in this turn. What it takes counts for all of them in equal parts, as nobody knows whose doing it was. */
  let passed: Whose[] = [];

  const memberKey = ([group, member]: Whose): string => `${group}\n${member}`;
  function add(counts: Map<string, number>, key: string, more: number): void {
    counts.set(key, (counts.get(key) ?? 0) + more);
  }

  function forget(): void {
    taken.clear();
    floors.clear();
    floor = 0;
  }

  function enter(one: Waiting): void {
    const [group] = one.whose;
    waiting.push(one);
    one.uncount = waits.add(one.whose, one);
    taken.set(group, Math.max(taken.get(group) ?? 0, floor));
    taken.set(one.member, Math.max(taken.get(one.member) ?? 0, floors.get(group) ?? 0));
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

  /** Takes out who goes next. */
  function next(): Waiting[] {
    let best = 0;
    let least: readonly [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const [index, { whose, member }] of waiting.entries()) {
      const costs = [taken.get(whose[0]) ?? 0, taken.get(member) ?? 0] as const;
      if (isLess(costs, least)) [best, least] = [index, costs];
    }
    const found = leave(best);
    floor = least[0];
    for (const { whose } of found) floors.set(whose[0], least[1]);
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
    for (const whose of passed) for (const key of [whose[0], memberKey(whose)]) add(taken, key, share);
    open(now, isLong);
    const admitted: Waiting[] = [];
    for (; room > 0 && waiting.length > 0; room--) admitted.push(...next());
    passed = admitted.map(({ whose }) => whose);
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
      passed.push(whose);
      return undefined;
    }
    const member = memberKey(whose);
    if (waits.count(whose) >= MEMBER_MAX) return null;
    const { promise, resolve: admit } = Promise.withResolvers<boolean>();
    const newcomer: Waiting = { whose, member, admit, uncount: () => {} };
    enter(newcomer);
    return makeRoom(newcomer) ? promise : null;
  };
}

const isLess = ([one, two]: readonly [number, number], [other, another]: readonly [number, number]): boolean =>
  one < other || (one === other && two < another);
