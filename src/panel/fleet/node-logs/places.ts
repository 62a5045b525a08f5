import { createPlaces as createCounted } from "../../../lib/places.ts";
import { type Actor, countedAs } from "../../actor.ts";
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
    take(actor: Pick<Actor, "account_id" | "tenant_id" | "is_wsl">): () => void {
      const taken = places.take([
        { key: `account ${countedAs(actor)}`, most: PER_ACCOUNT, whose: "by your account" },
        { key: `workspace ${actor.tenant_id}`, most: PER_WORKSPACE, whose: "in this workspace" },
        { key: "all", most: IN_ALL, whose: "on this panel" },
      ]);
      if (taken.full) throw fail("log_streams_full", { count: taken.full.most, whose: taken.full.whose });
      return taken.give;
    },
  };
}
