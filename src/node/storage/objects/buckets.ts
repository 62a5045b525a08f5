import { type Bucket, type BucketInput, type BucketSettings, fail } from "./contract.ts";
import { type By, type Own, requireOpen } from "./own.ts";

/** Who asks, and whether by an API key, which makes nothing public. */
interface Asker extends By {
  isKey: boolean;
}

/** Makes a bucket. Throws `objstore_bucket_reserved`, `objstore_bucket_exists`, `objstore_limit`, `key_cannot_open_bucket`. */
export async function makeBucket(
  own: Own,
  { isKey, ...by }: Asker,
  { name, visibility = "private" }: BucketInput,
): Promise<Bucket> {
  requireOpen(name);
  if (isKey && visibility === "public") throw fail("key_cannot_open_bucket", { bucket: name });
  const driver = await own.driver();
  const bucket = await driver.makeBucket({ name, visibility });
  own.db.record(() => own.bus.emit("objects.bucket_created", { ...by, bucket: name, visibility }));
  driver.refresh();
  return bucket;
}

/** Removes an empty bucket and what keys might do with it. Throws the codes of the contract. */
export async function removeBucket(own: Own, by: By, name: string): Promise<void> {
  requireOpen(name);
  const driver = await own.driver();
  await driver.removeBucket(name, () => own.bus.emit("objects.bucket_removed", { ...by, bucket: name }));
  driver.refresh();
}

/** Who reads a bucket, how it answers as a website, and when its objects end. Throws `objstore_bucket_not_found`. */
export async function getSettings(own: Own, name: string): Promise<BucketSettings> {
  requireOpen(name);
  return await (await own.driver()).getSettings(name);
}

/** Replaces them, all at once. Throws `objstore_bucket_not_found`, `invalid_request`, `key_cannot_open_bucket`. */
export async function putSettings(
  own: Own,
  { isKey, ...by }: Asker,
  name: string,
  given: BucketSettings,
): Promise<BucketSettings> {
  requireOpen(name);
  const driver = await own.driver();
  // What is public already stays so, so that a key can change the rest.
  if (isKey && given.visibility === "public" && (await driver.getSettings(name)).visibility !== "public")
    throw fail("key_cannot_open_bucket", { bucket: name });
  const { visibility: before } = await driver.putSettings(name, given);
  const told = { visibility: given.visibility, website: given.website !== null, rules: given.rules.length };
  own.db.record(() => own.bus.emit("objects.bucket_changed", { ...by, bucket: name, ...told, before }));
  driver.refresh();
  return await driver.getSettings(name);
}
