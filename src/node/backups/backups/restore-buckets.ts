import { setImmediate } from "node:timers/promises";
import type { BucketRow, CatalogueCopy, CopiedObject } from "../../storage/object-store/index.ts";
import type { Own } from "./needs.ts";
import type { ObjectsReader } from "./objects-reader.ts";

const PAGE = 200;
const BEGIN = new Uint8Array();

type Stores = Pick<Own, "objectStore">;

/** Whether what is there now is the same, and can be read. */
async function isThere({ objectStore }: Stores, bucketId: string, wanted: CopiedObject): Promise<boolean> {
  const found = objectStore.findObject(bucketId, wanted.key);
  if (found === null || found.etag !== wanted.etag || found.size !== wanted.size || found.facts !== wanted.facts)
    return false;
  try {
    for await (const _ of await objectStore.open(found, { start: 0, length: found.size }));
    return true;
  } catch {
    return false;
  }
}

/** Puts one object back: whole, or not at all. */
async function restoreObject(
  { objectStore }: Stores,
  reader: ObjectsReader,
  bucketId: string,
  { key, size, etag, facts, modified_at, blobs }: CopiedObject,
): Promise<void> {
  const incoming = await objectStore.receive();
  try {
    let read = 0;
    for await (const bytes of reader.read(blobs)) {
      read += bytes.length;
      await incoming.add(bytes);
    }
    if (read !== size) throw new Error("an object of the backup is not as long as it should be");
    const blob = await incoming.finish();
    const put = { kind: "put", bucketId, key, etag, facts, at: modified_at, when: {}, blob } as const;
    const { refused } = await objectStore.change(put);
    if (refused !== null) throw new Error("The bucket was removed in the middle of it. Begin again.");
  } catch (error) {
    await incoming.drop();
    throw error;
  }
}

/** The bucket as it was, made where there is none of that name; its id. */
async function makeBucket({ objectStore }: Stores, bucket: BucketRow): Promise<string> {
  const found = objectStore.findBucket(bucket.name);
  if (found !== null) return found.id;
  // With the id that it had, so that keys that might use it may again.
  const { id, name, visibility, created_at: at } = bucket;
  const { refused } = await objectStore.change({ kind: "makeBucket", id, name, visibility, at });
  if (refused !== null) throw new Error(`The bucket ${name} could not be made: ${refused}.`);
  const { cors, website, lifecycle, tags } = bucket;
  // A copy that an older program made has no columns for the last three.
  const set = { cors, website: website ?? null, lifecycle: lifecycle ?? null, tags: tags ?? null };
  if (Object.values(set).some((value) => value !== null)) await objectStore.change({ kind: "setBucket", id, set });
  return id;
}

/** Removes what a bucket has and its copy has not. */
async function removeLater(own: Stores, copy: CatalogueCopy, bucket: BucketRow, bucketId: string): Promise<void> {
  for (let after: Uint8Array = BEGIN; ; ) {
    const page = await own.objectStore.list(bucketId, { prefix: BEGIN, delimiter: BEGIN, after, limit: PAGE });
    for (const { key } of page.objects)
      if (copy.findObject(bucket.id, key) === null)
        await own.objectStore.change({ kind: "remove", bucketId, key, when: {} });
    if (page.next === null) return;
    after = page.next;
  }
}

/**
 * Makes buckets what they were in a backup: each object is whole at every moment, and one that is the same already is not touched.
 * What came later stays unless `removesLater`. `onObject` is told of each; it may throw to end it.
 */
export async function restoreBuckets(
  own: Stores,
  copy: CatalogueCopy,
  reader: ObjectsReader,
  buckets: readonly BucketRow[],
  removesLater: boolean,
  onObject: (bytes: number) => void,
): Promise<void> {
  const ids = new Map<string, string>();
  for (const bucket of buckets) ids.set(bucket.id, await makeBucket(own, bucket));
  // Objects lie in the order of their names, and their bytes in segments in the order they came: each segment is fetched once.
  for (const segment of [0, ...copy.listSegments().map(({ id }) => id)]) {
    for (const bucket of buckets) {
      const bucketId = ids.get(bucket.id) ?? "";
      for (let after: Uint8Array = BEGIN; ; ) {
        const page = copy.listObjects(bucket.id, after, PAGE);
        for (const object of page) {
          if (reader.orderOf(object.blobs) !== segment) continue;
          if (!(await isThere(own, bucketId, object))) await restoreObject(own, reader, bucketId, object);
          onObject(object.size);
        }
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) break;
        after = last.key;
        // Whoever else waits has a turn.
        await setImmediate();
      }
    }
  }
  if (!removesLater) return;
  for (const bucket of buckets) await removeLater(own, copy, bucket, ids.get(bucket.id) ?? "");
}
