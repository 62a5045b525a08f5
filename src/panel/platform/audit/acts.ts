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
  /**
   * Throws `too_many_requests` for an account, as `countedAs` names it, that has to wait before its next act; `isWayOut` for one that
   * begins or ends sessions.
   */
  requireRoom(whose: string, isWayOut?: boolean): void;
}

/** Makes the count, which begins anew with the program. */
export function createActs(clock: Pick<Clock, "monotonic">): Acts {
  const left = new Map<string, { acts: number; at: number }>();
  const paceOf = (whose: string): Pace => (isDirectory(whose) ? DIRECTORY : PERSON);

  function now(whose: string): { acts: number; at: number } {
    const at = clock.monotonic();
    const { burst, perSecond } = paceOf(whose);
    const known = left.get(whose);
    return { at, acts: known ? Math.min(burst, known.acts + ((at - known.at) / 1000) * perSecond) : burst };
  }

  return {
    note(by) {
      const whose = countedAs(by);
      // Nodes and the panel itself have one word for both; what they do is bounded where it is done.
      if (by.ip === "" || (by.account_id === by.member_id && !isDirectory(whose))) return;
      const { acts, at } = now(whose);
      left.delete(whose);
      left.set(whose, { acts: Math.max(-paceOf(whose).debt, acts - 1), at });
      const first = left.keys().next();
      if (left.size > ACCOUNTS_MAX && !first.done) left.delete(first.value);
    },
    requireRoom(whose, isWayOut = false) {
      const { acts } = now(whose);
      const needed = isWayOut ? 1 : RESERVE + 1;
      if (acts >= needed) return;
      throw tooManyRequests(Math.ceil((needed - acts) / paceOf(whose).perSecond));
    },
  };
}
