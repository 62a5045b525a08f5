import { kernelFail } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { getBucket } from "./buckets.ts";
import { DRIVE_BUCKET, fail, MAX_KEY_BYTES, type ObjectPage } from "./contract.ts";
import type { By, Own } from "./own.ts";

const PAGE = 200;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A bucket that people look into; the Drive shows its own. Throws `objstore_bucket_not_found`, `objstore_bucket_reserved`. */
export function getOpenBucket(own: Own, name: string) {
  if (name === DRIVE_BUCKET) throw fail("objstore_bucket_reserved", { bucket: name });
  return getBucket(own, name);
}

/** A key as bytes. Throws `invalid_request` for one that is too long. */
export function keyOf(text: string): Uint8Array {
  const key = encoder.encode(text);
  if (key.length > MAX_KEY_BYTES)
    throw kernelFail("invalid_request", { field: "key", reason: `must have at most ${MAX_KEY_BYTES} bytes` });
  return key;
}

/** One page of what lies directly below a prefix. */
export function browseObjects(own: Own, name: string, prefix: string, after: string): ObjectPage {
  const { id } = getOpenBucket(own, name);
  const { objects, prefixes, next } = own.objectStore.list(id, {
    prefix: encoder.encode(prefix),
    delimiter: encoder.encode("/"),
    after: new Uint8Array(Buffer.from(after, "base64url")),
    limit: PAGE,
  });
  return {
    folders: prefixes.map((folder) => decoder.decode(folder)),
    objects: objects.map(({ key, size, etag, modified_at }) => ({
      key: decoder.decode(key),
      size_bytes: size,
      etag,
      modified_at: toIso(modified_at),
    })),
    next: next === null ? null : Buffer.from(next).toString("base64url"),
  };
}

/** An object as a file to be saved. Throws `objstore_object_not_found`. */
export async function downloadObject(own: Own, by: By, name: string, text: string): Promise<Response> {
  const { id } = getOpenBucket(own, name);
  const object = own.objectStore.findObject(id, keyOf(text));
  if (object === null) throw fail("objstore_object_not_found", { bucket: name, key: text });
  const bytes = await own.objectStore.open(object, { start: 0, length: object.size });
  own.db.tx(() => own.bus.emit("objects.downloaded", { ...by, bucket: name, key: text }));
  const file = encodeURIComponent(text.split("/").at(-1) || "object").replace(/['()*]/g, escapeByte);
  return new Response(streamOf(bytes), {
    headers: {
      // What somebody stored never becomes a page of this origin.
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename*=UTF-8''${file}`,
      "content-length": String(object.size),
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}

const escapeByte = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;

/** A piece is read when the one before has left, so that a slow reader costs no memory. */
export function streamOf(bytes: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const next = await bytes.next();
          if (next.done === true) controller.close();
          else controller.enqueue(next.value);
        } catch (error) {
          controller.error(error);
        }
      },
      async cancel() {
        await bytes.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Removes an object. Throws `objstore_object_not_found`. */
export async function removeObject(own: Own, by: By, name: string, text: string): Promise<void> {
  const { id: bucketId } = getOpenBucket(own, name);
  const { refused } = await own.objectStore.change({ kind: "remove", bucketId, key: keyOf(text), when: {} });
  if (refused !== null) throw fail("objstore_object_not_found", { bucket: name, key: text });
  own.db.tx(() => own.bus.emit("objects.removed", { ...by, bucket: name, key: text }));
}
