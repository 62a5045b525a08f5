import { toIso } from "../../../lib/clock.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { deleteSecrets } from "./blueprint/secret-store.ts";
import { fail, type TrashedApp } from "./contract.ts";
import { dropAllDumps } from "./dumps/make-dumps.ts";
import type { Own } from "./needs.ts";
import { findApp } from "./store.ts";
import { deleteTrash, endTrash, findTrash, listTrashDueBefore, listTrashRows, type TrashRow } from "./trash-store.ts";
import { forgetKept } from "./update/update-store.ts";
import { removeVolumes } from "./work/ensure.ts";

type Deps = Pick<Own, "db" | "runtime" | "bus" | "config" | "clock">;

/** Kept data as people see it. */
export function presentTrash({ generation: _, ...row }: TrashRow): TrashedApp {
  const volumes: string[] = JSON.parse(row.volumes);
  return { ...row, volumes };
}

/** Data of uninstalled apps that is still kept, latest first. */
export const listTrash = ({ db }: Pick<Deps, "db">): TrashedApp[] => listTrashRows(db).map(presentTrash);

async function purge(deps: Omit<Deps, "bus">, { app_id }: TrashRow): Promise<void> {
  const { db, runtime, clock } = deps;
  const engine = runtime.requireEngine();
  // Written down first: an install that took it up meanwhile would lose volumes and secrets while it runs.
  db.tx(() => endTrash(db, app_id, toIso(clock.now())));
  await removeVolumes({ engine }, app_id);
  await dropAllDumps(deps, app_id);
  db.tx(() => {
    deleteSecrets(db, app_id);
    deleteTrash(db, app_id);
    forgetKept(db, app_id);
  });
}

/** Deletes kept data for good, now. Throws `app_data_not_found`, `runtime_unavailable`. */
export async function purgeTrash(deps: Deps, by: Asker, appId: string): Promise<void> {
  const row = findTrash(deps.db, appId);
  // An app that is being installed on this data owns it.
  if (!row || findApp(deps.db, appId)) throw fail("app_data_not_found", { id: appId });
  await purge(deps, row);
  deps.bus.emit("app.data_deleted", { app_id: appId, name: row.name, ...by });
}

/** Deletes all data whose time is over; what cannot be deleted now is tried again at the next run. */
export async function purgeDueTrash(own: Pick<Own, "db" | "runtime" | "clock" | "log" | "config">): Promise<void> {
  if (!own.runtime.engine()) return;
  for (const row of listTrashDueBefore(own.db, toIso(own.clock.now()))) {
    if (findApp(own.db, row.app_id)) continue;
    await purge(own, row);
    own.log.info("data of an uninstalled app deleted", { app_id: row.app_id, name: row.name });
  }
}
