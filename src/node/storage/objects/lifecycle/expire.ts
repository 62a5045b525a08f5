import { setImmediate as nextTurn } from "node:timers/promises";
import type { Job } from "../../../../kernel/jobs.ts";
import { hours } from "../../../../lib/duration.ts";
import type { BucketRow } from "../../object-store/index.ts";
import { DRIVE_BUCKET } from "../contract.ts";
import { readFacts } from "../facts.ts";
import type { Needs } from "../needs.ts";
import { endOf, isStale, type ReadyLifecycle, readyLifecycle } from "./rules.ts";

type Work = Pick<Needs, "objectStore" | "clock" | "db" | "bus" | "log">;

/** Objects looked at in one go, and rules that they are compared with; whoever else waits comes between two of them. */
const STEP = 500;
const STEP_RULES = 20_000;

const stepOf = (rules: readonly ReadyLifecycle[]): number => Math.min(STEP, Math.ceil(STEP_RULES / rules.length));

/** Ends objects and uploads whose time has come by the rules of their buckets. Expiry is by the day, so looking each hour is enough. */
export function createExpiry(needs: Work): Job {
  return {
    name: "objects-lifecycle",
    everyMs: hours(1),
    async run(signal) {
      for (const bucket of needs.objectStore.listBuckets()) {
        const rules = readyLifecycle(bucket.lifecycle);
        if (rules.length === 0 || bucket.name === DRIVE_BUCKET) continue;
        const objects = await expireObjects(needs, bucket, rules, signal);
        const uploads = await giveUpUploads(needs, bucket, rules, signal);
        if (objects + uploads === 0) continue;
        needs.db.record(() => needs.bus.emit("objects.expired", { bucket: bucket.name, objects, uploads }));
      }
    },
  };
}

async function expireObjects(
  { objectStore, clock, log }: Work,
  { id: bucketId, name }: BucketRow,
  rules: readonly ReadyLifecycle[],
  signal: AbortSignal,
): Promise<number> {
  const now = clock.now();
  let count = 0;
  let after: Uint8Array = new Uint8Array();
  while (!signal.aborted) {
    const rows = objectStore.listWhole(bucketId, after, stepOf(rules));
    const last = rows.at(-1);
    if (last === undefined) return count;
    after = last.key;
    const over = rows.filter(
      (row) => (endOf(rules, { ...row, tags: readFacts(row.facts).tags })?.at ?? now + 1) <= now,
    );
    const outcomes = await Promise.allSettled(
      // What was stored anew since it was seen is another object, whose time has not come.
      over.map(({ key, etag, modified_at: modifiedAt }) =>
        objectStore.change({ kind: "remove", bucketId, key, when: { etag, modifiedAt } }),
      ),
    );
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) log.error("objects could not be ended", { bucket: name, error: failed.reason });
    count += outcomes.filter((outcome) => outcome.status === "fulfilled" && outcome.value.refused === null).length;
    if (failed !== undefined) return count;
    await nextTurn();
  }
  return count;
}

async function giveUpUploads(
  { objectStore, clock }: Work,
  { id: bucketId }: BucketRow,
  rules: readonly ReadyLifecycle[],
  signal: AbortSignal,
): Promise<number> {
  const now = clock.now();
  let count = 0;
  let after = { key: new Uint8Array(), id: "" };
  while (!signal.aborted) {
    const rows = objectStore.listUploads(bucketId, { ...after, limit: stepOf(rules) });
    const last = rows.at(-1);
    if (last === undefined) return count;
    after = { key: new Uint8Array(last.key), id: last.id };
    for (const row of rows.filter((upload) => isStale(rules, upload, now)))
      if ((await objectStore.change({ kind: "abortUpload", uploadId: row.id })).refused === null) count += 1;
    await nextTurn();
  }
  return count;
}
