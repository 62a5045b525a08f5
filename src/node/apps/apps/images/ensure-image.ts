import { seconds } from "../../../../lib/duration.ts";
import type { Work } from "../work/work.ts";
import { findImageHere } from "./list-sources.ts";
import { pullImage } from "./pull-image.ts";

/** Work on an app ends with what is refused, so that what may pass is waited for. */
const RETRY_WAITS_MS = [seconds(1), seconds(4)];

/** Makes sure that the image is here and returns the reference to create containers from. Throws AppFailure. */
export async function ensureImage(work: Work, step: string, image: string): Promise<string> {
  const known = await findImageHere(work.own, work.engine, image);
  return known ?? (await pullImage(work.own, work, step, image, RETRY_WAITS_MS));
}
