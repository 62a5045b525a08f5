import { networkOf } from "../../../kernel/http/peer.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";
import { REFRESH_TOKEN_MS } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { listAddresses } from "./store.ts";

/** The networks that people signed in from lately. */
export interface Homes {
  add(ip: string, userId: string): void;
  has(ip: string): boolean;
}

const MAX_HOMES = 10_000;

/**
 * Those of the sessions that are known, and of those that begin or go on from now on: strangers cannot add any, and who has most makes room
 * where there are too many.
 */
export function createHomes({ db, clock }: Pick<Needs, "db" | "clock">): Homes {
  const homes = createSharedMap<true>(clock, { size: MAX_HOMES, ttlMs: REFRESH_TOKEN_MS });
  let isRead = false;
  const add = (ip: string, userId: string): void => homes.set(networkOf(ip), true, [userId]);
  return {
    add,
    has(ip) {
      if (!isRead) for (const { ip: known, user_id } of listAddresses(db, MAX_HOMES)) add(known, user_id);
      isRead = true;
      return homes.get(networkOf(ip)) !== null;
    },
  };
}
