import { fail } from "./contract.ts";

/** Each holds a stream of a node and what of it waits. */
const PER_ACCOUNT = 10;
const PER_WORKSPACE = 100;
const IN_ALL = 1_000;

/** Bounds how many follow logs at a time. */
export function createPlaces() {
  const taken = new Map<string, number>();
  const count = (key: string): number => taken.get(key) ?? 0;

  function add(key: string, by: number): void {
    const next = count(key) + by;
    if (next === 0) taken.delete(key);
    else taken.set(key, next);
  }

  return {
    /** Takes a place; the returned function gives it back, once. Throws `log_streams_full`. */
    take({ account_id, tenant_id }: { account_id: string; tenant_id: string }): () => void {
      const limits = [
        { key: `account ${account_id}`, most: PER_ACCOUNT, whose: "by your account" },
        { key: `workspace ${tenant_id}`, most: PER_WORKSPACE, whose: "in this workspace" },
        { key: "all", most: IN_ALL, whose: "on this panel" },
      ];
      const full = limits.find(({ key, most }) => count(key) >= most);
      if (full) throw fail("log_streams_full", { count: full.most, whose: full.whose });
      for (const { key } of limits) add(key, 1);
      let isGiven = false;
      return () => {
        if (isGiven) return;
        isGiven = true;
        for (const { key } of limits) add(key, -1);
      };
    },
  };
}
