import { createGate } from "../../../lib/gate.ts";
import { fail } from "./contract.ts";
import { cropSquare, decodePng, encodePng } from "./crop-png.ts";

/** More than any phone's camera makes below 2 MB; decoding takes four bytes a pixel. */
const MAX_PIXELS = 24_000_000;
const SIDE = 256;
/** First step down: large enough to look sharp, small enough to cut by hand. */
const DRAFT_SIDE = 512;

const ACCEPTED: readonly string[] = ["png", "jpeg", "webp"];

// One at a time in the whole process: each may hold 96 MB of pixels for a moment.
const gate = createGate(1);

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : null;

async function decodeAndShrink(bytes: Uint8Array<ArrayBuffer>): Promise<Buffer> {
  const image = () => new Bun.Image(bytes, { maxPixels: MAX_PIXELS });
  const { format, width, height } = await image().metadata();
  if (!ACCEPTED.includes(format)) throw fail("avatar_unreadable");
  if (width * height > MAX_PIXELS) throw fail("avatar_too_many_pixels", { limit_megapixels: MAX_PIXELS / 1e6 });
  const draft = await image().resize(DRAFT_SIDE, DRAFT_SIDE, { fit: "inside" }).png().buffer();
  const square = encodePng(cropSquare(decodePng(draft)));
  const { data } = decodePng(await new Bun.Image(square).resize(SIDE, SIDE).png().buffer());
  return encodePng({ width: SIDE, height: SIDE, data });
}

/**
 * A 256 by 256 PNG of the middle of a picture, without any metadata. The pixel count is read from the header before
 * anything is decoded. Throws `avatar_unreadable`, `avatar_too_many_pixels`.
 */
export async function renderAvatar(bytes: Uint8Array<ArrayBuffer>): Promise<Buffer> {
  try {
    return await gate(() => decodeAndShrink(bytes));
  } catch (error) {
    if (codeOf(error) === "ERR_IMAGE_TOO_MANY_PIXELS") {
      throw fail("avatar_too_many_pixels", { limit_megapixels: MAX_PIXELS / 1e6 });
    }
    if (String(codeOf(error)).startsWith("ERR_IMAGE_")) throw fail("avatar_unreadable");
    throw error;
  }
}
