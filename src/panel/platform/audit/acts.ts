import { kernelFail } from "../../../kernel/http/errors.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { By } from "../../event-meaning.ts";

/** More than a person does in a day of hard work, and 720 an hour after that. */
const BURST = 2_000;
const PER_SECOND = 0.2;
const ACCOUNTS_MAX = 20_000;

/**
 * How much one account writes into logs that are kept for a year: it is the acts that are limited, because nothing of a log may go to
 * make room for more.
 */
export interface Acts {
  /** Counts a line of the log that somebody's request wrote. What goes on by itself, such as a job on ten thousand nodes, has no address. */
  note(by: Pick<By, "account_id" | "member_id" | "ip">): void;
  /** Throws `too_many_requests` for an account that has to wait before its next act. */
  requireRoom(accountId: string): void;
}

/** Makes the count, which begins anew with the program. */
export function createActs(clock: Pick<Clock, "monotonic">): Acts {
  const left = new Map<string, { acts: number; at: number }>();

  function now(accountId: string): { acts: number; at: number } {
    const at = clock.monotonic();
    const known = left.get(accountId);
    return { at, acts: known ? Math.min(BURST, known.acts + ((at - known.at) / 1000) * PER_SECOND) : BURST };
  }

  return {
    note({ account_id, member_id, ip }) {
      // Nodes, directories and the panel itself have one word for both; what they do is bounded where it is done.
      if (ip === "" || account_id === member_id) return;
      const { acts, at } = now(account_id);
      left.delete(account_id);
      // One act may have many lines: it is never so long over that its account could do nothing for hours.
      left.set(account_id, { acts: Math.max(0, acts - 1), at });
      const first = left.keys().next();
      if (left.size > ACCOUNTS_MAX && !first.done) left.delete(first.value);
    },
    requireRoom(accountId) {
      const { acts } = now(accountId);
      if (acts >= 1) return;
      const wait = Math.ceil((1 - acts) / PER_SECOND);
      throw kernelFail("too_many_requests", { retry_after_s: wait }, { "retry-after": String(wait) });
    },
  };
}
