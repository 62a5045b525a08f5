import {
  type ObjectPage,
  PART_BYTES,
  type StoredObject,
  type Upload,
  type UploadEnd,
  type UploadInput,
  type UploadPart,
} from "./contract.ts";
import type { UploadPlace } from "./driver.ts";
import { type By, type Own, requireOpen } from "./own.ts";
import { streamOf } from "./stream-of.ts";

/** One page of what lies directly below a prefix. */
export async function browseObjects(own: Own, name: string, prefix: string, after: string): Promise<ObjectPage> {
  requireOpen(name);
  return await (await own.driver()).browse(name, prefix, after);
}

/** An object as a file to be saved. Throws `objstore_object_not_found`. */
export async function downloadObject(own: Own, by: By, request: Request, name: string, key: string): Promise<Response> {
  requireOpen(name);
  const { size, bytes } = await (await own.driver()).open(name, key);
  own.db.record(() => own.bus.emit("objects.downloaded", { ...by, bucket: name, key }));
  const file = encodeURIComponent(key.split("/").at(-1) || "object").replace(/['()*]/g, escapeByte);
  return new Response(streamOf(request, bytes), {
    headers: {
      // What somebody stored never becomes a page of this origin.
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename*=UTF-8''${file}`,
      "content-length": String(size),
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}

const escapeByte = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;

/** Removes an object. Throws `objstore_object_not_found`. */
export async function removeObject(own: Own, by: By, name: string, key: string): Promise<void> {
  requireOpen(name);
  await (await own.driver()).remove(name, key);
  own.db.record(() => own.bus.emit("objects.removed", { ...by, bucket: name, key }));
}

/** Begins to take a file from the dashboard, which sends it in parts. */
export async function beginUpload(own: Own, name: string, input: UploadInput): Promise<Upload> {
  requireOpen(name);
  return { upload_id: await (await own.driver()).beginUpload(name, input), part_bytes: PART_BYTES };
}

/** Takes a part; it is stored when this resolves. */
export async function takePart(
  own: Own,
  place: UploadPlace,
  number: number,
  bytes: AsyncIterable<Uint8Array>,
): Promise<UploadPart> {
  requireOpen(place.name);
  return await (await own.driver()).takePart(place, number, bytes);
}

/** Makes the object of its parts. Throws `objstore_upload_incomplete` where they are not those that were sent. */
export async function finishUpload(own: Own, by: By, place: UploadPlace, end: UploadEnd): Promise<StoredObject> {
  requireOpen(place.name);
  const { stored, isNew } = await (await own.driver()).finishUpload(place, end);
  const { key, size_bytes } = stored;
  if (!isNew) return stored;
  own.db.record(() => own.bus.emit("objects.uploaded", { ...by, bucket: place.name, key, size_bytes }));
  return stored;
}

/** Gives an upload up; what was sent of it is gone. */
export async function cancelUpload(own: Own, place: UploadPlace): Promise<void> {
  requireOpen(place.name);
  await (await own.driver()).cancelUpload(place);
}
