import { setImmediate } from "node:timers/promises";
import type { Needs } from "./needs.ts";
import { listUnnoted, noteBlob } from "./store.ts";

/** Contents that are looked at in one go: about a millisecond. */
const LOOKED_AT = 200;

/** How a content is named. */
const SUM = /^[0-9a-f]{64}$/;

const none = new Uint8Array();

/**
 * Notes the contents that the store has and no row knows, for the sweep: what a program left that ended between the bytes of a file and its
 * name, and now and then what is about to be named. False where `signal` ended it early.
 */
export async function noteLeft(
  { db, objectStore }: Pick<Needs, "db" | "objectStore">,
  bucketId: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (let after: Uint8Array | null = none; after !== null; await setImmediate()) {
    if (signal.aborted) return false;
    const { objects, next } = await objectStore.list(bucketId, {
      prefix: none,
      delimiter: none,
      after,
      limit: LOOKED_AT,
    });
    const keys = objects.map(({ key }) => Buffer.from(key).toString()).filter((key) => SUM.test(key));
    const left = listUnnoted(db, keys);
    if (left.length > 0) await db.txAside(() => left.forEach((sha256) => void noteBlob(db, sha256)));
    after = next;
  }
  return true;
}
