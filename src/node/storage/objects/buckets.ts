import { toIso } from "../../../lib/clock.ts";
import type { BucketRow } from "../object-store/index.ts";
import { type Bucket, type BucketInput, DRIVE_BUCKET, fail } from "./contract.ts";
import { deleteGrantsOf } from "./key-store.ts";
import { type By, checkHolds, type Own } from "./own.ts";

const MAX_BUCKETS = 1_000;

/** A bucket as the contract words it. */
export function presentBucket({ listener }: Pick<Own, "listener">, row: BucketRow): Bucket {
  const { name, created_at, size_bytes, object_count } = row;
  const bucket = { name, created_at: toIso(created_at), size_bytes, object_count, reserved: name === DRIVE_BUCKET };
  if (row.visibility !== "public") return { ...bucket, visibility: "private" };
  const { url, host, port } = listener.info();
  return { ...bucket, visibility: "public", public_url: `${url}/${name}/`, public_host: `${host}:${port}` };
}

/** The bucket of that name. Throws `objstore_bucket_not_found`. */
export function getBucket({ objectStore }: Pick<Own, "objectStore">, name: string): BucketRow {
  const bucket = objectStore.findBucket(name);
  if (bucket === null) throw fail("objstore_bucket_not_found", { bucket: name });
  return bucket;
}

/** Makes a bucket. Throws `objstore_bucket_reserved`, `objstore_bucket_exists`, `objstore_limit`. */
export async function makeBucket(own: Own, by: By, { name, visibility = "private" }: BucketInput): Promise<Bucket> {
  const { objectStore, ids, clock, db, bus } = own;
  if (name === DRIVE_BUCKET) throw fail("objstore_bucket_reserved", { bucket: name });
  checkHolds(own, { bucket: name });
  if (objectStore.listBuckets().length >= MAX_BUCKETS)
    throw fail("objstore_limit", { limit: MAX_BUCKETS, what: "buckets" });
  const id = ids.next("bkt");
  const { refused } = await objectStore.change({ kind: "makeBucket", id, name, visibility, at: clock.now() });
  if (refused !== null) throw fail("objstore_bucket_exists", { bucket: name });
  db.tx(() => bus.emit("objects.bucket_created", { ...by, bucket: name, visibility }));
  return presentBucket(own, getBucket(own, name));
}

/** Removes an empty bucket and what keys might do with it. Throws the codes of the contract. */
export async function removeBucket(
  own: Pick<Own, "objectStore" | "db" | "bus" | "access">,
  by: By,
  name: string,
): Promise<void> {
  if (name === DRIVE_BUCKET) throw fail("objstore_bucket_reserved", { bucket: name });
  const { id } = getBucket(own, name);
  const { refused } = await own.objectStore.change({ kind: "removeBucket", id });
  if (refused === "bucket_not_empty") throw fail("objstore_bucket_not_empty", { bucket: name });
  if (refused !== null) throw fail("objstore_bucket_not_found", { bucket: name });
  own.db.tx(() => {
    deleteGrantsOf(own.db, id);
    own.bus.emit("objects.bucket_removed", { ...by, bucket: name });
  });
  own.access.forget();
}
