import type { Store } from "../../../kernel/db/store.ts";
import type { Needs } from "./needs.ts";
import { listPlans } from "./plan-store.ts";
import { appsOf } from "./plans.ts";
import type { BackupRow } from "./store.ts";

/** What to do about an app that is left out. */
const NEXT_STEP =
  "The newest backup says what was in the way. Remove that file, or let the app stand still for its backups, then back up again; or leave that app out of the plan.";

/** Whether no plan asks for an app any more; where there are no plans, nobody has chosen so. */
export function isLeftByChoice(db: Store, appId: string): boolean {
  const plans = listPlans(db).filter(({ enabled }) => enabled === 1);
  return plans.length > 0 && plans.every((plan) => appsOf(plan)?.includes(appId) === false);
}

/**
 * Apps that the newest backup which was to have them is without, for a fault of their own, and what to do; null where all are well.
 * `made` are the good backups of this server, newest first.
 */
export function findLeftOut({ db, apps }: Pick<Needs, "db" | "apps">, made: readonly BackupRow[]) {
  const known = new Map<string, boolean>();
  const note = (json: string, isLeft: boolean) => {
    const ids: string[] = JSON.parse(json);
    for (const id of ids) if (!known.has(id)) known.set(id, isLeft);
  };
  for (const row of made) {
    note(row.apps, false);
    note(row.left_out, true);
  }
  const left = apps
    .list()
    .filter(({ id }) => known.get(id) === true && !isLeftByChoice(db, id))
    .map(({ id, name }) => ({ id, name }));
  return left.length === 0 ? null : { apps: left, next_step: NEXT_STEP };
}
