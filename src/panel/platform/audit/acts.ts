import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { countedAs, isDirectory } from "../../actor.ts";
import type { By } from "../../event-meaning.ts";

/** How much may be written at once and after that, and how much of it ahead of time. */
interface Pace {
  burst: number;
  perSecond: number;
  debt: number;
}

/**
 * More than a person does in a day of hard work, and 720 an hour after that. One act may have many lines, and leaves no debt: its account
 * could else do nothing for hours.
 */
const PERSON: Pace = { burst: 2_100, perSecond: 0.2, debt: 0 };
/** What brings ten thousand people into a workspace and gives each a role, twice over, and 1,800 an hour after that. */
const DIRECTORY: Pace = { burst: 40_000, perSecond: 0.5, debt: 40_000 };
/**
 * What is refused writes nothing, but costs as much: more than anybody tries by hand, and as often as a program asks again. What was long
 * under way before it was undone counts for many, and may leave a debt.
 */
const REFUSED: Pace = { burst: 1_000, perSecond: 1, debt: 1_000 };
/**
 * The last of them are for signing in, out, and others out: whoever stole a session could else keep its owner from ending it by acting in
 * their name.
 */
const RESERVE = 100;
const ACCOUNTS_MAX = 20_000;

/**
 * How much one account writes into logs that are kept for a year: it is the acts that are limited, because nothing of a log may go to
 * make room for more.
 */
export interface Acts {
  /**
   * Counts a line of the log that somebody's request wrote. What goes on by itself, such as a job on ten thousand nodes, has no
   * address.
   */
  note(by: By): void;
  /** Counts something of an account, as `countedAs` names it, that was refused once they were let in: for so many, one if left out. */
  noteRefused(whose: string, times?: number): void;
  /**
   * Throws `too_many_requests` for an account, as `countedAs` names it, that has to wait before its next act, or was refused too often;
   * `isWayOut` for one that begins or ends sessions.
   */
  requireRoom(whose: string, isWayOut?: boolean): void;
}

/** Counts for accounts how much of something they have left. */
function createPurses(clock: Pick<Clock, "monotonic">, paceOf: (whose: string) => Pace) {
  const known = new Map<string, { left: number; at: number }>();
  function read(whose: string): { left: number; at: number } {
    const at = clock.monotonic();
    const { burst, perSecond } = paceOf(whose);
    const before = known.get(whose);
    return { at, left: before ? Math.min(burst, before.left + ((at - before.at) / 1000) * perSecond) : burst };
  }
  return {
    take(whose: string, count = 1): void {
      const { left, at } = read(whose);
      known.delete(whose);
      known.set(whose, { left: Math.max(-paceOf(whose).debt, left - count), at });
      const first = known.keys().next();
      if (known.size > ACCOUNTS_MAX && !first.done) known.delete(first.value);
    },
    /** Throws `too_many_requests` for an account with less. */
    require(whose: string, needed: number): void {
      const { left } = read(whose);
      if (left < needed) throw tooManyRequests(Math.ceil((needed - left) / paceOf(whose).perSecond));
    },
  };
}

/** Makes the count, which begins anew with the program. */
export function createActs(clock: Pick<Clock, "monotonic">): Acts {
  const acts = createPurses(clock, (whose) => (isDirectory(whose) ? DIRECTORY : PERSON));
  const refused = createPurses(clock, () => REFUSED);
  return {
    note(by) {
      const whose = countedAs(by);
      // Nodes and the panel itself have one word for both; what they do is bounded where it is done.
      if (by.ip === "" || (by.account_id === by.member_id && !isDirectory(whose))) return;
      acts.take(whose);
    },
    noteRefused: refused.take,
    requireRoom(whose, isWayOut = false) {
      acts.require(whose, isWayOut ? 1 : RESERVE + 1);
      if (!isWayOut) refused.require(whose, 1);
    },
  };
}
