import { setImmediate } from "node:timers/promises";
import { toIso } from "../../../lib/clock.ts";
import { days } from "../../../lib/duration.ts";
import { beginAfter, type ChainDeps } from "./chain.ts";
import { findSpan, firstSince } from "./store.ts";

/** How long entries are kept, and how many: strangers write some of them, one for each password that they try. */
const KEPT_MS = days(400);
const KEPT_ROWS = 1_000_000;
/** As many stay whatever the clock says. */
const LEAST = 1_000;
const BATCH = 1_000;
/** The limit on the age asks the clock, and the clock can be wrong: so it costs at most this many entries a run. */
const OLD_A_RUN = 5_000;

/** Forgets the entries that are too old or too many, the oldest first, in batches between which other work gets its turn. */
export async function pruneLog(
  deps: Pick<ChainDeps, "db" | "clock" | "seal">,
  signal: AbortSignal,
  { kept = KEPT_ROWS, least = LEAST }: { kept?: number; least?: number } = {},
): Promise<void> {
  const { db, clock } = deps;
  const limit = toIso(clock.now() - KEPT_MS);
  for (let left = OLD_A_RUN; !signal.aborted; ) {
    const span = findSpan(db);
    if (span === null) return;
    const { first, last } = span;
    const most = Math.min(first + Math.min(BATCH, left), last - least + 1);
    const old = firstSince(db, limit, most) ?? most;
    const before = Math.max(old, Math.min(first + BATCH, last - kept + 1));
    if (before <= first) return;
    left -= Math.max(0, old - first);
    beginAfter(deps, before - 1);
    await setImmediate();
  }
}
