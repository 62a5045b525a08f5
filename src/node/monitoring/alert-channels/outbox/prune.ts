import { setImmediate } from "node:timers/promises";
import { days } from "../../../../lib/duration.ts";
import type { Needs } from "../needs.ts";
import { pruneDeliveries } from "./delivery-store.ts";
import { pruneNotices } from "./outbox-store.ts";

/** How long the trail and what it tells of are kept. */
const KEPT_MS = days(30);
/** Few enough to stay out of everybody's way. */
const BATCH = 500;

/** Forgets deliveries and settled notices of more than 30 days ago, as many as there are, a batch at a time. */
export async function pruneTrail({ db, clock }: Pick<Needs, "db" | "clock">, stop: AbortSignal): Promise<void> {
  const before = clock.now() - KEPT_MS;
  for (const prune of [pruneDeliveries, pruneNotices])
    while (!stop.aborted && db.tx(() => prune(db, before, BATCH)) > 0) await setImmediate();
}
