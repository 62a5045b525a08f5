import { heldJpegBytes } from "../../../lib/jpeg-memory.ts";
import { hasTooManyScans } from "../../../lib/jpeg-scans.ts";

/** Longest side of a thumbnail. */
const SIDE = 480;
const QUALITY = 75;

/** Largest picture that is read for one. */
export const MAX_IMAGE_BYTES = 32 * 1024 * 1024;
/** Pixels of a JPEG, which is made smaller while it is read, and of all others, which are held whole: four bytes each. */
const MAX_JPEG_PIXELS = 100_000_000;
const MAX_PIXELS = 25_000_000;
/** What may be held of a JPEG that cannot be made smaller while it is read: a progressive one of 25 million pixels in full colour. */
const MAX_HELD_BYTES = 150_000_000;

/**
 * A small picture of a picture, as WebP without what the camera noted; null where none can be made of it. What it says about its size is
 * looked at before anything is unpacked, and the work is done by a thread of the runtime.
 */
export async function makeThumbnail(bytes: Uint8Array): Promise<Uint8Array | null> {
  try {
    const { format } = await new Bun.Image(bytes, { maxPixels: MAX_JPEG_PIXELS }).metadata();
    const isJpeg = format === "jpeg";
    if (isJpeg && (hasTooManyScans(bytes) || heldJpegBytes(bytes, SIDE) > MAX_HELD_BYTES)) return null;
    return await new Bun.Image(bytes, { maxPixels: isJpeg ? MAX_JPEG_PIXELS : MAX_PIXELS })
      .resize(SIDE, SIDE, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .bytes();
  } catch {
    // No picture, a damaged one, or one that is too large.
    return null;
  }
}
