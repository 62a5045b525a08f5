import { createLimiter, type Limiter } from "../../../kernel/http/limit.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";
import type { Ids } from "../../../lib/ids.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";

const LIFETIME_MS = minutes(5);
const MAX_LOGINS = 10_000;
const TRIES_PER_LOGIN = 5;
const TRIES_PER_USER = 10;

/** A try to finish a login. */
interface Attempt<T> {
  user_id: string;
  letInBy: string | null;
  proof: T | null;
}

/** Logins whose first factor is proven and whose second one is awaited. Kept in memory: a restart ends them. */
export interface PendingLogins {
  /**
   * Starts one and returns its temp token. It ends as soon as `holds` says that its first factor is worth nothing any more. `letInBy` is
   * the paired device that the first factor ends with.
   */
  begin(userId: string, holds: () => boolean, letInBy: string | null): string;
  /** Codes that each user has tried, to finish a login or to confirm something: a known session or password is not enough. */
  tries: Limiter;
  /**
   * Lets `check` judge a code for the login of `token`. Null when there is no such login or it has had too many tries;
   * a proof ends the login, so that nobody gets in twice.
   */
  attempt<T>(token: string, check: (userId: string) => T | null): Attempt<T> | null;
}

interface Login {
  user_id: string;
  letInBy: string | null;
  tries: number;
  holds(): boolean;
}

/** No pending logins. Tries are counted per login and, because a known password starts any number, per user. */
export function createPendingLogins(clock: Clock, ids: Ids): PendingLogins {
  const rules = { size: MAX_LOGINS, ttlMs: LIFETIME_MS };
  const logins = createSharedMap<Login>(clock, rules);
  const tries = createLimiter(clock, TRIES_PER_USER, minutes(15));
  return {
    tries,
    begin(userId, holds, letInBy) {
      const token = `tmp_${ids.token(32)}`;
      logins.set(token, { user_id: userId, letInBy, tries: 0, holds }, [userId]);
      return token;
    },
    attempt(token, check) {
      const login = logins.get(token);
      if (!login?.holds() || tries.take(login.user_id) > 0) return null;
      const proof = check(login.user_id);
      login.tries += 1;
      if (proof !== null || login.tries >= TRIES_PER_LOGIN) logins.take(token);
      if (proof !== null) tries.giveBack(login.user_id);
      return { user_id: login.user_id, letInBy: login.letInBy, proof };
    },
  };
}
