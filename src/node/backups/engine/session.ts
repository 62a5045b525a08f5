import { startThread } from "../../../kernel/thread.ts";
import type { IndexedBlob } from "./blob-index-store.ts";
import type { BlobFile, EarlierBlobs } from "./blobs.ts";
import type { CheckedShare } from "./check-share.ts";
import { createJudge, type Urgency, type Verdict } from "./judge.ts";
import type { NamedDamage } from "./name-damage.ts";
import type { Piece, ScannedChunk } from "./pieces.ts";
import type { Answer, Holder, Probed, Question } from "./protocol.ts";
import type { Pruned } from "./prune.ts";
import type { Passed, Snapshot, SnapshotPart, StoredStream } from "./snapshot.ts";
import type { TargetPlace } from "./target.ts";
import type { TreeSource } from "./tree.ts";

/** What travels to the thread at a time. */
const PIECE_BYTES = 1024 * 1024;

type Stored = StoredStream & { added: number };

/** The engine in a thread of its own. What it throws has one of the engine's codes. */
export interface EngineSession {
  /** Writes, lists, reads and removes a file of that name at a target. */
  probe(place: TargetPlace, name: string): Promise<Probed>;
  hasRepository(place: TargetPlace): Promise<boolean>;
  /** Makes a repository and answers its key. */
  create(place: TargetPlace, kit: string, passphrase: string | null): Promise<string>;
  /** The key of a repository that is there. */
  unlock(place: TargetPlace, typed: string): Promise<string>;
  /**
   * Opens a repository; for writing, with the lease, where a holder is named. `aside` is for what nobody waits for: from then on
   * everything else on this machine goes first. At most `limit` bytes a second travel to and from the target.
   */
  open(place: TargetPlace, key: string, holder: Holder | null, urgency: Urgency, limit?: number | null): Promise<void>;
  /** Ids of the backups that are there. */
  list(): Promise<string[]>;
  /** The first `bytes` of a file, or all of it. */
  storeFile(path: string, bytes?: number): Promise<Stored>;
  /** Copies a database that others may be using. */
  copyDatabase(from: string, to: string): Promise<void>;
  /** Begins a stream of many files that never change. Its index is written to a new file; what an earlier stream has is not read. */
  beginBlobs(index: string, earlier: EarlierBlobs | null): Promise<void>;
  /** Ids of those that could not be read and are left out. */
  addBlobs(files: BlobFile[]): Promise<string[]>;
  endBlobs(): Promise<Stored>;
  storeStream(source: AsyncIterable<Uint8Array>, onProgress: (passed: Passed) => void): Promise<Stored>;
  /** A folder of this machine as an archive; what has not changed since the layout before is not read again. Throws `tree_unread`. */
  storeTree(source: TreeSource, onProgress: (passed: Passed) => void): Promise<Stored>;
  commit(snapshot: Snapshot): Promise<void>;
  /** Removes these backups, and what nothing has needed for a week. */
  prune(forgotten: string[]): Promise<Pruned>;
  /** Lets no new backup rely on these packs, so that it stores what is needed of them anew; it must be open for writing. */
  distrust(packs: string[]): Promise<void>;
  snapshot(id: string): Promise<Snapshot>;
  /**
   * Reads all of that, and opens databases in a scratch folder, those in volumes too. Answers what is wrong with the latter, in sentences:
   * the backup has them as they were. At most `room` bytes are written there. Throws `no_room`.
   */
  check(parts: SnapshotPart[], scratch: string, room: number): Promise<string[]>;
  /** Reads one of `of` shares of all that lies there, and compares it with its sums. */
  checkShare(share: number, of: number): Promise<CheckedShare>;
  /**
   * What cannot be read of a backup: what lies in these packs or is gone, and where none are named anything that is not what it was.
   * `root` is what archives of volumes begin with.
   */
  nameDamage(id: string, packs: readonly string[], root: string): Promise<NamedDamage>;
  read(part: SnapshotPart): AsyncIterable<Uint8Array>;
  /** One file of a stream of blobs; only one thing is read at a time. */
  readBlob(part: SnapshotPart, blob: Pick<IndexedBlob, "first" | "chunks">): AsyncIterable<Uint8Array>;
  /** Writes a part to a new file. */
  writeFile(part: SnapshotPart, path: string): Promise<void>;
  /** The bytes of pieces of chunks, one after the other. */
  readPieces(pieces: Piece[]): AsyncIterable<Uint8Array>;
  /** What stands in a volume's archive, whose names lie below `root`, as it is read. */
  scan(part: SnapshotPart, root: string): AsyncIterable<ScannedChunk>;
  /** Gives the lease back and ends the thread. */
  close(): Promise<void>;
  /** Ends the thread as it is. */
  end(): void;
}

function given<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("the engine's thread answered something else");
  return value;
}

/** Small pieces together: each journey to the thread costs as much as copying many of them. */
async function* inPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of source) {
    held.push(bytes);
    size += bytes.length;
    if (size < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held);
}

/** Starts the engine, which ends when one of `until` aborts. */
export function startEngine(until: readonly AbortSignal[] = []): EngineSession {
  const thread = startThread<Question, Answer>("node/backups/engine/thread", until);
  const { ask } = thread;
  let urgency: Urgency = "now";
  async function* rest(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const bytes = given((await ask({ ask: "next" })).bytes);
      if (bytes === null) return;
      yield bytes;
    }
  }
  return {
    probe: async (place, name) => given((await ask({ ask: "probe", place, name })).probed),
    hasRepository: async (place) => given((await ask({ ask: "has_repository", place })).found),
    create: async (place, kit, passphrase) => given((await ask({ ask: "create", place, kit, passphrase })).key),
    unlock: async (place, typed) => given((await ask({ ask: "unlock", place, typed })).key),
    async open(place, key, holder, howUrgent, limit = null) {
      urgency = howUrgent;
      await ask({ ask: "open", place, key, holder, urgency, limit });
    },
    list: async () => given((await ask({ ask: "list" })).ids),
    async storeFile(path, bytes) {
      const { stream, added } = await ask({ ask: "store_file", path, bytes: bytes ?? null });
      return { ...given(stream), added: given(added) };
    },
    async copyDatabase(from, to) {
      await ask({ ask: "copy_database", from, to });
    },
    async beginBlobs(index, earlier) {
      await ask({ ask: "begin_blobs", index, earlier });
    },
    addBlobs: async (files) => given((await ask({ ask: "add_blobs", files })).lost),
    async endBlobs() {
      const { stream, added } = await ask({ ask: "end_blobs" });
      return { ...given(stream), added: given(added) };
    },
    async storeStream(source, onProgress) {
      await ask({ ask: "begin" });
      let written: Promise<unknown> = Promise.resolve();
      for await (const bytes of inPieces(source)) {
        await written;
        written = ask({ ask: "write", bytes }).then(({ passed }) => onProgress(given(passed ?? undefined)));
        // It is heard of before the next piece goes, or at the end; the source may throw first.
        written.catch(() => {});
      }
      await written;
      const { stream, added } = await ask({ ask: "end" });
      return { ...given(stream), added: given(added) };
    },
    async storeTree(source, onProgress) {
      await ask({ ask: "begin_tree", source });
      for (;;) {
        const passed = given((await ask({ ask: "next_of_tree" })).passed);
        if (passed === null) break;
        onProgress(passed);
      }
      const { stream, added } = await ask({ ask: "end_tree" });
      return { ...given(stream), added: given(added) };
    },
    async commit(snapshot) {
      await ask({ ask: "commit", snapshot });
    },
    prune: async (forgotten) => given((await ask({ ask: "prune", forgotten })).pruned),
    async distrust(packs) {
      await ask({ ask: "distrust", packs });
    },
    snapshot: async (id) => given((await ask({ ask: "snapshot", id })).snapshot),
    async check(parts, scratch, room) {
      const judge = createJudge(urgency, thread.over);
      try {
        await ask({ ask: "check", parts, scratch, room });
        for (let verdict: Verdict | null = null; ; ) {
          const { opened, notes } = await ask({ ask: "check_next", verdict });
          if (!opened) return given(notes);
          verdict = await judge.judge(opened);
        }
      } finally {
        judge.end();
      }
    },
    checkShare: async (share, of) => given((await ask({ ask: "check_share", share, of })).share),
    nameDamage: async (id, packs, root) => given((await ask({ ask: "name_damage", id, packs, root })).damage),
    async *read(part) {
      await ask({ ask: "read", part });
      yield* rest();
    },
    async *readBlob(part, { first, chunks }) {
      await ask({ ask: "read_blob", part, first, chunks });
      yield* rest();
    },
    async writeFile(part, path) {
      await ask({ ask: "write_file", part, path });
    },
    async *readPieces(pieces) {
      await ask({ ask: "read_pieces", pieces });
      yield* rest();
    },
    async *scan(part, root) {
      await ask({ ask: "scan", part, root });
      for (;;) {
        const scanned = given((await ask({ ask: "scan_next" })).scanned);
        if (scanned === null) return;
        yield scanned;
      }
    },
    async close() {
      try {
        await ask({ ask: "close" });
      } finally {
        thread.end();
      }
    },
    end: () => thread.end(),
  };
}
