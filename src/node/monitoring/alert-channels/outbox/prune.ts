import { days } from "../../../../lib/duration.ts";
import type { Needs } from "../needs.ts";
import { pruneDeliveries } from "./delivery-store.ts";
import { pruneNotices } from "./outbox-store.ts";

/** How long the trail and what it tells of are kept. */
const KEPT_MS = days(30);
/** Few enough to stay out of everybody's way. */
const BATCH = 500;

/** Forgets deliveries and settled notices of more than 30 days ago, a batch at a time. */
export function pruneTrail({ db, clock }: Pick<Needs, "db" | "clock">): void {
  const before = clock.now() - KEPT_MS;
  db.tx(() => {
    pruneDeliveries(db, before, BATCH);
    pruneNotices(db, before, BATCH);
  });
}
