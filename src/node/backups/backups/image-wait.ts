import { findImage } from "./find-image.ts";
import type { ImageWait, Own } from "./needs.ts";

/** Runs a task of what is under way, of which one is at a time; where it waits for an image that is told, and ends with the signal. */
export async function whileTold<Result>(
  own: Own,
  { tell, signal = own.signal }: Pick<ImageWait, "tell"> & Partial<ImageWait>,
  task: () => Promise<Result>,
): Promise<Result> {
  const before = own.imageWait;
  own.imageWait = { tell, signal };
  try {
    return await task();
  } finally {
    own.imageWait = before;
  }
}

/** An image of an app that is on this server; it is waited for as what is under way says. Throws AppFault. */
export async function awaitImage(own: Own, appId: string, images: readonly string[]): Promise<string> {
  const { signal = own.signal, tell } = own.imageWait ?? {};
  let hasWaited = false;
  const found = await findImage({ ...own, signal }, appId, images, (image) => {
    hasWaited = true;
    tell?.(`Waits for the image ${image} of ${own.apps.get(appId).name}`);
  });
  if (hasWaited) tell?.(`The image of ${own.apps.get(appId).name} is here`);
  return found;
}
