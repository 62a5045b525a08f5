import type { Clock } from "../../../../lib/clock.ts";
import { minutes, seconds } from "../../../../lib/duration.ts";
import { createSharedMap } from "../../../../lib/shared-map.ts";
import type { Bringer } from "../belief.ts";

/** Whose time it is. */
export type Spender = Pick<Bringer, "connector_id" | "isKnown">;

/** How much of the judge's time each connector has. Its known networks and strangers have an account each, so that neither spends the other's. */
export interface JudgedTime {
  /** Seconds until the next answer may be judged; 0 for none. */
  wait(spender: Spender): number;
  /** Counts what an answer took. */
  count(spender: Spender, tookMs: number): void;
}

/** What there is at once, and what comes in a minute. */
export interface TimeRules {
  atOnceMs: number;
  inMinuteMs: number;
}

/** An honest answer takes some 20 ms of a processor: an office of seven hundred comes in at once, and 150 in each minute after that. */
const RULES: TimeRules = { atOnceMs: seconds(15), inMinuteMs: seconds(3) };
/** An answer of some hundred groups, signed once. What one takes is all that others wait, so twice that counts fourfold. */
const USUAL_MS = 50;
/** No single one counts for more. */
const MOST_OF_ONE_MS = seconds(5);
const MOST_ACCOUNTS = 20_000;

/** Makes the accounts. */
export function createJudgedTime(
  clock: Pick<Clock, "monotonic">,
  { atOnceMs, inMinuteMs }: TimeRules = RULES,
): JudgedTime {
  const perMs = inMinuteMs / minutes(1);
  const spent = createSharedMap<{ ms: number; at: number }>(clock, {
    size: MOST_ACCOUNTS,
    ttlMs: (atOnceMs + MOST_OF_ONE_MS) / perMs,
  });
  const keyOf = ({ connector_id, isKnown }: Spender): string => `${connector_id} ${isKnown ? "known" : "strangers"}`;

  function spentBy(spender: Spender): number {
    const account = spent.get(keyOf(spender));
    return account === null ? 0 : Math.max(0, account.ms - (clock.monotonic() - account.at) * perMs);
  }

  return {
    wait(spender) {
      const over = spentBy(spender) - atOnceMs;
      return over < 0 ? 0 : Math.max(1, Math.ceil(over / perMs / 1000));
    },
    count(spender, tookMs) {
      const counted = Math.min(MOST_OF_ONE_MS, tookMs * Math.max(1, tookMs / USUAL_MS));
      const account = { ms: spentBy(spender) + counted, at: clock.monotonic() };
      spent.set(keyOf(spender), account, [spender.connector_id]);
    },
  };
}
