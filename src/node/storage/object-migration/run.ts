import { AppError } from "../../../kernel/http/errors.ts";
import { OutgoingError } from "../../../kernel/outgoing/index.ts";
import { seconds } from "../../../lib/duration.ts";
import { hiddenName } from "../object-store/index.ts";
import { DRIVE_BUCKET, isBucketName } from "../objects/index.ts";
import { findSettings } from "./bucket-settings.ts";
import { checkBucket } from "./check-bucket.ts";
import { compareBucket, type RoundWork, readPage } from "./compare-bucket.ts";
import { fail, type Phase } from "./contract.ts";
import { measureFolder } from "./data-folder.ts";
import { LegacyRefusal } from "./legacy-client.ts";
import { type OpenLegacy, openLegacy } from "./legacy-program.ts";
import type { Needs } from "./needs.ts";
import type { Places } from "./places.ts";
import type { State } from "./state.ts";
import * as store from "./store.ts";
import { isUnveiled, switchOver } from "./switch-over.ts";

/** What bringing objects over works with. */
export interface RunWork extends Needs {
  places: Places;
  state: State;
  /** The previous store while somebody reads it; shared with the Drive, which may need one file at once. */
  session: { open: OpenLegacy | null };
}

/** So much more room than the objects take, in parts of ten. */
const ROOM = 1.1;
const KEPT_SHARE = 0.02;
const MOST_KEPT_BYTES = 1024 ** 3;
const WAIT_MS = seconds(60);
/** Between two rounds while others still write. */
const ROUND_MS = seconds(5);

const encoder = new TextEncoder();

/** Adds the buckets of the previous store that are new, and counts what is in those that were never read to their end. */
async function listBuckets(work: RunWork, { legacy }: OpenLegacy, signal: AbortSignal): Promise<boolean> {
  const { db, ids, objectStore } = work;
  let isNew = false;
  // Files of the Drive come first: people wait for them.
  const found = (await legacy.listBuckets()).sort((a, b) => rankOf(a.name) - rankOf(b.name));
  // What no store of this kind calls a bucket could not be reached here either.
  if (!found.every(({ name }) => isBucketName(name)))
    throw fail("objstore_legacy_unavailable", { error: "it lists a bucket whose name is none." });
  for (const { name, createdAt } of found) {
    if (store.findBucket(db, name) !== null) continue;
    const here = objectStore.findBucket(name);
    if (here !== null && name !== DRIVE_BUCKET) throw fail("objstore_migration_bucket_exists", { bucket: name });
    const bucketId = here?.id ?? ids.next("bkt");
    db.tx(() => store.insertBucket(db, { name, bucket_id: bucketId, created_at: createdAt }));
    isNew = true;
  }
  for (const { name, is_whole } of store.listBuckets(db)) {
    if (is_whole === 1) continue;
    let after: Uint8Array = new Uint8Array();
    const sums = { total: 0, total_bytes: 0 };
    for (;;) {
      signal.throwIfAborted();
      const page = await readPage({ legacy }, name, after);
      for (const { size } of page) sums.total_bytes += size;
      sums.total += page.length;
      const last = page.at(-1);
      if (last === undefined) break;
      after = encoder.encode(last.key);
    }
    db.tx(() => store.updateBucket(db, name, sums));
  }
  return isNew;
}

const rankOf = (name: string): number => (name === DRIVE_BUCKET ? 0 : 1);

/** Makes the buckets that objects go to; nobody sees them before the switch, but that of the Drive. */
async function makeBuckets({ db, objectStore }: RunWork): Promise<void> {
  for (const { name, bucket_id: id, created_at: at } of store.listBuckets(db)) {
    const told = name === DRIVE_BUCKET ? name : hiddenName(name);
    const { refused } = await objectStore.change({ kind: "makeBucket", id, name: told, visibility: "private", at });
    const here = refused === null ? null : objectStore.findBucket(told);
    if (here === null || here.id === id) continue;
    if (name !== DRIVE_BUCKET) throw fail("objstore_migration_bucket_exists", { bucket: name });
    // The Drive made its own meanwhile.
    db.tx(() => store.bindBucket(db, name, here.id));
  }
}

/** Throws `objstore_not_enough_space` where what is still to come has no room. */
async function needRoom({ db, host, config }: RunWork): Promise<void> {
  const buckets = store.listBuckets(db);
  const left = buckets.reduce((sum, { total_bytes, bytes }) => sum + Math.max(0, total_bytes - bytes), 0);
  const space = await host.ownSpace(config.data_dir);
  if (space === null) return;
  const needed = Math.ceil(left * ROOM);
  const free = Math.max(0, Math.floor(space.free - Math.min(MOST_KEPT_BYTES, space.total * KEPT_SHARE)));
  if (needed > free) throw fail("objstore_not_enough_space", { needed, free });
}

function needNoProblems({ db, state }: RunWork): void {
  const count = store.countProblems(db);
  if (count > 0 && state.read()?.leave_out !== 1) throw fail("objstore_migration_objects_failed", { count });
}

/** Carries out a phase and tells the next one. */
type Step = (work: RunWork, signal: AbortSignal) => Promise<Phase>;

async function reach(work: RunWork): Promise<OpenLegacy> {
  work.session.open ??= await openLegacy(work, work.places);
  return work.session.open;
}

async function begin(work: RunWork, signal: AbortSignal): Promise<Phase> {
  const { db, places } = work;
  // From then on programs may have used them, and what the previous store has is no measure any more.
  if (isUnveiled(work)) return "switching";
  const open = await reach(work);
  db.tx(() => store.reopenBuckets(db));
  await listBuckets(work, open, signal);
  const legacyBytes = await measureFolder(places.data, signal);
  db.tx(() => store.updateMigration(db, { legacy_bytes: legacyBytes }));
  await needRoom(work);
  return "copying";
}

async function eachBucket(work: RunWork, signal: AbortSignal, act: (work: RoundWork, name: string) => Promise<number>) {
  const { legacy } = await reach(work);
  let count = 0;
  const names = store.listBuckets(work.db).map(({ name }) => name);
  for (const name of names.sort((a, b) => rankOf(a) - rankOf(b))) count += await act({ ...work, legacy, signal }, name);
  return count;
}

/** One more round over everything; tells whether anything was different. */
async function catchUp(work: RunWork, signal: AbortSignal): Promise<boolean> {
  const isNew = await listBuckets(work, await reach(work), signal);
  if (isNew) await makeBuckets(work);
  return (await eachBucket(work, signal, compareBucket)) > 0 || isNew;
}

/** What the buckets do is read as late as possible, so that the switch needs nobody but this node. */
async function noteSettings(work: RunWork): Promise<void> {
  const { legacy } = await reach(work);
  const { db } = work;
  for (const { name } of store.listBuckets(db)) {
    const { set, note } = await findSettings(legacy, name);
    db.tx(() => store.updateBucket(db, name, { settings: JSON.stringify(set), note }));
  }
}

const STEPS: Partial<Record<Phase, Step>> = {
  pending: begin,
  async waiting_space(work, signal) {
    await work.clock.sleep(WAIT_MS, signal);
    await needRoom(work);
    return "copying";
  },
  async copying(work, signal) {
    await makeBuckets(work);
    await eachBucket(work, signal, async (round, name) => {
      const isWhole = store.findBucket(round.db, name)?.is_whole === 1;
      return isWhole ? 0 : await compareBucket(round, name);
    });
    needNoProblems(work);
    return "catching_up";
  },
  async catching_up(work, signal) {
    while (await catchUp(work, signal)) await work.clock.sleep(ROUND_MS, signal);
    needNoProblems(work);
    return "verifying";
  },
  async verifying(work, signal) {
    if ((await eachBucket(work, signal, checkBucket)) > 0) return "catching_up";
    await noteSettings(work);
    // Nothing has changed since, so what was compared and read back is all there is.
    if (await catchUp(work, signal)) return "catching_up";
    needNoProblems(work);
    return "switching";
  },
  async switching(work) {
    await switchOver(work);
    return "done";
  },
};

/** What went wrong, in the words of the contract. */
function explain(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof OutgoingError || error instanceof LegacyRefusal)
    return fail("objstore_legacy_unavailable", { error: error.message });
  return fail("objstore_migration_failed", { reason: error instanceof Error ? error.message : String(error) });
}

async function stopFor(work: RunWork, error: unknown, phase: Phase): Promise<boolean> {
  const { state, bus, log } = work;
  const told = explain(error);
  if (told.code === "disk_full" || told.code === "objstore_not_enough_space") {
    const space = await work.host.ownSpace(work.config.data_dir);
    const params = told.code === "disk_full" ? { needed: 0, free: space?.free ?? 0 } : told.params;
    state.stop("waiting_space", fail("objstore_not_enough_space", params));
    return true;
  }
  if (told === error) log.warn("objects of the previous store are not brought over", { phase, problem: told.message });
  else log.error("objects of the previous store could not be brought over", { phase, error });
  state.stop("failed", told, {}, () => bus.emit("object_migration.failed", { code: told.code, words: told.message }));
  return false;
}

/** Goes through the phases until it is done, fails, or `signal` aborts; what was written down is where the next one goes on. */
export async function runMigration(asked: RunWork, signal: AbortSignal): Promise<void> {
  // Whatever it waits for ends with it.
  const work: RunWork = { ...asked, signal };
  const { state, session } = work;
  try {
    for (let goesOn = true; goesOn && !signal.aborted; ) {
      const phase = state.read()?.phase;
      const step = phase === undefined ? undefined : STEPS[phase];
      if (phase === undefined || step === undefined) return;
      await work.checkpoint?.("object-migration", phase);
      try {
        const next = await step(work, signal);
        if (signal.aborted) return;
        // The switch writes that it is done together with what belongs to it.
        if (next !== "done") state.move(next);
      } catch (error) {
        if (signal.aborted) return;
        goesOn = await stopFor(work, error, phase);
      }
    }
  } finally {
    const { open } = session;
    session.open = null;
    await open?.close();
  }
}
