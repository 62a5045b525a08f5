import { kernelFail } from "./errors.ts";

/** Takes more of the budget for a body that arrives. Throws `too_many_requests`. */
export type Take = (bytes: number) => void;

/** Runs `read` for `key`; what it takes is given back when it ends. */
export type BodyBudget = <T>(key: string, read: (take: Take) => Promise<T>) => Promise<T>;

const RETRY_AFTER_S = 1;

/**
 * Bounds what bodies on their way may hold of the memory, to `maxBytes` for each key: whoever begins many and ends none, a
 * byte now and then, is never idle.
 */
export function createBodyBudget(maxBytes: number): BodyBudget {
  const held = new Map<string, number>();

  return async (key, read) => {
    let own = 0;
    try {
      return await read((bytes) => {
        const sum = (held.get(key) ?? 0) + bytes;
        if (sum > maxBytes) {
          const retry = { "retry-after": String(RETRY_AFTER_S) };
          throw kernelFail("too_many_requests", { retry_after_s: RETRY_AFTER_S }, retry);
        }
        own += bytes;
        held.set(key, sum);
      });
    } finally {
      const rest = (held.get(key) ?? 0) - own;
      if (rest === 0) held.delete(key);
      else held.set(key, rest);
    }
  };
}
