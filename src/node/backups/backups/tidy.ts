import { toIso } from "../../../lib/clock.ts";
import { days } from "../../../lib/duration.ts";
import { nodeId } from "../../apps/apps/index.ts";
import type { Keep } from "./contract.ts";
import type { Own } from "./needs.ts";
import { selectForgotten } from "./retention.ts";
import * as store from "./store.ts";
import { openTarget } from "./targets.ts";

const SETTINGS = "settings";
/** How long a run counts when somebody asks how backups went. */
const COUNTED_MS = days(60);

/** Marks what retention lets go. The newest backup that was read back stays: it is the one that is known to be good. */
function markOld({ db }: Pick<Own, "db">, target: string, keep: Keep): void {
  const good = store.listGood(db, target);
  const proven = good.findLast(({ verified_at }) => verified_at !== null)?.id;
  const restoring = new Set(store.listRestores(db).map(({ backup_id }) => backup_id));
  const known = good.map(({ id, started_at, apps, include_config }) => {
    const ids: string[] = JSON.parse(apps);
    return { id, at: Date.parse(started_at), items: include_config === 1 ? [SETTINGS, ...ids] : ids };
  });
  db.tx(() => {
    for (const id of selectForgotten(known, keep)) if (id !== proven && !restoring.has(id)) store.markForgotten(db, id);
  });
}

/** Removes what is too old from a target. A backup is off the list before it is removed, so that all on the list can be read. */
export async function tidyTarget(own: Own, target: string, keep: Keep): Promise<void> {
  const { db } = own;
  markOld(own, target, keep);
  const forgotten = store.listForgotten(db, target);
  const session = await openTarget(own, target, nodeId(own.seal));
  try {
    const pruned = await session.prune(forgotten);
    own.log.info("a backup target was tidied up", { target, forgotten: forgotten.length, ...pruned });
    db.tx(() => {
      for (const id of forgotten) store.markRemoved(db, id, toIso(own.clock.now() - COUNTED_MS));
    });
  } finally {
    await session.close().catch((error: unknown) => own.log.warn("a target was left with its lease", { error }));
  }
}
