import { AppFailure, explainPull, pullSource } from "../../apps/apps/index.ts";
import { EngineError } from "../../apps/runtime/index.ts";
import { AppFault } from "./app-fault.ts";
import type { Own } from "./needs.ts";

/** An image of an app that is on this server; the first is fetched where none is, as on a new server. Throws AppFault. */
export async function findImage(own: Own, appId: string, images: readonly string[]): Promise<string> {
  const engine = own.runtime.requireEngine();
  const find = async (): Promise<string | undefined> =>
    (await Promise.all(images.map((image) => engine.findImage(image)))).find((image) => image !== null)?.Id;
  const known = await find();
  if (known !== undefined) return known;
  const [first] = images;
  if (first !== undefined) await fetchImage(own, first);
  const fetched = await find();
  if (fetched === undefined)
    throw new AppFault(`${own.apps.get(appId).name} has no image on this server. Start it once.`);
  return fetched;
}

/** Pulls an image once there is a place for it. Throws AppFault where somebody ends that, or its registry does not send it. */
async function fetchImage(own: Own, image: string): Promise<void> {
  const { clock, signal } = own;
  const engine = own.runtime.requireEngine();
  const op = { progress() {} };
  try {
    await own.apps.pulls.run({ image, by: null, signal, onWait() {} }, (place) =>
      pullSource({ clock, engine, op, ...place }, "pull", image, null),
    );
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof AppFailure)
      throw new AppFault(`Its image ${image} had to be pulled. ${error.failure.cause}`, { cause: error });
    if (!(error instanceof EngineError) || error.status === 0) throw error;
    const { code, cause } = explainPull(image, error.message);
    // What is about the disk is about all apps.
    throw code === "disk_full" ? error : new AppFault(cause, { cause: error });
  }
}
