import { setImmediate } from "node:timers/promises";
import { days } from "../../../lib/duration.ts";
import { deleteLooseMessages, deleteOldDeliveries, pullBack } from "./delivery-store.ts";
import { LONGEST_WAIT_MS } from "./outcome.ts";
import type { Own } from "./own.ts";
import { listPaused } from "./paused.ts";
import { deletePreviousSecrets } from "./store.ts";

type Deps = Pick<Own, "db" | "clock" | "deliverer" | "lists">;

const KEPT_MS = days(30);
const SLICE = 500;

/** Looks for deliveries that a clock which was set has left behind. */
export function catchUp({ db, clock, deliverer }: Deps): void {
  pullBack(db, clock.now(), LONGEST_WAIT_MS);
  deliverer.wake();
}

/** Deletes the log of before the last 30 days and secrets that were replaced, in slices so that others get their turn. */
export async function sweep(deps: Deps, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  db.tx(() => deletePreviousSecrets(db, now));
  const paused = listPaused(deps).map(({ id }) => id);
  const remove = () =>
    db.tx(() => deleteOldDeliveries(db, now - KEPT_MS, paused, SLICE) + deleteLooseMessages(db, SLICE));
  while (!signal.aborted && remove() > 0) await setImmediate();
}
