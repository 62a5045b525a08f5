import type { Log } from "../../../kernel/log.ts";
import type { Settings } from "../../../kernel/settings.ts";
import { AppFailure, type AppRow, type Apps, findImageHere } from "../../apps/apps/index.ts";
import type { Engine } from "../../apps/runtime/index.ts";
import { AppFault } from "./app-fault.ts";
import type { Own } from "./needs.ts";

/** What is asked for images. */
export interface ImageNeeds extends Pick<Own, "signal"> {
  settings: Pick<Settings, "get">;
  log: Pick<Log, "info">;
  apps: Pick<Apps, "pullImage"> & { get(id: string): Pick<AppRow, "name"> };
  runtime: { requireEngine(): Pick<Engine, "findImage" | "pullImage"> };
}

/** Whose words do not say which image they are about. */
const NAMELESS = ["pull_cancelled", "pulls_busy"];

/** An image of an app that is on this server; the first is pulled where none is, as on a new server. Throws AppFault. */
export async function findImage(
  own: ImageNeeds,
  appId: string,
  images: readonly string[],
  onPull: (image: string) => void = () => {},
): Promise<string> {
  const engine = own.runtime.requireEngine();
  const here = await Promise.all(images.map((image) => findImageHere(own, engine, image)));
  const known = here.find((name) => name !== null);
  if (known !== undefined) return known;
  const [first] = images;
  if (first === undefined)
    throw new AppFault(`${own.apps.get(appId).name} has no image on this server. Start it once.`);
  onPull(first);
  return await fetchImage(own, first);
}

/** Pulls an image as the app itself would. Throws AppFault where somebody ends that, or no registry sends it. */
async function fetchImage(own: ImageNeeds, image: string): Promise<string> {
  const { signal, log } = own;
  const engine = own.runtime.requireEngine();
  const said = (reason: string) => log.info("an image for a backup was not pulled", { image, reason });
  const op = { by: null, step() {}, progress() {}, log: said };
  try {
    return await own.apps.pullImage({ engine, op, signal }, "pull", image);
  } catch (error) {
    // What is about the disk is about all apps.
    if (signal.aborted || !(error instanceof AppFailure) || error.failure.code === "disk_full") throw error;
    const { code, cause } = error.failure;
    const words = NAMELESS.includes(code) ? `Its image ${image} had to be pulled. ${cause}` : cause;
    throw new AppFault(words, { cause: error });
  }
}
