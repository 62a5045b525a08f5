import type { Asker } from "../../../platform/operations/index.ts";
import { type Engine, EngineError } from "../../runtime/index.ts";
import { fail, type Image, type ImagesPruned } from "../contract.ts";
import type { Own } from "../needs.ts";
import { listNames, orRefused } from "../refusals.ts";
import { isUnused, listImages } from "./list-images.ts";

const MISSING = 404;
const UNREADABLE = 400;

/** What the engine cannot read as an id is none of an image. */
function orNone(error: unknown): null {
  if (error instanceof EngineError && error.status === UNREADABLE) return null;
  throw error;
}

const labelOf = ({ tags, digests, id }: Image): string => tags[0] ?? digests[0] ?? id.slice(7, 19);

/** Takes all names from an image, which is gone with the last; the engine refuses while a container is made of it. */
async function takeAway(engine: Engine, { id, tags }: Image): Promise<void> {
  for (const reference of tags.length === 0 ? [id] : tags) await engine.removeImage(reference);
  // What was pulled by its digest too has that for another name.
  if ((await engine.findImage(id)) === null) return;
  await engine.removeImage(id).catch((error: unknown) => {
    if (!(error instanceof EngineError) || error.status !== MISSING) throw error;
  });
}

const record = ({ db, bus }: Pick<Own, "db" | "bus">, by: Asker, images: readonly Image[]) =>
  db.record(() => bus.emit("image.removed", { images: images.map(labelOf), user_id: by.user_id, ip: by.ip }));

/** Removes one image with all its names. Throws `image_not_found`, `image_in_use`, `image_kept`, `engine_refused`. */
export async function removeImage(own: Own, by: Asker, id: string): Promise<string> {
  const engine = own.runtime.requireEngine();
  const full = (await engine.findImage(id).catch(orNone))?.Id;
  const image = (await listImages(own)).find((each) => each.id === full);
  if (!image) throw fail("image_not_found", { id });
  if (image.used_by.length > 0) throw fail("image_in_use", { users: listNames(image.used_by) });
  if (image.kept) throw fail("image_kept", { name: labelOf(image) });
  await orRefused(takeAway(engine, image));
  record(own, by, [image]);
  return labelOf(image);
}

/** Removes every image that nothing runs from and no app needs. Containers, volumes and networks stay as they are. */
export async function pruneImages(own: Own, by: Asker): Promise<ImagesPruned> {
  const engine = own.runtime.requireEngine();
  const removed: Image[] = [];
  try {
    for (const image of (await listImages(own)).filter(isUnused)) {
      try {
        await takeAway(engine, image);
        removed.push(image);
      } catch (error) {
        // Somebody began to use it, or another image is built on it: it stays.
        if (!(error instanceof EngineError) || error.status === 0) throw error;
        own.log.info("unused image stays", { image: labelOf(image), reason: error.message });
      }
    }
  } finally {
    if (removed.length > 0) record(own, by, removed);
  }
  return { removed: removed.map(labelOf), size_bytes: removed.reduce((sum, image) => sum + image.size_bytes, 0) };
}
