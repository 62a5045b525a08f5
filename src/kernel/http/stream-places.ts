import { createPiles } from "../../lib/piles.ts";
import { kernelFail } from "./errors.ts";
import { readerOf } from "./unread-answers.ts";

/** How many streams there may be. */
export interface StreamLimits {
  /** Of one account, or of one network of strangers. */
  each: number;
  /** Of all accounts, and of all strangers, who take nothing of what accounts have. */
  accounts: number;
  strangers: number;
}

/** A place of a stream. */
export interface StreamPlace {
  /** Aborts when it went to somebody else. */
  lost: AbortSignal;
  /** Gives it back, once. */
  give(): void;
}

/** Takes a place for the stream that a request asks for. Throws `streams_full`. */
export type TakeStreamPlace = (request: Request) => StreamPlace;

/**
 * Bounds the streams of a program: each is written to when something happens, and asked anew when somebody loses something. When there are
 * too many in all, the newest of whoever has most makes room for those who have fewer: an account, or the strangers of a provider, of a
 * site in it, and so on.
 */
export function createStreamPlaces({ each, accounts, strangers }: StreamLimits): TakeStreamPlace {
  const ofAccounts = {
    piles: createPiles<() => void>(),
    most: accounts,
    each: "by your account",
    all: "by all accounts",
  };
  const ofStrangers = {
    ...{ piles: createPiles<() => void>(), most: strangers },
    ...{ each: "from your network", all: "by people who have not signed in" },
  };
  return (request) => {
    const { isStranger, path } = readerOf(request);
    const { piles, most, ...whose } = isStranger ? ofStrangers : ofAccounts;
    if (piles.count(path) >= each) throw kernelFail("streams_full", { count: each, whose: whose.each });
    const lost = new AbortController();
    const lose = (): void => {
      give();
      lost.abort();
    };
    const give = piles.add(path, lose);
    const loser = piles.count([]) > most ? piles.newestOfMost(path) : undefined;
    loser?.();
    if (lost.signal.aborted) throw kernelFail("streams_full", { count: most, whose: whose.all });
    return { lost: lost.signal, give };
  };
}
