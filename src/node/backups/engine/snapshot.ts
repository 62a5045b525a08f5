import { createHash } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { letGo } from "./chunk-work.ts";
import { createChunker, makeGear } from "./chunker.ts";
import { type DocumentBounds, parseDocument } from "./documents.ts";
import { EngineFailure } from "./failure.ts";
import { readListIds, writeIdList } from "./id-list.ts";
import { decrypt, encrypt } from "./keys.ts";
import { ahead, createLane } from "./lane.ts";
import type { Lease } from "./lease.ts";
import { assertThere, type Repository } from "./repository.ts";
import type { Target } from "./target.ts";
import { holdsAtMost } from "./unpacked-size.ts";

const FOLDER = "snapshots";
/** Forty thousand streams with all that is said of them: in memory, values with names of their own take some 100 MB. */
const MOST_SNAPSHOT: DocumentBounds = { bytes: 32 * 1024 * 1024, values: 500_000 };

const Digest = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Name = Type.String({ maxLength: 300 });

/** One stream of a snapshot: a database, a file, a volume as a tar archive, or many files one after the other. */
export const SnapshotPart = Type.Object({
  kind: Type.Union([Type.Literal("database"), Type.Literal("file"), Type.Literal("volume"), Type.Literal("blobs")]),
  /** Id of the app that a volume is of. */
  app: Type.Union([Name, Type.Null()]),
  name: Name,
  size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  /** Of all bytes; of blobs, and where `sum` says so, of the ids of its chunks: what is known is not read again each time. */
  sha256: Digest,
  sum: Type.Optional(Type.Literal("ids")),
  /** Chunks that hold, one after the other, the ids of the stream's own. */
  list: Type.Array(Digest, { maxItems: 100_000 }),
});
export type SnapshotPart = Static<typeof SnapshotPart>;

/** What a stream is in a repository. */
export type StoredStream = Pick<SnapshotPart, "size" | "sha256" | "sum" | "list">;

const SnapshotApp = Type.Object({
  id: Name,
  name: Name,
  template: Name,
  version: Name,
  /** Its images as they ran, by service. */
  images: Type.Record(Type.String({ maxLength: 300 }), Type.String({ maxLength: 600 })),
  /**
   * What it did while its volumes were read: it went on, was paused or was stopped, or went on and a snapshot of its disk was read. Earlier
   * backups do not say.
   */
  mode: Type.Optional(
    Type.Union([Type.Literal("none"), Type.Literal("pause"), Type.Literal("stop"), Type.Literal("snapshot")]),
  ),
  /** True where not all of it was there. Earlier backups do not say. */
  half: Type.Optional(Type.Boolean()),
});

/** What is known of a backup. */
export const Snapshot = Type.Object({
  version: Type.Literal(1),
  id: Type.String({ pattern: "^[A-Za-z0-9_]{1,60}$" }),
  created_at: Name,
  node: Type.Object({ name: Name, version: Name }),
  apps: Type.Array(SnapshotApp, { maxItems: 10_000 }),
  parts: Type.Array(SnapshotPart, { maxItems: 100_000 }),
});
export type Snapshot = Static<typeof Snapshot>;

/** What went into a repository since the last time. */
export interface Passed {
  /** Of the archive or stream. */
  bytes: number;
  /** Files that are whole in it now; none of a stream that nobody looks into. */
  files: number;
  /** Bytes that the target did not have yet. */
  added: number;
}

/** A stream on its way into a repository. */
export interface StreamWriter {
  /** What passed; what is added is told as soon as it is stored. */
  write(bytes: Uint8Array): Promise<Passed>;
  /** What it is, and how many bytes it added to the repository. */
  end(): Promise<{ stream: StoredStream; added: number }>;
}

/** Begins a stream. */
export function writeStream(repository: Repository): StreamWriter {
  const chunker = createChunker(makeGear(repository.keys.gear));
  const hash = createHash("sha256");
  const ids = writeIdList(repository);
  let size = 0;
  let added = 0;
  let told = 0;
  const lane = createLane<{ id: string; added: number }>(async (kept) => {
    added += kept.added;
    await ids.add(kept.id);
  });
  const put = async (chunk: Uint8Array) => {
    const kept = await repository.put(chunk);
    letGo(chunk);
    return kept;
  };
  return {
    async write(bytes) {
      hash.update(bytes);
      size += bytes.length;
      for (const chunk of chunker.push(bytes)) await lane.add(put(chunk));
      const passed = { bytes: bytes.length, files: 0, added: added - told };
      told = added;
      return passed;
    },
    async end() {
      const rest = chunker.end();
      if (rest) await lane.add(put(rest));
      await lane.end();
      const { list, added: listed } = await ids.end();
      return { stream: { size, sha256: hash.digest("hex"), list }, added: added + listed };
    },
  };
}

/** The ids of a stream's chunks. */
async function* idsOf(repository: Repository, part: SnapshotPart): AsyncGenerator<string> {
  for (const listId of part.list) yield* await readListIds(repository, listId);
}

/** The bytes of a stream. Throws `damaged` at the first that is not what it was. */
export async function* readStream(repository: Repository, part: SnapshotPart): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let size = 0;
  const read = async (id: string) => ({ id, chunk: await repository.get(id) });
  for await (const { id, chunk } of ahead(idsOf(repository, part), read)) {
    hash.update(part.kind === "blobs" || part.sum === "ids" ? Buffer.from(id, "hex") : chunk);
    size += chunk.length;
    // One that says less than it has would fill whatever it is written to.
    if (size > part.size) break;
    yield chunk;
  }
  if (size !== part.size || hash.digest("hex") !== part.sha256)
    throw new EngineFailure("damaged", `${part.name} is not what it was.`);
}

/** Writes what a backup is made of, when all of it is there: from then on it is one. */
export async function writeSnapshot(
  target: Target,
  repository: Repository,
  lease: Lease,
  snapshot: Snapshot,
): Promise<void> {
  await repository.flush();
  await lease.hold();
  const plain = Bun.zstdCompressSync(Buffer.from(JSON.stringify(snapshot)));
  await target.write(`${FOLDER}/${snapshot.id}`, encrypt(repository.keys.secret, `snapshot ${snapshot.id}`, plain));
}

/** Throws `snapshot_missing` and `damaged`. */
export async function readSnapshot(target: Target, { keys }: Repository, id: string): Promise<Snapshot> {
  let sealed: Uint8Array;
  try {
    sealed = await target.read(`${FOLDER}/${id}`);
  } catch (error) {
    if (!(error instanceof EngineFailure && error.code === "target_missing")) throw error;
    await assertThere(target);
    throw new EngineFailure("snapshot_missing", `There is no backup ${id} at this target.`);
  }
  const plain = decrypt(keys.secret, `snapshot ${id}`, sealed);
  const isFair = plain !== null && holdsAtMost(plain, MOST_SNAPSHOT.bytes);
  const snapshot = isFair ? parseDocument(Bun.zstdDecompressSync(plain), MOST_SNAPSHOT) : null;
  if (!Value.Check(Snapshot, snapshot) || snapshot.id !== id)
    throw new EngineFailure("damaged", `What describes the backup ${id} is damaged.`);
  return snapshot;
}

/** Removes what a backup is made of; its chunks stay for now. */
export const removeSnapshot = (target: Target, id: string): Promise<void> => target.remove(`${FOLDER}/${id}`);

/** Ids of the backups at a target, oldest first. */
export async function listSnapshots(target: Target): Promise<string[]> {
  return (await target.list(FOLDER)).map(({ name }) => name.slice(FOLDER.length + 1));
}
