import { createHash } from "node:crypto";
import { type BlobIndex, type IndexedBlob, makeBlobIndex, openBlobIndex } from "./blob-index-store.ts";
import { createChunker, makeGear } from "./chunker.ts";
import { EngineFailure } from "./failure.ts";
import { readFilePieces } from "./file-pieces.ts";
import { openIdList, writeIdList } from "./id-list.ts";
import type { Repository } from "./repository.ts";
import type { SnapshotPart, StoredStream } from "./snapshot.ts";

/** A file that never changes under its name. */
export interface BlobFile {
  id: string;
  path: string;
  size: number;
}

/** A stream of blobs that is in the repository already, and the file that its index was written to. */
export interface EarlierBlobs {
  index: string;
  part: SnapshotPart;
}

/** Many files as one stream, each cut by itself, so that one alone can be read and one that is known is not read again. */
export interface BlobWriter {
  /** Adds files. Those that are gone or have another size are left out; answers their ids. */
  add(files: readonly BlobFile[]): Promise<string[]>;
  end(): Promise<{ stream: StoredStream; added: number }>;
}

/** Begins a stream of blobs, whose index is written to a new file. */
export function writeBlobs(repository: Repository, indexPath: string, earlier: EarlierBlobs | null): BlobWriter {
  const index = makeBlobIndex(indexPath);
  const known = earlier && openKnown(repository, earlier);
  const ids = writeIdList(repository);
  const gear = makeGear(repository.keys.gear);
  const hash = createHash("sha256");
  let count = 0;
  let size = 0;
  let added = 0;

  /** The ids of its chunks; null for a file that is not what it should be. */
  async function store(file: BlobFile): Promise<string[] | null> {
    const chunker = createChunker(gear);
    const found: string[] = [];
    let read = 0;
    const put = async (chunk: Uint8Array) => {
      const kept = await repository.put(chunk);
      added += kept.added;
      found.push(kept.id);
    };
    try {
      for (const piece of readFilePieces(file.path)) {
        read += piece.length;
        for (const chunk of chunker.push(piece)) await put(chunk);
      }
    } catch (error) {
      if (error instanceof Error && "syscall" in error) return null;
      throw error;
    }
    const rest = chunker.end();
    if (rest) await put(rest);
    return read === file.size ? found : null;
  }

  return {
    async add(files) {
      const lost: string[] = [];
      const rows: IndexedBlob[] = [];
      for (const file of files) {
        const chunks = (await known?.find(file)) ?? (await store(file));
        if (chunks === null) {
          lost.push(file.id);
          continue;
        }
        rows.push({ id: file.id, size: file.size, first: count, chunks: chunks.length });
        for (const id of chunks) {
          hash.update(Buffer.from(id, "hex"));
          await ids.add(id);
        }
        count += chunks.length;
        size += file.size;
      }
      index.add(rows);
      return lost;
    },
    async end() {
      const { list, added: listed } = await ids.end();
      index.close();
      known?.close();
      return { stream: { size, sha256: hash.digest("hex"), list }, added: added + listed };
    },
  };
}

/** What an earlier stream has, as far as new backups may rely on it. */
function openKnown(repository: Repository, { index: path, part }: EarlierBlobs) {
  const index: BlobIndex = openBlobIndex(path);
  const idsFrom = openIdList(repository, part.list);
  return {
    async find({ id, size }: BlobFile): Promise<string[] | null> {
      const blob = index.find(id);
      if (blob === null || blob.size !== size) return null;
      const found: string[] = [];
      try {
        while (found.length < blob.chunks) {
          const more = await idsFrom(blob.first + found.length, blob.chunks - found.length);
          if (more.length === 0) return null;
          found.push(...more);
        }
      } catch (error) {
        // What is damaged there is stored anew.
        if (error instanceof EngineFailure && error.code === "damaged") return null;
        throw error;
      }
      return found.every((chunk) => repository.isKept(chunk)) ? found : null;
    },
    close: () => index.close(),
  };
}

/** The bytes of one blob of a stream. Throws `damaged` at the first chunk that is not what it was. */
export async function* readBlob(
  repository: Repository,
  part: SnapshotPart,
  { first, chunks }: Pick<IndexedBlob, "first" | "chunks">,
): AsyncGenerator<Uint8Array> {
  const idsFrom = openIdList(repository, part.list);
  for (let done = 0; done < chunks; ) {
    const ids = await idsFrom(first + done, chunks - done);
    if (ids.length === 0) throw new EngineFailure("damaged", `A file reaches beyond the end of ${part.name}.`);
    for (const id of ids) yield await repository.get(id);
    done += ids.length;
  }
}
