import { setImmediate } from "node:timers/promises";
import { withRelease } from "../../../lib/release.ts";
import type { BucketRow, Operation } from "../object-store/index.ts";
import { DRIVE_BUCKET } from "../objects/index.ts";
import { CHUNK_BYTES, fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { noteLeft } from "./note-left.ts";
import { deleteBlobRow, isUnused, listUnusedBlobs, noteBlob } from "./store.ts";

const encoder = new TextEncoder();

/** An object that a content becomes. */
export type NewContent = Extract<Operation, { kind: "completeUpload" }>["object"];

interface Range {
  start: number;
  length: number;
}

/** What is read at a time, so that a file of many parts does not hold a file of the disk open for each. */
const WINDOW_BYTES = 16 * CHUNK_BYTES;

/** Contents that are looked at in one go for those that nobody has any more. */
const LOOKED_AT = 1_000;

/** Contents of files by their SHA-256: the same bytes are stored once. */
export interface Contents {
  /** Stores bytes and runs `name`, which makes the file that has them; until then nobody takes them for unused. */
  keep<T>(bytes: Uint8Array, name: (sha256: string) => T): Promise<T>;
  /**
   * As `keep`, of bytes that go to the disk as they come; `name` is told what they are. `check` is called when all are there and throws
   * for what must not become a file after all.
   */
  keepComing<T>(
    bytes: AsyncIterable<Uint8Array>,
    check: (size: number) => void | Promise<void>,
    name: (content: { sha256: string; size: number }) => T,
  ): Promise<T>;
  /** As `keep`, of bytes of which the sum is known; they are read only where the store does not have them. Throws for others. */
  keepStream<T>(sha256: string, open: () => AsyncIterable<Uint8Array>, name: () => T): Promise<T>;
  /** As `keep`, of bytes that the store has already: `store` makes them the object of that key. */
  hold<T>(sha256: string, store: (object: NewContent) => Promise<void>, name: () => T): Promise<T>;
  /** The bucket of the Drive, made if need be. */
  bucketId(): Promise<string>;
  /** The bucket of the Drive; null before the first content. */
  findBucket(): BucketRow | null;
  /** Whether a content is stored. */
  has(sha256: string): boolean;
  /** Bytes of a content from `start` on, `length` of them. Throws `drive_not_found`. */
  open(sha256: string, range: Range): Promise<AsyncGenerator<Uint8Array, void, undefined>>;
  /** Removes what no file has any more, and tells of each; the first one looks for what an end of the program left. */
  sweep(signal: AbortSignal, onGone: (sha256: string) => Promise<void>): Promise<void>;
}

/** Contents in the bucket of the Drive, which is made with the first of them. */
export function createContents({ db, ids, clock, objectStore, earlier }: Needs): Contents {
  /** Contents that are being stored, and by how many. */
  const coming = new Map<string, number>();
  /** Contents that are being removed: they are still found, and are not to be counted on. */
  const leaving = new Set<string>();
  /** Whether there may be contents that are not noted. */
  let mayHaveLeft = true;

  const findBucket = () => objectStore.findBucket(DRIVE_BUCKET);

  async function getBucketId(): Promise<string> {
    const found = objectStore.bucketNamed(DRIVE_BUCKET);
    if (found !== null) return found.id;
    const bucket = { id: ids.next("bkt"), name: DRIVE_BUCKET, visibility: "private", at: clock.now() };
    // Where two come at the same moment, one makes it and the other finds it.
    await objectStore.change({ kind: "makeBucket", ...bucket });
    return objectStore.findBucket(DRIVE_BUCKET)?.id ?? bucket.id;
  }

  /** What no file has, looked for a part at a time. */
  async function* unusedContents(): AsyncGenerator<string, void, undefined> {
    for (let after: string | null = ""; after !== null; await setImmediate()) {
      const { unused, last } = listUnusedBlobs(db, after, LOOKED_AT);
      yield* unused;
      after = last;
    }
  }

  async function put(object: NewContent, pieces: AsyncIterable<Uint8Array> | Uint8Array[]): Promise<void> {
    const incoming = await objectStore.receive();
    try {
      const hash = new Bun.CryptoHasher("sha256");
      for await (const bytes of pieces) {
        hash.update(bytes);
        await incoming.add(bytes);
      }
      if (hash.digest("hex") !== object.etag) throw new Error("a file that came in is not what it should be");
      const blob = await incoming.finish();
      // That it is there already is as good.
      await objectStore.change({ kind: "put", blob, ...object });
    } catch (error) {
      await incoming.drop();
      throw error;
    }
  }

  /** Notes what did not become a file after all, for the next sweep; where even that fails, it has to look again. */
  const noteUnnamed = (sha256: string): Promise<void> =>
    db
      .txAside(() => noteBlob(db, sha256))
      .catch(() => {
        mayHaveLeft = true;
      });

  async function hold<T>(sha256: string, store: (object: NewContent) => Promise<void>, name: () => T): Promise<T> {
    coming.set(sha256, (coming.get(sha256) ?? 0) + 1);
    try {
      const bucketId = await getBucketId();
      const when = { isAbsent: true };
      await store({ bucketId, key: encoder.encode(sha256), etag: sha256, facts: "{}", at: clock.now(), when });
      return await db.txAside(() => {
        noteBlob(db, sha256);
        return name();
      });
    } catch (error) {
      await noteUnnamed(sha256);
      throw error;
    } finally {
      const left = (coming.get(sha256) ?? 1) - 1;
      if (left === 0) coming.delete(sha256);
      else coming.set(sha256, left);
    }
  }

  /** Looks for contents that no row knows, if there may be any. */
  async function look(bucketId: string, signal: AbortSignal): Promise<void> {
    if (!mayHaveLeft) return;
    mayHaveLeft = false;
    let isThrough = false;
    try {
      isThrough = await noteLeft({ db, objectStore }, bucketId, signal);
    } finally {
      mayHaveLeft ||= !isThrough;
    }
  }

  async function remove(bucketId: string, sha256: string): Promise<void> {
    leaving.add(sha256);
    try {
      // Changes are made in the order they are asked for: whoever stores the same bytes from here on stores them anew.
      await objectStore.change({ kind: "remove", bucketId, key: encoder.encode(sha256), when: {} });
    } finally {
      leaving.delete(sha256);
    }
  }

  /** Takes bytes to the disk, where nothing names them yet. */
  async function receive(bytes: AsyncIterable<Uint8Array>, check: (size: number) => void | Promise<void>) {
    const incoming = await objectStore.receive();
    try {
      const hash = new Bun.CryptoHasher("sha256");
      let size = 0;
      for await (const piece of bytes) {
        hash.update(piece);
        size += piece.length;
        await incoming.add(piece);
      }
      await check(size);
      return { sha256: hash.digest("hex"), size, blob: await incoming.finish() };
    } catch (error) {
      await incoming.drop();
      throw error;
    }
  }

  function findContent(sha256: string) {
    const bucket = objectStore.bucketNamed(DRIVE_BUCKET);
    return bucket && objectStore.findObject(bucket.id, encoder.encode(sha256));
  }

  async function getContent(sha256: string) {
    const object = findContent(sha256) ?? ((await earlier.bring(sha256)) ? findContent(sha256) : null);
    if (object === null) throw fail("drive_not_found");
    return object;
  }

  return {
    async keep(bytes, name) {
      const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      return await hold(
        sha256,
        (object) => put(object, [bytes]),
        () => name(sha256),
      );
    },
    async keepComing(bytes, check, name) {
      const { sha256, size, blob } = await receive(bytes, check);
      return await hold(
        sha256,
        // That it is there already is as good.
        async (object) => void (await objectStore.change({ kind: "put", blob, ...object })),
        () => name({ sha256, size }),
      );
    },
    keepStream: (sha256, open, name) =>
      hold(
        sha256,
        async (object) => {
          if (leaving.has(sha256) || findContent(sha256) === null) await put(object, open());
        },
        name,
      ),
    hold,
    bucketId: getBucketId,
    findBucket,
    has: (sha256) => findContent(sha256) !== null,
    async open(sha256, { start, length }) {
      const object = await getContent(sha256);
      const openFrom = (at: number) => objectStore.open(object, { start: at, length: windowAt(at, start + length) });
      // What cannot be read at all is known before the first byte is answered.
      const first = await openFrom(start);
      const all = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
        yield* first;
        for (let at = start + windowAt(start, start + length); at < start + length; at += windowAt(at, start + length))
          yield* await openFrom(at);
      };
      return withRelease(all(), () => first.return());
    },
    async sweep(signal, onGone) {
      const bucket = findBucket();
      if (bucket === null) return;
      await look(bucket.id, signal);
      for await (const sha256 of unusedContents()) {
        // Whoever reads the names and the contents one after the other finds what was named.
        if (signal.aborted || objectStore.isPinned()) return;
        if (coming.has(sha256) || !isUnused(db, sha256)) continue;
        await remove(bucket.id, sha256);
        if (coming.has(sha256) || !isUnused(db, sha256)) continue;
        deleteBlobRow(db, sha256);
        await onGone(sha256);
      }
    },
  };
}

/** How much is read from there in one go: to the next multiple of the window, so that whole parts are checked against their sums. */
const windowAt = (at: number, end: number): number => Math.min(WINDOW_BYTES - (at % WINDOW_BYTES), end - at);
