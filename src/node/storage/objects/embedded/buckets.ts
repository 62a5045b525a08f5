import { toIso } from "../../../../lib/clock.ts";
import type { BucketRow } from "../../object-store/index.ts";
import { type Bucket, type BucketInput, DRIVE_BUCKET, fail } from "../contract.ts";
import { deleteGrantsOf } from "../key-store.ts";
import { checkHolds, type Local, requireOpen } from "../own.ts";

const MAX_BUCKETS = 1_000;

/** A bucket as the contract words it. */
export function presentBucket({ listener }: Pick<Local, "listener">, row: BucketRow): Bucket {
  const { name, created_at, size_bytes, object_count } = row;
  const bucket = { name, created_at: toIso(created_at), size_bytes, object_count, reserved: name === DRIVE_BUCKET };
  if (row.visibility !== "public") return { ...bucket, visibility: "private" };
  const { url, host, port } = listener.info();
  return { ...bucket, visibility: "public", public_url: `${url}/${name}/`, public_host: `${host}:${port}` };
}

/** The bucket of that name. Throws `objstore_bucket_not_found`. */
function getBucket({ objectStore }: Pick<Local, "objectStore">, name: string): BucketRow {
  const bucket = objectStore.findBucket(name);
  if (bucket === null) throw fail("objstore_bucket_not_found", { bucket: name });
  return bucket;
}

/** A bucket that people look into; the Drive shows its own. Throws `objstore_bucket_not_found`, `objstore_bucket_reserved`. */
export function getOpenBucket(own: Pick<Local, "objectStore">, name: string): BucketRow {
  requireOpen(name);
  return getBucket(own, name);
}

/** Makes a bucket. Throws `objstore_bucket_reserved`, `objstore_bucket_exists`, `objstore_limit`. */
export async function makeBucket(own: Local, { name, visibility }: Required<BucketInput>): Promise<Bucket> {
  const { objectStore, ids, clock } = own;
  requireOpen(name);
  checkHolds(own, { bucket: name });
  if (objectStore.listBuckets().length >= MAX_BUCKETS)
    throw fail("objstore_limit", { limit: MAX_BUCKETS, what: "buckets" });
  const id = ids.next("bkt");
  const { refused } = await objectStore.change({ kind: "makeBucket", id, name, visibility, at: clock.now() });
  if (refused !== null) throw fail("objstore_bucket_exists", { bucket: name });
  return presentBucket(own, getBucket(own, name));
}

/** Removes an empty bucket and what keys might do with it, and records it. Throws the codes of the contract. */
export async function removeBucket(
  own: Pick<Local, "objectStore" | "db" | "access">,
  name: string,
  record: () => void,
): Promise<void> {
  const { id } = getOpenBucket(own, name);
  const { refused } = await own.objectStore.change({ kind: "removeBucket", id });
  if (refused === "bucket_not_empty") throw fail("objstore_bucket_not_empty", { bucket: name });
  if (refused !== null) throw fail("objstore_bucket_not_found", { bucket: name });
  own.db.record(() => {
    deleteGrantsOf(own.db, id);
    record();
  });
  own.access.forget();
}
