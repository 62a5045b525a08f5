import { networkOf } from "../../../kernel/http/peer.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
import { REFRESH_TOKEN_MS } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { listAddresses } from "./store.ts";

/** The networks that people signed in from lately. */
export interface Homes {
  add(ip: string): void;
  has(ip: string): boolean;
}

const MAX_HOMES = 10_000;

/** Those of the sessions that are known, and of those that begin or go on from now on: strangers cannot add any. */
export function createHomes({ db, clock }: Pick<Needs, "db" | "clock">): Homes {
  const homes = createExpiringMap<true>(clock, MAX_HOMES);
  let isRead = false;
  const add = (ip: string): void => homes.set(networkOf(ip), true, REFRESH_TOKEN_MS);
  return {
    add,
    has(ip) {
      if (!isRead) for (const known of listAddresses(db, MAX_HOMES)) add(known);
      isRead = true;
      return homes.get(networkOf(ip)) !== null;
    },
  };
}
