import { startThread } from "../../../kernel/thread.ts";
import type { Piece, ScannedChunk } from "./pieces.ts";
import type { Answer, Question } from "./protocol.ts";
import type { Pruned } from "./prune.ts";
import type { Snapshot, SnapshotPart } from "./snapshot.ts";
import type { TargetPlace } from "./target.ts";

type Stored = Pick<SnapshotPart, "size" | "sha256" | "list"> & { added: number };

/** The engine in a thread of its own. What it throws has one of the engine's codes. */
export interface EngineSession {
  /** Writes, lists, reads and removes a file of that name at a target; what should be known of it besides, in sentences. */
  probe(place: TargetPlace, name: string): Promise<readonly string[]>;
  hasRepository(place: TargetPlace): Promise<boolean>;
  /** Makes a repository and answers its key. */
  create(place: TargetPlace, kit: string, passphrase: string | null): Promise<string>;
  /** The key of a repository that is there. */
  unlock(place: TargetPlace, typed: string): Promise<string>;
  /** Opens a repository; for writing, with the lease, where a holder is named. */
  open(place: TargetPlace, key: string, holder: string | null): Promise<void>;
  /** Ids of the backups that are there. */
  list(): Promise<string[]>;
  storeFile(path: string): Promise<Stored>;
  storeStream(source: AsyncIterable<Uint8Array>, onProgress: (bytes: number) => void): Promise<Stored>;
  commit(snapshot: Snapshot): Promise<void>;
  /** Removes these backups, and what nothing has needed for a week. */
  prune(forgotten: string[]): Promise<Pruned>;
  snapshot(id: string): Promise<Snapshot>;
  /** Reads all of that, and opens databases in a scratch folder. */
  check(parts: SnapshotPart[], scratch: string): Promise<void>;
  read(part: SnapshotPart): AsyncIterable<Uint8Array>;
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

/** Starts the engine. */
export function startEngine(): EngineSession {
  const thread = startThread<Question, Answer>("node/backups/engine/thread");
  const { ask } = thread;
  async function* rest(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const bytes = given((await ask({ ask: "next" })).bytes);
      if (bytes === null) return;
      yield bytes;
    }
  }
  return {
    probe: async (place, name) => given((await ask({ ask: "probe", place, name })).warnings),
    hasRepository: async (place) => given((await ask({ ask: "has_repository", place })).found),
    create: async (place, kit, passphrase) => given((await ask({ ask: "create", place, kit, passphrase })).key),
    unlock: async (place, typed) => given((await ask({ ask: "unlock", place, typed })).key),
    async open(place, key, holder) {
      await ask({ ask: "open", place, key, holder });
    },
    list: async () => given((await ask({ ask: "list" })).ids),
    async storeFile(path) {
      const { stream, added } = await ask({ ask: "store_file", path });
      return { ...given(stream), added: given(added) };
    },
    async storeStream(source, onProgress) {
      await ask({ ask: "begin" });
      for await (const bytes of source) {
        await ask({ ask: "write", bytes });
        onProgress(bytes.length);
      }
      const { stream, added } = await ask({ ask: "end" });
      return { ...given(stream), added: given(added) };
    },
    async commit(snapshot) {
      await ask({ ask: "commit", snapshot });
    },
    prune: async (forgotten) => given((await ask({ ask: "prune", forgotten })).pruned),
    snapshot: async (id) => given((await ask({ ask: "snapshot", id })).snapshot),
    async check(parts, scratch) {
      await ask({ ask: "check", parts, scratch });
    },
    async *read(part) {
      await ask({ ask: "read", part });
      yield* rest();
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
