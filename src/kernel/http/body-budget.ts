import { type AppError, kernelFail } from "./errors.ts";
import { tooManyRequests } from "./too-many-requests.ts";

/** Takes more of the budget for a body that arrives. Throws `too_many_requests` and `unavailable`. */
export type Take = (bytes: number) => void;

/** Bytes that one key may hold, and all together. */
export interface BodyLimits {
  each: number;
  all: number;
}

/** Runs `read` for `key`; what it takes is given back when it ends. */
export type BodyBudget = <T>(key: string, read: (take: Take) => Promise<T>) => Promise<T>;

const RETRY_AFTER_S = 1;
const RETRY = { "retry-after": String(RETRY_AFTER_S) };
const CROWDED = "More data is on its way than this server can hold. Try again in a second.";

/** More is on its way for one key than it may have. */
export const tooMuch = (headers: Record<string, string> = {}): AppError => tooManyRequests(RETRY_AFTER_S, headers);
const crowded = (): AppError => kernelFail("unavailable", { reason: CROWDED, retry_after_s: RETRY_AFTER_S }, RETRY);

/**
 * Bounds what bodies on their way may hold of the memory: whoever begins many and ends none, a byte now and then, is never
 * idle. Each key may hold `each` while it is alone. What others hold makes that less, with the third power of what they
 * leave of `all`: so `all` is never passed, and after hundreds that hold what they can there is room for a sign-in still.
 */
export function createBodyBudget({ each, all }: BodyLimits): BodyBudget {
  const held = new Map<string, number>();
  let total = 0;

  return async (key, read) => {
    let own = 0;
    try {
      return await read((bytes) => {
        const sum = (held.get(key) ?? 0) + bytes;
        if (sum > each) throw tooMuch();
        const others = total + bytes - sum;
        if (sum > each * (1 - others / all) ** 3) throw crowded();
        own += bytes;
        total += bytes;
        held.set(key, sum);
      });
    } finally {
      total -= own;
      const rest = (held.get(key) ?? 0) - own;
      if (rest === 0) held.delete(key);
      else held.set(key, rest);
    }
  };
}
