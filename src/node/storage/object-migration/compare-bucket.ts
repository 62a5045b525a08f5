import { OutgoingError } from "../../../kernel/outgoing/index.ts";
import { createGate } from "../../../lib/gate.ts";
import { DamagedBytes, type ObjectRow } from "../object-store/index.ts";
import { DRIVE_BUCKET } from "../objects/index.ts";
import { fail } from "./contract.ts";
import { copyObject, ObjectProblem, readBack } from "./copy-object.ts";
import { type Legacy, LegacyRefusal, type Listed } from "./legacy-client.ts";
import type { Needs } from "./needs.ts";
import type { State } from "./state.ts";
import * as store from "./store.ts";

/** What a round over the buckets works with. */
export interface RoundWork extends Pick<Needs, "db" | "objectStore" | "log" | "checkpoint"> {
  legacy: Legacy;
  state: State;
  signal: AbortSignal;
}

/** Objects that are copied at a time. */
const AT_ONCE = 4;
const PAGE = 1_000;
/** A store that fails so often is broken as a whole. */
const MOST_PROBLEMS = 1_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const isSame = (bucket: store.BucketRow, here: ObjectRow | null, there: Listed): boolean =>
  here !== null && here.size === there.size && (bucket.name === DRIVE_BUCKET || here.etag === there.etag);

/** A page of the previous store in the order of its bytes, which everything here relies on. An empty one ends the list. */
export async function readPage(
  { legacy }: Pick<RoundWork, "legacy">,
  bucket: string,
  after: Uint8Array,
): Promise<Listed[]> {
  let page: Listed[];
  try {
    page = await legacy.list(bucket, decoder.decode(after));
  } catch (error) {
    // The bucket was removed meanwhile.
    if (error instanceof LegacyRefusal && error.status === 404) return [];
    throw error;
  }
  let before: Uint8Array = after;
  for (const { key, size } of page) {
    const bytes = encoder.encode(key);
    if (Buffer.compare(before, bytes) >= 0 || !Number.isSafeInteger(size) || size < 0)
      throw fail("objstore_legacy_unavailable", { error: `its list of ${bucket} is not in order.` });
    before = bytes;
  }
  return page;
}

/** Removes what is here in that stretch of keys and was removed there; tells how much that was. */
async function removeGone(
  { objectStore, legacy }: RoundWork,
  bucket: store.BucketRow,
  { after, until, there }: { after: Uint8Array; until: Uint8Array | null; there: ReadonlySet<string> },
): Promise<number> {
  let removed = 0;
  for (let from = after; ; ) {
    const rows = objectStore.listWhole(bucket.bucket_id, from, PAGE);
    for (const { key, etag, modified_at } of rows) {
      if (until !== null && Buffer.compare(key, until) > 0) return removed;
      const text = decoder.decode(key);
      if (there.has(text)) continue;
      // A list that leaves something out takes nothing away.
      if (await legacy.isThere(bucket.name, text)) continue;
      const when = { etag, modifiedAt: modified_at };
      await objectStore.change({ kind: "remove", bucketId: bucket.bucket_id, key, when });
      removed += 1;
    }
    const last = rows.at(-1);
    if (last === undefined) return removed;
    from = new Uint8Array(last.key);
  }
}

/** Copies one object, and notes why that is not possible; tells whether it is here now. */
async function bring(work: RoundWork, bucket: store.BucketRow, { key }: Listed): Promise<boolean> {
  const { db, objectStore } = work;
  const bytes = encoder.encode(key);
  try {
    if (!(await copyObject(work, bucket, key))) return false;
    if (bucket.is_checked === 1) {
      const object = objectStore.findObject(bucket.bucket_id, bytes);
      if (object !== null) await readBack(work, object);
    }
    db.tx(() => store.deleteProblem(db, bucket.name, bytes));
    return true;
  } catch (error) {
    if (!(error instanceof ObjectProblem) && !(error instanceof DamagedBytes)) throw error;
    db.tx(() => store.saveProblem(db, { bucket: bucket.name, key: bytes, reason: error.message }));
    const count = store.countProblems(db);
    if (count > MOST_PROBLEMS) throw fail("objstore_migration_objects_failed", { count });
    return false;
  }
}

/** What a round over one bucket did. */
interface Tally {
  /** Objects there, and their bytes. */
  total: number;
  total_bytes: number;
  /** Of them, here. */
  copied: number;
  bytes: number;
  /** Copied or removed in this round. */
  changes: number;
}

async function bringPage(work: RoundWork, bucket: store.BucketRow, page: readonly Listed[], tally: Tally) {
  const gate = createGate(AT_ONCE);
  const { objectStore, state } = work;
  const isFirst = bucket.is_whole === 0;
  const live = { copied: 0, bytes: 0 };
  if (isFirst) state.live.set(bucket.name, live);
  const count = ({ size }: Listed) => {
    tally.copied += 1;
    tally.bytes += size;
    live.copied += 1;
    live.bytes += size;
  };
  const outcomes = await Promise.allSettled(
    page.map((there) =>
      gate(async () => {
        work.signal.throwIfAborted();
        tally.total += 1;
        tally.total_bytes += there.size;
        const here = objectStore.findObject(bucket.bucket_id, encoder.encode(there.key));
        if (isSame(bucket, here, there)) return count(there);
        await work.checkpoint?.("object-migration", `object ${bucket.name}/${there.key}`);
        if (!(await bring(work, bucket, there))) return;
        tally.changes += 1;
        count(there);
      }),
    ),
  );
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

/** Forgets problems with objects that are not there any more. */
async function forgetGone({ db, legacy }: RoundWork, bucket: string): Promise<void> {
  for (const problem of store.listProblems(db, MOST_PROBLEMS).filter((one) => one.bucket === bucket)) {
    if (await legacy.isThere(bucket, decoder.decode(problem.key)).catch(isRefused)) continue;
    db.tx(() => store.deleteProblem(db, bucket, problem.key));
  }
}

/** What refuses to tell is there still. */
function isRefused(error: unknown): boolean {
  if (error instanceof OutgoingError) throw error;
  return true;
}

/**
 * Brings one bucket up to what is there now, key by key; tells how many objects had to be copied or removed. The first round goes on
 * where it was cut off, later ones begin anew.
 */
export async function compareBucket(work: RoundWork, name: string): Promise<number> {
  const { db, state } = work;
  const bucket = store.findBucket(db, name);
  if (bucket === null) return 0;
  const isFirst = bucket.is_whole === 0;
  const tally: Tally = {
    total: 0,
    total_bytes: 0,
    copied: isFirst ? bucket.copied : 0,
    bytes: isFirst ? bucket.bytes : 0,
    changes: 0,
  };
  let after: Uint8Array = (isFirst ? bucket.after : null) ?? new Uint8Array();
  for (;;) {
    work.signal.throwIfAborted();
    await work.checkpoint?.("object-migration", "page");
    const page = await readPage(work, name, after);
    await bringPage(work, bucket, page, tally);
    const last = page.at(-1);
    const until = last === undefined ? null : encoder.encode(last.key);
    // The Drive puts files of its own beside those that come.
    if (name !== DRIVE_BUCKET)
      tally.changes += await removeGone(work, bucket, { after, until, there: new Set(page.map(({ key }) => key)) });
    if (until === null) break;
    after = until;
    if (!isFirst) continue;
    const { copied, bytes } = tally;
    db.tx(() => store.updateBucket(db, name, { after, copied, bytes }));
    state.live.delete(name);
  }
  state.live.delete(name);
  await forgetGone(work, name);
  const { copied, bytes, total, total_bytes } = tally;
  db.tx(() =>
    store.updateBucket(db, name, {
      ...{ copied, bytes, is_whole: 1, after: null },
      // What was listed before the first round was cut off counts as it was then.
      ...(isFirst ? {} : { total, total_bytes }),
    }),
  );
  return tally.changes;
}
