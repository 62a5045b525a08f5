import { isRecord, parseJson } from "../../../lib/json.ts";
import { DRIVE_BUCKET } from "../objects/index.ts";
import { fail } from "./contract.ts";
import { type LegacyEnv, readLegacyEnv } from "./legacy-env.ts";
import type { RunWork } from "./run.ts";
import * as store from "./store.ts";

/** A key that everybody knows, or that is guessed soon, is not taken over: it would open all that was brought here. */
const LEAST_SECRET = 12;
const KNOWN_TO_ALL = ["minioadmin", "minio123", "minio-secret", "password"];

/** Whether programs may go on with the name and password of the previous store. */
export const isGoodKey = ({ access_key, secret_key }: Pick<LegacyEnv, "access_key" | "secret_key">): boolean =>
  /^[\w.-]{3,64}$/.test(access_key) &&
  secret_key.length >= LEAST_SECRET &&
  secret_key !== access_key &&
  !KNOWN_TO_ALL.includes(secret_key.toLowerCase());

function readSettings(text: string | null) {
  const given = text === null ? null : parseJson(text);
  if (!isRecord(given)) return {};
  const { visibility, lifecycle, tags } = given;
  return {
    ...(typeof visibility === "string" ? { visibility } : {}),
    ...(typeof lifecycle === "string" ? { lifecycle } : {}),
    ...(typeof tags === "string" ? { tags } : {}),
  };
}

function readEnv(path: string): LegacyEnv | null {
  try {
    return readLegacyEnv(path);
  } catch {
    return null;
  }
}

/** Whether all buckets were brought to light already, and only that it is done could not be written down. */
export function isUnveiled({ db, objectStore }: Pick<RunWork, "db" | "objectStore">): boolean {
  const rows = store.listBuckets(db).filter(({ name }) => name !== DRIVE_BUCKET);
  return rows.length > 0 && rows.every(({ name, bucket_id }) => objectStore.findBucket(name)?.id === bucket_id);
}

/**
 * Brings all buckets to light at once, then writes down that it is done, with the key that programs know. The one is in the store's
 * catalogue, the other in the node's database: cut off in between, it is simply done again.
 */
export async function switchOver(work: RunWork): Promise<void> {
  const { db, bus, clock, objectStore, objects, places, state } = work;
  const rows = store.listBuckets(db);
  const buckets = rows.map(({ name, bucket_id: id, settings }) => ({ id, name, set: readSettings(settings) }));
  const { refused } = await objectStore.change({ kind: "unveilBuckets", buckets });
  if (refused === "bucket_exists") {
    const twice = rows.find(({ name, bucket_id }) => (objectStore.findBucket(name)?.id ?? bucket_id) !== bucket_id);
    throw fail("objstore_migration_bucket_exists", { bucket: twice?.name ?? "" });
  }
  if (refused !== null) throw fail("objstore_migration_failed", { reason: "a bucket that was filled is gone." });
  await work.checkpoint?.("object-migration", "unveiled");
  const env = readEnv(places.env);
  const left_behind = store.countProblems(db);
  const total = rows.reduce((sum, { copied }) => sum + copied, 0);
  state.move("done", { switched_at: clock.now() }, () => {
    for (const { name } of rows)
      store.updateBucket(db, name, { moved: objectStore.findBucket(name)?.object_count ?? 0 });
    const own = rows.filter(({ name }) => name !== DRIVE_BUCKET).map(({ bucket_id }) => bucket_id);
    if (env !== null && isGoodKey(env) && own.length > 0)
      objects.adoptKey({ ...env, name: "From MinIO", buckets: own });
    bus.emit("object_migration.switched", { buckets: rows.length, objects: total, left_behind });
  });
  objects.refresh();
}
