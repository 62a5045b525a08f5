import type { DriveView } from "./contract.ts";
import { type Maker, signAddress } from "./download.ts";
import { getFile, type Own } from "./logic.ts";
import { HEAD_BYTES, mediaOf } from "./media.ts";
import { readStart } from "./read-content.ts";
import type { Onlooker } from "./thumbnails.ts";

/** How a file can be looked at, and the address for it. Throws `drive_not_found`. */
export async function viewFile(own: Own, { with: cameBy, ...by }: Maker, id: string): Promise<DriveView> {
  const { name, sha256, size_bytes } = getFile(own, by.user_id, id);
  const { kind, type } = mediaOf(await readStart(own.contents, { sha256, size_bytes }, HEAD_BYTES));
  const seen = { kind, media_type: type, size_bytes };
  if (kind === "none") return { ...seen, url: null };
  own.db.record(() => own.bus.emit("drive.viewed", { ...by, node_id: id, name }));
  return { ...seen, url: signAddress(own, { userId: by.user_id, id, versionId: null, isShown: true, by: cameBy }) };
}

/** A small picture of a file; it may be kept under an address that names the content. Throws `drive_not_found`, `drive_no_thumbnail`, `too_many_requests`. */
export async function answerThumbnail(
  own: Own,
  onlooker: Onlooker,
  id: string,
  sha256: string | undefined,
): Promise<Response> {
  const file = getFile(own, onlooker.userId, id);
  const picture = await own.thumbnails.get(file, onlooker);
  return new Response(picture, {
    headers: {
      "content-type": "image/webp",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": sha256 === file.sha256 ? "private, max-age=31536000, immutable" : "no-store",
    },
  });
}
