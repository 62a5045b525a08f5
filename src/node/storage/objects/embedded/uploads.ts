import { atMost } from "../../../../kernel/http/bounded-body.ts";
import { toIso } from "../../../../lib/clock.ts";
import type { UploadRow } from "../../object-store/index.ts";
import {
  fail,
  PART_LIMIT_BYTES,
  type StoredObject,
  type UploadEnd,
  type UploadInput,
  type UploadPart,
} from "../contract.ts";
import type { UploadPlace } from "../driver.ts";
import { etagOfParts } from "../etag.ts";
import { noFacts } from "../facts.ts";
import type { Local } from "../own.ts";
import { receiveObject } from "../receive-object.ts";
import { keyOf } from "./browse.ts";
import { getOpenBucket } from "./buckets.ts";

function getUpload(own: Local, { name, upload_id }: UploadPlace): UploadRow {
  const upload = own.objectStore.findUpload(upload_id);
  if (upload?.bucket_id !== getOpenBucket(own, name).id) throw fail("objstore_upload_not_found", { bucket: name });
  return upload;
}

/** Begins to take a file from the dashboard, which sends it in parts. */
export async function beginUpload(own: Local, name: string, { key, type }: UploadInput): Promise<string> {
  const { objectStore, ids, clock } = own;
  const { id: bucketId } = getOpenBucket(own, name);
  const id = ids.next("upl");
  const facts = JSON.stringify(noFacts(type === "" ? undefined : type));
  const upload = { kind: "beginUpload", id, bucketId, key: keyOf(key), facts, at: clock.now() } as const;
  if ((await objectStore.change(upload)).refused !== null) throw fail("objstore_bucket_not_found", { bucket: name });
  return id;
}

/** Takes a part; it is on disk when this resolves. */
export async function takePart(
  own: Local,
  place: UploadPlace,
  number: number,
  bytes: AsyncIterable<Uint8Array>,
): Promise<UploadPart> {
  const { id: uploadId } = getUpload(own, place);
  const { blob, md5: etag } = await receiveObject(own, atMost(bytes, PART_LIMIT_BYTES), [], () => {});
  const part = { kind: "putPart", uploadId, number, etag, at: own.clock.now(), blob } as const;
  if ((await own.objectStore.change(part)).refused !== null)
    throw fail("objstore_upload_not_found", { bucket: place.name });
  return { number, etag };
}

/** The object that an upload has become. Throws `objstore_upload_not_found` for anything else. */
function getMade(own: Local, { name }: UploadPlace, { parts, key }: UploadEnd): StoredObject {
  const { id: bucketId } = getOpenBucket(own, name);
  const found = key === undefined ? null : own.objectStore.findObject(bucketId, keyOf(key));
  const etag = etagOfParts(parts.map((part) => part.etag));
  if (key === undefined || found?.etag !== etag) throw fail("objstore_upload_not_found", { bucket: name });
  return { key, size_bytes: found.size, etag, modified_at: toIso(found.modified_at) };
}

/** Makes the object of its parts, once. Throws `objstore_upload_incomplete` where they are not those that were sent. */
export async function finishUpload(
  own: Local,
  place: UploadPlace,
  end: UploadEnd,
): Promise<{ stored: StoredObject; isNew: boolean }> {
  const { objectStore, clock } = own;
  if (objectStore.findUpload(place.upload_id) === null) return { stored: getMade(own, place, end), isNew: false };
  const { id: uploadId, bucket_id: bucketId, key: bytes, facts } = getUpload(own, place);
  const { parts } = end;
  const etag = etagOfParts(parts.map((part) => part.etag));
  const at = clock.now();
  const object = { bucketId, key: bytes, etag, facts, at, when: {} };
  const outcome = await objectStore.change({ kind: "completeUpload", uploadId, parts: [...parts], object });
  if (outcome.refused === "no_upload") return { stored: getMade(own, place, end), isNew: false };
  if (outcome.refused !== null) throw fail("objstore_upload_incomplete");
  const key = new TextDecoder().decode(bytes);
  return { stored: { key, size_bytes: outcome.size, etag, modified_at: toIso(at) }, isNew: true };
}

/** Gives an upload up; what was sent of it is gone. */
export async function cancelUpload(own: Local, place: UploadPlace): Promise<void> {
  const { id: uploadId } = getUpload(own, place);
  const { refused } = await own.objectStore.change({ kind: "abortUpload", uploadId });
  if (refused !== null) throw fail("objstore_upload_not_found", { bucket: place.name });
}
