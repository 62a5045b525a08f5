import { explain, GoesOn } from "./failures.ts";
import { writeRestore } from "./given-up.ts";
import type { Own } from "./needs.ts";
import * as store from "./store.ts";
import { listMissing } from "./volumes.ts";

/** What the rows of one restore have in common. */
type Asked = Omit<store.RestoreRow, "app_id" | "begun">;

/** How many of its volumes an app that stands still has lost, as on a new Docker: run now, it would begin with nothing in them. */
async function findLoss(own: Own, id: string): Promise<"all" | "some" | "none"> {
  const { status, work, installed_at } = own.apps.get(id);
  if (work !== null || installed_at === null || (status !== "stopped" && status !== "error")) return "none";
  const missing = await listMissing(own, id);
  if (missing.length === 0) return "none";
  return missing.length === own.apps.volumesOf(id).length ? "all" : "some";
}

function write(own: Own, rows: readonly store.RestoreRow[]): readonly store.RestoreRow[] {
  own.db.tx(() => {
    for (const row of rows) writeRestore(own, row);
  });
  return rows;
}

/** Writes down that apps are put back. One that has lost data, now or in an earlier restore, must not run until it has it again. */
export async function promise(own: Own, apps: readonly string[], asked: Asked): Promise<readonly store.RestoreRow[]> {
  const half = new Set(store.listRestores(own.db).flatMap((row) => (row.begun === store.HALF ? row.app_id : [])));
  const rows: store.RestoreRow[] = [];
  for (const app_id of apps) {
    const isHalf = half.has(app_id) || (await findLoss(own, app_id)) !== "none";
    rows.push({ ...asked, app_id, begun: isHalf ? store.HALF : store.PROMISED });
  }
  return write(own, rows);
}

/**
 * What to say where a restore did not begin, since what is there could not be backed up: apps that have lost everything, of which nothing could
 * be, are put back later all the same, unless somebody cancelled it.
 */
export async function promiseLost(own: Own, apps: readonly string[], asked: Asked, error: unknown): Promise<unknown> {
  if (own.signal.aborted || explain(error).code === "backup_cancelled") return error;
  const lost: string[] = [];
  for (const id of apps) if ((await findLoss(own, id).catch(() => "none")) === "all") lost.push(id);
  if (lost.length === 0) return error;
  write(
    own,
    lost.map((app_id) => ({ ...asked, app_id, begun: store.HALF })),
  );
  const names = lost.map((id) => own.apps.get(id).name).join(", ");
  return new GoesOn(error, `Stopped until their data is whole: ${names}.`);
}
