import { createPlaces as createCounted } from "../../../lib/places.ts";
import { fail } from "./contract.ts";

/** Each holds a stream of a node and what of it waits. */
const PER_ACCOUNT = 10;
const PER_WORKSPACE = 100;
const IN_ALL = 1_000;

/** Bounds how many follow logs at a time. */
export function createPlaces() {
  const places = createCounted();
  return {
    /** Takes a place; the returned function gives it back, once. Throws `log_streams_full`. */
    take({ account_id, tenant_id }: { account_id: string; tenant_id: string }): () => void {
      const taken = places.take([
        { key: `account ${account_id}`, most: PER_ACCOUNT, whose: "by your account" },
        { key: `workspace ${tenant_id}`, most: PER_WORKSPACE, whose: "in this workspace" },
        { key: "all", most: IN_ALL, whose: "on this panel" },
      ]);
      if (taken.full) throw fail("log_streams_full", { count: taken.full.most, whose: taken.full.whose });
      return taken.give;
    },
  };
}
