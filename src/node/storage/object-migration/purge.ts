import { constants } from "node:fs";
import { access, rm } from "node:fs/promises";
import { AppError } from "../../../kernel/http/errors.ts";
import { minutes } from "../../../lib/duration.ts";
import { onNobodysErrand } from "../../../lib/standing.ts";
import { DRIVE_BUCKET } from "../objects/index.ts";
import { fail, type PurgeResult } from "./contract.ts";
import { countChanged, measureFolder, removeData } from "./data-folder.ts";
import { isLegacyRunning } from "./legacy-program.ts";
import type { By } from "./needs.ts";
import { isLegacyData, liesIn } from "./places.ts";
import type { RunWork } from "./run.ts";
import * as store from "./store.ts";

/** Programs find out within that time that something is missing. */
const SETTLE_MS = minutes(6);

const unavailable = (reason: string) => fail("objstore_legacy_purge_unavailable", { reason });

/** The contract answers this route with 409 where others have 503 for a store that cannot be read. */
const storeUnavailable = () =>
  new AppError(
    "objstore_store_unavailable",
    [409, "The object store does not answer, so nobody can see that everything is here. Look at the log of the node."],
    {},
  );

function listHere({ objectStore }: RunWork) {
  try {
    return new Map(objectStore.listBuckets().map((bucket) => [bucket.id, bucket]));
  } catch {
    throw storeUnavailable();
  }
}

/** Throws where what was brought over is not here any more. */
function needAllHere(work: RunWork): void {
  const here = listHere(work);
  const moved = store.listBuckets(work.db);
  if (moved.length > 0 && !moved.some(({ bucket_id }) => here.has(bucket_id)))
    throw fail("objstore_store_node_changed");
  for (const { name, bucket_id, moved: count } of moved) {
    const now = here.get(bucket_id)?.object_count ?? 0;
    // The Drive removes contents that no file has any more, as it always does.
    if (name !== DRIVE_BUCKET && now < (count ?? 0))
      throw fail("objstore_store_data_mismatch", { bucket: name, moved: count, now });
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "unknown");

/** A folder that holds the node's own data is never removed, whatever the configuration says. */
const holdsOwn = ({ config, places }: Pick<RunWork, "config" | "places">): boolean =>
  liesIn(config.data_dir, places.data);

/** Throws the codes of the contract where the previous store must stay. */
async function check(work: RunWork): Promise<void> {
  const { state, clock, components, places } = work;
  const row = state.read();
  if (row === null) throw unavailable("this server has no previous store.");
  if (row.purge === "done") throw unavailable("it is gone already.");
  if (row.purge === "going") throw unavailable("it is being removed already.");
  if (row.phase !== "done" || row.switched_at === null) throw unavailable("its objects are not all brought over.");
  const left = row.switched_at + SETTLE_MS - clock.now();
  if (left > 0) throw fail("objstore_legacy_purge_too_soon", { minutes: Math.ceil(left / minutes(1)) });
  if (components.isBusy()) throw fail("components_busy");
  needAllHere(work);
  if (holdsOwn(work) || !isLegacyData(places.data))
    throw unavailable(`${places.data} does not hold the data of a MinIO.`);
  try {
    await access(places.data, constants.W_OK);
  } catch (error) {
    throw unavailable(`this program may not write in ${places.data} (${codeOf(error)}). Remove it by hand.`);
  }
  const count = await countChanged(places.data, row.switched_at);
  if (count > 0) throw fail("objstore_legacy_changed_after_switch", { count });
  if (await isLegacyRunning(work, places).catch(() => false))
    throw unavailable("it still runs. Stop its service first.");
}

/** Removes what was decided to go; cut off, it is done again at the next start. */
export async function finishPurge(work: RunWork): Promise<void> {
  const { state, places, bus, db } = work;
  await work.checkpoint?.("object-migration", "purge");
  // The configuration may name another folder since.
  if (!holdsOwn(work)) await removeData(places.data);
  // What lies elsewhere belongs to whoever installed it.
  if (places.isOwnEnv) await rm(places.env, { force: true });
  if (places.isOwnBinary) await rm(places.binary, { force: true });
  const freed = state.read()?.freed_bytes ?? 0;
  db.tx(() => {
    store.updateMigration(db, { purge: "done" });
    bus.emit("object_migration.purged", { freed_bytes: freed });
  });
}

/** Removes the data of the previous store for good. Throws the codes of the contract, and has removed nothing then. */
export async function purgeLegacy(work: RunWork, by: By): Promise<PurgeResult> {
  const { db, bus, places, signal } = work;
  await check(work);
  const freed_bytes = await measureFolder(places.data, signal);
  // Who asks twice at the same moment is told by the second look, which is in the same transaction as the decision.
  db.tx(() => {
    if (work.state.read()?.purge !== "none") throw unavailable("it is being removed already.");
    store.updateMigration(db, { purge: "going", freed_bytes });
    bus.emit("object_migration.purge_begun", { ...by, folder: places.data });
  });
  await onNobodysErrand(() => finishPurge(work));
  return { freed_bytes, binary_removal_started: places.isOwnBinary };
}
