/** The object store: buckets of objects on this node's disk. What it acknowledges is on disk, whole, and seen by everybody at once. */
import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../../kernel/db/migrate.ts";
import { openDatabase } from "../../../kernel/db/open.ts";
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { AppError, kernelFail } from "../../../kernel/http/errors.ts";
import { startThread, type Thread } from "../../../kernel/thread.ts";
import { toIso } from "../../../lib/clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { catalogueMigrations } from "./catalogue-migrations.ts";
import * as catalogue from "./catalogue-store.ts";
import { type CheckState, type CheckStep, checkSome, readCheck } from "./check.ts";
import { createCommits } from "./commits.ts";
import { fail } from "./contract.ts";
import { createHeldFiles } from "./held-files.ts";
import { createIncoming, type Incoming } from "./incoming.ts";
import { isHidden, layoutOf } from "./layout.ts";
import { type ListPage, type ListQuery, listPage } from "./list-page.ts";
import type { Needs } from "./needs.ts";
import { type Answer, OF_BUCKETS, type Operation, type Outcome, type Question } from "./operations.ts";
import { createPins } from "./pins.ts";
import type { Range } from "./places-of.ts";
import { openBytes, readSmall } from "./read-blobs.ts";
import { needsRebuild } from "./rebuild.ts";
import { createRoomCheck } from "./room.ts";
import { wrongKey } from "./sealing.ts";
import { readSealing, type SealingState } from "./sealing-store.ts";
import { createSegmentFiles } from "./segment-files.ts";
import * as uploads from "./upload-store.ts";
import { createVault, type Vault } from "./vault.ts";

export { type CatalogueCopy, type CopiedObject, openCatalogueCopy } from "./catalogue-copy.ts";
export type { BlobRow, BucketRow, ObjectRow } from "./catalogue-store.ts";
export type { CheckState, CheckStep } from "./check.ts";
export type { Incoming } from "./incoming.ts";
export { blobFileName, hiddenName, layoutOf } from "./layout.ts";
export type { ListPage, ListQuery } from "./list-page.ts";
export { openWritten, writtenSize } from "./open-written.ts";
export type { BucketSettings, Condition, Operation, Outcome } from "./operations.ts";
export { DamagedBytes } from "./read-blobs.ts";
export { createRebuildCommand } from "./rebuild-command.ts";
export { createRoomCheck } from "./room.ts";
export type { UploadRow } from "./upload-store.ts";
export type { Vault } from "./vault.ts";

/** What a store of the node with that seal encrypts with. */
export const vaultOf = (seal: Needs["seal"]): Vault => createVault(seal.deriveKey(KEY_PURPOSE));

export const objectStoreFeature = defineFeature({ name: "object-store", errors: fail.table });

const KEY_PURPOSE = "object-store";

/** Files that nothing refers to are removed this long after the last change of a row of changes. */
const TIDY_MS = seconds(2);

/** A disk that had no room, or a system that had no files left, is asked again after that time. */
const REOPEN_MS = seconds(1);

/** What could not follow a switch of encryption is tried again after that time. */
const FOLLOW_MS = minutes(1);

/** How what is stored is encrypted. */
export interface Sealing extends Omit<SealingState, "key"> {
  /** Names the key of this node, and says nothing of it. */
  key: string;
  /** Where it all lies. */
  folder: string;
}

/** A bucket as requests about its objects need it. */
export type BucketFacts = Omit<catalogue.BucketRow, "size_bytes" | "object_count">;

/** Buckets and objects. Reading never waits for writing. */
export interface ObjectStore extends Part {
  /** All but hidden ones, which a change brings to light. */
  listBuckets(): catalogue.BucketRow[];
  /** Those. */
  listHidden(): catalogue.BucketRow[];
  findBucket(name: string): catalogue.BucketRow | null;
  /** The same without what changes with every object, at no cost. */
  bucketNamed(name: string): BucketFacts | null;
  findObject(bucketId: string, key: Uint8Array): catalogue.ObjectRow | null;
  list(bucketId: string, query: ListQuery, giveWay?: () => Promise<void>): Promise<ListPage>;
  /** Up to `limit` objects after a key, with all that is known of them. */
  listWhole(bucketId: string, after: Uint8Array, limit: number): catalogue.ObjectRow[];
  findUpload(id: string): uploads.UploadRow | null;
  listUploads(bucketId: string, place: uploads.UploadPlace): uploads.UploadRow[];
  /** All parts of an upload, or up to `limit` after a number. */
  listParts(uploadId: string, place?: { after: number; limit: number }): uploads.PartRow[];
  /** Bytes of an object. Throws DamagedBytes for what is not as it was stored, at the latest while it is read. */
  open(object: Pick<catalogue.ObjectRow, "blobs">, range: Range): Promise<AsyncGenerator<Uint8Array, void, undefined>>;
  /** Sizes of the pieces that an object's bytes lie in: of one that came in parts, one for each part. */
  sizesOf(object: Pick<catalogue.ObjectRow, "blobs">): Promise<number[]>;
  /** All bytes of a small object in one go; null for one that `open` reads better. Throws DamagedBytes. */
  readSmall(object: Pick<catalogue.ObjectRow, "blobs" | "size">): Promise<Uint8Array | null>;
  /** Begins to take the bytes of a new object. It and its bytes throw `disk_full` where they would fill the node's disk. */
  receive(): Promise<Incoming>;
  /**
   * Makes a change; it is on disk when this resolves. Those for whom changes are made, the bucket unless it is said, have their turns: who
   * changes much holds nobody else for long. Throws `disk_full`, `objstore_store_unavailable`, and `unavailable` where too much waits.
   */
  change(operation: Operation, whose?: string): Promise<Outcome>;
  /** Reads the next `bytes` of what is stored and compares it with its sums; what can be put right is. */
  check(bytes: number): Promise<CheckStep>;
  /** Whether what is stored is encrypted, and how much of it is still to follow. */
  sealing(): Sealing;
  /** Encrypts what others keep beside the store while it is encrypted; `about` is bound in. */
  vault: Pick<Vault, "seal" | "open">;
  /** How far the check has come, how much is damaged, and the first of it. */
  checkState(): { state: CheckState; damage: catalogue.DamageRow[]; damaged: number } | null;
  /** Removes what nothing refers to any more, as it does by itself a little after each change. Not while it is pinned. */
  tidy(): Promise<void>;
  /**
   * Keeps every file of the store where it is, so that what the catalogue names at any moment from here on can be read for as long.
   * What it answers lets go; what waited is tidied then. A program that ends lets go, too.
   */
  pin(): Promise<() => void>;
  /** Whether somebody reads it as a whole: what could be needed for that is not removed. */
  isPinned(): boolean;
  /** The folder it lies in; null while nothing was ever stored. */
  folder(): string | null;
  stop(): Promise<void>;
}

/** A store below the data folder. Its thread and its files are made with the first bucket. */
export function createObjectStore(needs: Needs): ObjectStore {
  const { clock, ids, log, signal } = needs;
  const key = needs.seal.deriveKey(KEY_PURPOSE);
  const vault = createVault(key);
  const folder = join(needs.config.data_dir, "objects");
  const layout = layoutOf(folder);
  const requireRoom = createRoomCheck(needs);
  const segments = createSegmentFiles(layout);
  const synced = new Set<string>();
  const buckets = new Map<string, BucketFacts>();
  let thread: Thread<Question, Answer> | null = null;
  let opening: Promise<void> | null = null;
  /** When it may be opened again that could not be just now; null where it can. */
  let reopenAt: number | null = null;
  let db: Database | null = null;
  /** Whether new bytes are encrypted; null while nobody has looked. */
  let isSealing: boolean | null = null;
  let changingFacts = 0;
  /** Why it cannot be opened before the next start. */
  let problem: string | null = null;
  let isStopped = false;
  let willTidy = false;
  const held = createHeldFiles();
  const pins = createPins(() => tidySoon());

  async function openThread(): Promise<void> {
    if (isStopped) throw fail("objstore_store_unavailable", { reason: "the node is stopping" });
    const fresh = startThread<Question, Answer>("node/storage/object-store/writer-thread");
    thread = fresh;
    const question = { do: "open", folder, at: toIso(clock.now()), startId: ids.next("blob"), key } as const;
    const { problems } = await fresh.ask(question).catch((error: unknown) => {
      if (isPassing(error)) reopenAt = clock.monotonic() + REOPEN_MS;
      else problem = error instanceof Error ? error.message : String(error);
      fresh.end();
      throw error;
    });
    for (const problem of problems) log.error("the object store is damaged", { problem });
  }

  /** Opens it for writing, once; what passes is tried anew by whoever asks later. */
  async function opened(): Promise<void> {
    if (reopenAt !== null && clock.monotonic() >= reopenAt) {
      opening = null;
      reopenAt = null;
    }
    opening ??= openThread();
    await opening;
  }

  async function ask(question: Question): Promise<Answer> {
    await opened();
    if (thread === null) throw fail("objstore_store_unavailable", { reason: "the node is stopping" });
    return await thread.ask(question);
  }

  /** A connection that reads; null while nothing was ever stored. */
  function reader(): Database | null {
    if (db !== null || isStopped) return db;
    if (problem !== null) throw fail("objstore_store_unavailable", { reason: problem });
    if (needsRebuild(layout)) {
      ask({ do: "tidy", mayGrow: false, garbage: [] }).catch((error: unknown) =>
        log.error("the object store cannot be opened", { error }),
      );
      throw fail("objstore_store_unavailable", { reason: "what it holds is being read anew, which takes a while" });
    }
    if (!existsSync(layout.catalogue)) return null;
    const opened = openDatabase(layout.catalogue);
    // Of an older program, and nobody has written since; the writer does the same where it comes first.
    if (opening === null && catalogue.hasTables(opened))
      migrate(opened, catalogueMigrations, toIso(clock.now()), () => {});
    opened.run("PRAGMA query_only = ON");
    problem = catalogue.hasTables(opened) ? wrongKey(readSealing(opened), vault) : null;
    if (catalogue.hasTables(opened) && problem === null) db = opened;
    else opened.close();
    if (problem !== null) throw fail("objstore_store_unavailable", { reason: problem });
    return db;
  }

  const hasRoom = () =>
    requireRoom().then(
      () => true,
      () => false,
    );

  async function tidy(): Promise<void> {
    let after = "";
    for (let more = true; more && !isStopped && !pins.isHeld(); more ||= after !== "") {
      const mayGrow = await hasRoom();
      const listed = needsRebuild(layout) ? [] : read((open) => catalogue.listGarbage(open, after), []);
      const garbage = listed.filter((path) => !held.isHeld(path));
      ({ more } = await pins.watch(ask({ do: "tidy", mayGrow, garbage })));
      held.forget();
      after = listed.length === catalogue.GARBAGE_PAGE ? (listed.at(-1) ?? "") : "";
    }
    segments.forgetGone();
    // For want of room, or since somebody reads the store as a whole.
    if (!isStopped && isFollowing()) tidySoon(FOLLOW_MS);
  }

  const isFollowing = (): boolean => {
    const open = reader();
    return open !== null && !readSealing(open).isDone;
  };

  function tidySoon(afterMs = TIDY_MS): void {
    if (willTidy) return;
    willTidy = true;
    clock.after(afterMs, () => {
      willTidy = false;
      tidy().catch((error: unknown) => log.error("the object store could not be tidied", { error }));
    });
  }

  const commit = createCommits((operations) => ask({ do: "write", operations }));

  async function stop(): Promise<void> {
    if (isStopped) return;
    isStopped = true;
    await opening?.catch(() => {});
    await thread?.ask({ do: "close" }).catch(() => {});
    thread?.end();
    thread = null;
    await segments.close();
    db?.close();
    db = null;
  }
  signal.addEventListener("abort", () => void stop());

  const read = <T>(ask: (db: Database) => T, otherwise: T): T => {
    try {
      const open = reader();
      return open === null ? otherwise : ask(open);
    } catch (error) {
      throw explain(error);
    }
  };

  return {
    feature: objectStoreFeature,
    listBuckets: () => read(catalogue.listBuckets, []).filter(({ name }) => !isHidden(name)),
    listHidden: () => read(catalogue.listBuckets, []).filter(({ name }) => isHidden(name)),
    findBucket: (name) => read((open) => catalogue.findBucket(open, name), null),
    bucketNamed(name) {
      const known = buckets.get(name) ?? read((open) => catalogue.findBucket(open, name), null);
      if (known !== null && changingFacts === 0) buckets.set(name, known);
      return known;
    },
    findObject: (bucketId, key) => read((open) => catalogue.findObject(open, bucketId, key), null),
    list: (bucketId, query, giveWay = async () => {}) =>
      listPage((place) => read((open) => catalogue.listObjects(open, bucketId, place), []), query, giveWay),
    listWhole: (bucketId, after, limit) => read((open) => catalogue.listWhole(open, bucketId, after, limit), []),
    findUpload: (id) => read((open) => uploads.findUpload(open, id), null),
    listUploads: (bucketId, place) => read((open) => uploads.listUploads(open, bucketId, place), []),
    listParts: (uploadId, place) => read((open) => uploads.listParts(open, uploadId, place), []),
    async open({ blobs }, range) {
      const open = reader();
      if (open === null) throw fail("objstore_store_unavailable", { reason: "the node is stopping" });
      return await openBytes({ db: open, layout, segments, vault, held }, blobs, range);
    },
    async sizesOf({ blobs }) {
      const open = reader();
      if (open === null) return [];
      const { places, release } = await held.take(open, blobs, { start: 0, length: 0 });
      const sizes = Array.from({ length: places.count }, (_, index) => places.sizeOf(index));
      release();
      return sizes;
    },
    async readSmall({ blobs, size }) {
      const open = reader();
      return open === null ? null : await readSmall({ db: open, layout, segments, vault }, blobs, size);
    },
    async receive() {
      await opened();
      await requireRoom();
      const seals = isSealing ?? read((open) => readSealing(open).on, null);
      if (changingFacts === 0) isSealing = seals;
      const incoming = createIncoming(layout, ids.next("blob"), synced, seals === true ? vault : null);
      return {
        async add(bytes) {
          await requireRoom();
          await incoming.add(bytes).catch(rethrow);
        },
        finish: () => incoming.finish().catch(rethrow),
        drop: incoming.drop,
      };
    },
    async change(operation, whose) {
      const isOfFacts = OF_BUCKETS.includes(operation.kind) || operation.kind === "setSealing";
      if (isOfFacts) changingFacts += 1;
      try {
        return await commit(operation, whose);
      } catch (error) {
        // What had no room to wait leaves no file.
        if (isCrowded(error) && "blob" in operation && operation.blob?.bytes === null)
          await commit({ kind: "drop", blob: operation.blob }, whose);
        throw explain(error);
      } finally {
        if (isOfFacts) {
          // What was read while the change went on may be from before it.
          changingFacts -= 1;
          buckets.clear();
          isSealing = null;
        }
        if (operation.kind === "mend") held.forget();
        tidySoon();
      }
    },
    async check(bytes) {
      const open = reader();
      const nothing = { startedAt: null, finishedAt: null, cursor: "", checkedBytes: 0, totalBytes: 0, mended: 0 };
      if (open === null) return { state: nothing, found: [], mended: [] };
      return await checkSome({ db: open, layout, segments, vault, now: clock.now(), change: commit }, bytes);
    },
    checkState: () =>
      read(
        (open) => ({
          state: readCheck(open),
          damage: catalogue.listDamage(open, 100),
          damaged: catalogue.countDamage(open),
        }),
        null,
      ),
    sealing() {
      const state = read(readSealing, null);
      const { on = false, total = 0, left = 0, isDone = true } = state ?? {};
      return { on, total, left, isDone, key: vault.id, folder };
    },
    vault,
    tidy,
    start() {
      // Read anew, or written anew, in the background, rather than when somebody asks first.
      if (needsRebuild(layout) || read(isFollowing, false))
        void tidy().catch((error: unknown) => log.error("the object store cannot be opened", { error }));
    },
    pin: pins.hold,
    isPinned: pins.isHeld,
    folder: () => (reader() === null ? null : folder),
    stop,
  };
}

function rethrow(error: unknown): never {
  throw explain(error);
}

/** Whether the system refused what it may grant soon: room, files, memory, a disk that is mounted. */
const isPassing = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  /^(E[A-Z]+$|SQLITE_(FULL|NOMEM|CANTOPEN|IOERR))/.test(String(error.code));

const isCrowded = (error: unknown): boolean => error instanceof AppError && error.code === "unavailable";

/** What became of bytes or a change that could not be written, in words. */
function explain(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOSPC" || code === "SQLITE_FULL") return kernelFail("disk_full");
  if (code.startsWith("objstore_") || isCrowded(error)) return error;
  if (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB")
    return fail("objstore_store_unavailable", {
      reason: "its catalogue is damaged, and orrery-node rebuild-objects makes it anew from what is stored",
    });
  return fail("objstore_store_unavailable", { reason: error instanceof Error ? error.message : String(error) });
}
