import { fail } from "./contract.ts";

/** Each holds up to a megabyte of lines, and processes that bring them. */
const PER_ACCOUNT = 4;
const IN_ALL = 16;

/** Bounds how many follow logs at a time. */
export function createReaderPlaces() {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    /** Takes a place for an account; the returned function gives it back, once. Throws `log_readers_full`. */
    take(account: string): () => void {
      const own = taken.get(account) ?? 0;
      if (own >= PER_ACCOUNT) throw fail("log_readers_full", { count: own, whose: "by your account" });
      if (all >= IN_ALL) throw fail("log_readers_full", { count: all, whose: "by all accounts" });
      taken.set(account, own + 1);
      all += 1;
      let isGiven = false;
      return () => {
        if (isGiven) return;
        isGiven = true;
        all -= 1;
        const left = (taken.get(account) ?? 1) - 1;
        if (left === 0) taken.delete(account);
        else taken.set(account, left);
      };
    },
  };
}
