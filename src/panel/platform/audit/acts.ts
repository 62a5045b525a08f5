import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { countedAs } from "../../actor.ts";
import type { By } from "../../event-meaning.ts";

/** More than a person does in a day of hard work, and 720 an hour after that. */
const BURST = 2_100;
const PER_SECOND = 0.2;
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
  /** Counts a line of the log that somebody's request wrote. What goes on by itself, such as a job on ten thousand nodes, has no address. */
  note(by: By): void;
  /** Throws `too_many_requests` for an account, as `countedAs` names it, that has to wait before its next act; `isWayOut` for one that begins or ends sessions. */
  requireRoom(whose: string, isWayOut?: boolean): void;
}

/** Makes the count, which begins anew with the program. */
export function createActs(clock: Pick<Clock, "monotonic">): Acts {
  const left = new Map<string, { acts: number; at: number }>();

  function now(whose: string): { acts: number; at: number } {
    const at = clock.monotonic();
    const known = left.get(whose);
    return { at, acts: known ? Math.min(BURST, known.acts + ((at - known.at) / 1000) * PER_SECOND) : BURST };
  }

  return {
    note(by) {
      // Nodes, directories and the panel itself have one word for both; what they do is bounded where it is done.
      if (by.ip === "" || by.account_id === by.member_id) return;
      const whose = countedAs(by);
      const { acts, at } = now(whose);
      left.delete(whose);
      // One act may have many lines: it is never so long over that its account could do nothing for hours.
      left.set(whose, { acts: Math.max(0, acts - 1), at });
      const first = left.keys().next();
      if (left.size > ACCOUNTS_MAX && !first.done) left.delete(first.value);
    },
    requireRoom(whose, isWayOut = false) {
      const { acts } = now(whose);
      const needed = isWayOut ? 1 : RESERVE + 1;
      if (acts >= needed) return;
      const wait = Math.ceil((needed - acts) / PER_SECOND);
      throw tooManyRequests(wait);
    },
  };
}
