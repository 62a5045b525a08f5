import { toIso } from "../../../../lib/clock.ts";
import { dropDumps } from "../dumps/make-dumps.ts";
import type { Own } from "../needs.ts";
import { findApp } from "../store.ts";
import { removeGeneration } from "./copy-data.ts";
import { imagesOf, isAnyBusy, removeFormerImages } from "./sweep-images.ts";
import { deleteKept, findUpdate, listKeptDueBefore } from "./update-store.ts";

/** Deletes what is kept of earlier versions once its time is over; what cannot be deleted now is tried again at the next run. */
export async function sweepKept(own: Own): Promise<void> {
  const engine = own.runtime.engine();
  if (!engine) return;
  // Images that are pulled for one are named nowhere yet; there is time.
  if (isAnyBusy(own)) return;
  for (const { app_id, generation, side } of listKeptDueBefore(own.db, toIso(own.clock.now()))) {
    const app = findApp(own.db, app_id);
    // What an app runs on, or is about to run on, is not old.
    if (app?.generation === generation || findUpdate(own.db, app_id)?.ended_at === null) continue;
    const images = imagesOf(own, app_id, side);
    await removeGeneration(engine, app_id, generation);
    await dropDumps(own, app_id, generation);
    deleteKept(own.db, app_id, generation);
    await removeFormerImages(own, engine, images);
    own.log.info("an earlier version of an app is no longer kept", { app_id, version: side.version });
  }
}
