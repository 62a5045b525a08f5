import { createGate } from "../../../lib/gate.ts";
import { heldJpegBytes } from "../../../lib/jpeg-memory.ts";
import { hasTooManyScans } from "../../../lib/jpeg-scans.ts";
import { fail } from "./contract.ts";
import { cropSquare, decodePng, encodePng } from "./crop-png.ts";

/**
 * Pixels of a JPEG, more than any phone's camera makes below 2 MB, and of all others, whose emptiest megapixels are a hundred bytes:
 * decoding takes four bytes a pixel, and at most a third of a second.
 */
const MAX_JPEG_PIXELS = 24_000_000;
const MAX_PIXELS = 8_000_000;
/** What may be held of a JPEG: as much as all its pixels. */
const MAX_HELD_BYTES = 4 * MAX_JPEG_PIXELS;
const SIDE = 256;
/** First step down: large enough to look sharp, small enough to cut by hand. */
const DRAFT_SIDE = 512;

const ACCEPTED: readonly string[] = ["png", "jpeg", "webp"];

// One at a time in the whole process: each may hold 96 MB of pixels for a moment.
const gate = createGate(1);

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : null;

const tooManyPixels = (limit: number) => fail("avatar_too_many_pixels", { limit_megapixels: limit / 1e6 });

/** Makes the avatar. Throws before anything is decoded where that would take long. */
async function decodeAndShrink(bytes: Uint8Array<ArrayBuffer>): Promise<Buffer> {
  const image = () => new Bun.Image(bytes, { maxPixels: MAX_JPEG_PIXELS });
  const { format, width, height } = await image().metadata();
  if (!ACCEPTED.includes(format)) throw fail("avatar_unreadable");
  const isJpeg = format === "jpeg";
  const limit = isJpeg ? MAX_JPEG_PIXELS : MAX_PIXELS;
  if (width * height > limit) throw tooManyPixels(limit);
  if (isJpeg && (hasTooManyScans(bytes) || heldJpegBytes(bytes, DRAFT_SIDE) > MAX_HELD_BYTES))
    throw fail("avatar_too_many_scans");
  const draft = await image().resize(DRAFT_SIDE, DRAFT_SIDE, { fit: "inside" }).png().buffer();
  const square = encodePng(cropSquare(decodePng(draft)));
  const { data } = decodePng(await new Bun.Image(square).resize(SIDE, SIDE).png().buffer());
  return encodePng({ width: SIDE, height: SIDE, data });
}

/**
 * A 256 by 256 PNG of the middle of a picture, without any metadata. The pixel count is read from the header before
 * anything is decoded. `left` aborts when its sender has gone: what still waits is then not made. Throws `avatar_unreadable`,
 * `avatar_too_many_pixels`, `avatar_too_many_scans`, `avatar_sender_left`.
 */
export async function renderAvatar(bytes: Uint8Array<ArrayBuffer>, left: AbortSignal): Promise<Buffer> {
  try {
    return await gate(async () => {
      if (left.aborted) throw fail("avatar_sender_left");
      return await decodeAndShrink(bytes);
    });
  } catch (error) {
    if (codeOf(error) === "ERR_IMAGE_TOO_MANY_PIXELS") throw tooManyPixels(MAX_JPEG_PIXELS);
    if (String(codeOf(error)).startsWith("ERR_IMAGE_")) throw fail("avatar_unreadable");
    throw error;
  }
}
