import { type AppError, kernelFail } from "./errors.ts";
import { tooManyRequests } from "./too-many-requests.ts";

/** Takes more of the budget for a body that arrives. Throws `too_many_requests` and `unavailable`. */
export type Take = (bytes: number) => void;

/** Bytes that one key may hold, and all together. */
export interface BodyLimits {
  each: number;
  all: number;
}

/**
 * Runs `read` for `key`; what it takes is given back when it ends, or as soon as it calls `release`. Where others hold too much for what it
 * takes, `makeRoom` is asked whether somebody let go of theirs, as often as they do.
 */
export type BodyBudget = <T>(
  key: string,
  read: (take: Take, release: () => void) => Promise<T>,
  makeRoom?: (bytes: number) => boolean,
) => Promise<T>;

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

  return async (key, read, makeRoom = () => false) => {
    let own = 0;
    const heldNow = (): number => held.get(key) ?? 0;
    const fits = (bytes: number): boolean => heldNow() + bytes <= each * (1 - (total - heldNow()) / all) ** 3;
    function release(): void {
      total -= own;
      const rest = heldNow() - own;
      own = 0;
      if (rest === 0) held.delete(key);
      else held.set(key, rest);
    }
    try {
      return await read((bytes) => {
        if (heldNow() + bytes > each) throw tooMuch();
        while (!fits(bytes)) if (!makeRoom(bytes)) throw crowded();
        own += bytes;
        total += bytes;
        held.set(key, heldNow() + bytes);
      }, release);
    } finally {
      release();
    }
  };
}
