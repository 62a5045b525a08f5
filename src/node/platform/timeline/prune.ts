import { days } from "../../../lib/duration.ts";
import type { NodeBase } from "../../base.ts";
import { pruneReads } from "./inbox-store.ts";
import { pruneAbove, pruneOlder } from "./store.ts";

const KEPT_MS = days(365);
const KEPT_ROWS = 100_000;
const BATCH = 1_000;
/**
 * A year's limit asks the clock, and the clock can be wrong: so it costs at most this many entries a day, while a node writes
 * far fewer. The limit on the number asks no clock.
 */
const OLD_A_RUN = 2_000;

/** Removes what is too old or too much, in batches between which other work gets its turn. */
export async function pruneTimeline(
  { db, clock }: Pick<NodeBase, "db" | "clock">,
  signal: AbortSignal,
  keptRows = KEPT_ROWS,
): Promise<void> {
  for (let done = 0; done < OLD_A_RUN && !signal.aborted; done += BATCH) {
    if (pruneOlder(db, clock.now() - KEPT_MS, BATCH) < BATCH) break;
    await clock.sleep(0, signal);
  }
  while (!signal.aborted && pruneAbove(db, keptRows, BATCH) === BATCH) await clock.sleep(0, signal);
  pruneReads(db);
}
