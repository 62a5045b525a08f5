import { kernelFail } from "../../../../kernel/http/errors.ts";
import { toIso } from "../../../../lib/clock.ts";
import { fail, MAX_KEY_BYTES, type ObjectPage } from "../contract.ts";
import type { OpenedObject } from "../driver.ts";
import type { Local } from "../own.ts";
import { getOpenBucket } from "./buckets.ts";

const PAGE = 200;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A key as bytes. Throws `invalid_request` for one that is too long. */
export function keyOf(text: string): Uint8Array {
  const key = encoder.encode(text);
  if (key.length > MAX_KEY_BYTES)
    throw kernelFail("invalid_request", { field: "key", reason: `must have at most ${MAX_KEY_BYTES} bytes` });
  return key;
}

/** One page of what lies directly below a prefix. */
export async function browseObjects(own: Local, name: string, prefix: string, after: string): Promise<ObjectPage> {
  const { id } = getOpenBucket(own, name);
  const { objects, prefixes, next } = await own.objectStore.list(id, {
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

/** Begins to read an object. Throws `objstore_object_not_found`. */
export async function openObject(own: Local, name: string, text: string): Promise<OpenedObject> {
  const { id } = getOpenBucket(own, name);
  const object = own.objectStore.findObject(id, keyOf(text));
  if (object === null) throw fail("objstore_object_not_found", { bucket: name, key: text });
  return { size: object.size, bytes: await own.objectStore.open(object, { start: 0, length: object.size }) };
}

/** Removes an object. Throws `objstore_object_not_found`. */
export async function removeObject(own: Local, name: string, text: string): Promise<void> {
  const { id: bucketId } = getOpenBucket(own, name);
  const { refused } = await own.objectStore.change({ kind: "remove", bucketId, key: keyOf(text), when: {} });
  if (refused !== null) throw fail("objstore_object_not_found", { bucket: name, key: text });
}
