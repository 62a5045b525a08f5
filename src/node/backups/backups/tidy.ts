import { toIso } from "../../../lib/clock.ts";
import { days } from "../../../lib/duration.ts";
import type { Keep } from "./contract.ts";
import { codeOf } from "./failures.ts";
import type { Own } from "./needs.ts";
import { listPending } from "./pending-store.ts";
import { listPlans, type PlanRow } from "./plan-store.ts";
import { type Kept, selectForgotten, selectProven } from "./retention.ts";
import * as store from "./store.ts";
import { giveBack, openForWriting } from "./wait-for-target.ts";

const SETTINGS = "settings";
/** How long a run counts when somebody asks how backups went. */
const COUNTED_MS = days(60);

/** What a plan made counts for it alone; what somebody asked for, or a plan that is no more, for the plans of everything. */
function isCounted(db: Own["db"], plan: PlanRow) {
  const others = new Set(listPlans(db).map(({ id }) => id));
  others.delete(plan.id);
  const isWhole = plan.apps === null && plan.include_config === 1;
  return ({ plan: made }: store.BackupRow): boolean =>
    made === plan.id || (isWhole && (made === null || !others.has(made)));
}

/** What retention has to know of a backup. */
function describe({ id, started_at, apps, include_config, half, verified_at }: store.BackupRow): Kept {
  const ids: string[] = JSON.parse(apps);
  return {
    id,
    at: Date.parse(started_at),
    items: include_config === 1 ? [SETTINGS, ...ids] : ids,
    half: JSON.parse(half),
    isProven: verified_at !== null,
  };
}

/**
 * Marks what retention lets go. What is proven stays, since it is known to be good. What is dated ahead of the clock stays too and counts as
 * none: one of the two is wrong, and what is newer cannot be told.
 */
function markOld({ db, clock }: Pick<Own, "db" | "clock">, plan: PlanRow, keep: Keep): void {
  const now = toIso(clock.now());
  const all = store.listGood(db, plan.target).filter(({ started_at }) => started_at <= now);
  const good = all.filter(isCounted(db, plan));
  const proven = selectProven(all.map(describe));
  const restoring = new Set(listPending(db).map(({ backup_id }) => backup_id));
  const old = selectForgotten(good.map(describe), keep).filter((id) => !proven.has(id) && !restoring.has(id));
  db.tx(() => {
    for (const id of old) store.markForgotten(db, id);
  });
}

/**
 * Removes what a plan has that is too old from its target. A backup is off the list before it is removed, so that all on the list can be
 * read; where a place keeps whatever it has, it is back on the list. False for such a place. It ends at once when `signal` aborts.
 */
export async function tidyTarget(
  own: Own,
  plan: PlanRow,
  keep: Keep,
  signal: AbortSignal,
  onWait: (text: string) => void,
): Promise<boolean> {
  const { db } = own;
  const { target } = plan;
  markOld(own, plan, keep);
  const forgotten = store.listForgotten(db, target);
  const session = await openForWriting(own, target, signal, onWait);
  try {
    const pruned = await session.prune(forgotten);
    own.log.info("a backup target was tidied up", { target, forgotten: forgotten.length, ...pruned });
    db.tx(() => {
      for (const id of forgotten) store.markRemoved(db, id, toIso(own.clock.now() - COUNTED_MS));
    });
    return true;
  } catch (error) {
    if (codeOf(error) !== "target_keeps") throw error;
    db.tx(() => store.markKept(db, target));
    return false;
  } finally {
    await giveBack(own, session);
  }
}
