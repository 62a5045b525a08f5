import { EngineFailure } from "./failure.ts";
import { readListIds } from "./id-list.ts";
import type { Repository } from "./repository.ts";
import type { SnapshotPart } from "./snapshot.ts";
import { createTarReader, type TarEntry } from "./tar.ts";

/** Some of the bytes of a chunk. */
export interface Piece {
  id: string;
  from: number;
  to: number;
}

/** A chunk of an archive, and the entries whose headers end in it. */
export interface ScannedChunk {
  id: string;
  length: number;
  entries: TarEntry[];
}

const YIELD_BYTES = 256 * 1024;

/** Finds what stands in a volume's archive, chunk by chunk. Throws `damaged`. */
export async function* scanArchive(
  repository: Repository,
  part: SnapshotPart,
  root: string,
): AsyncGenerator<ScannedChunk> {
  const reader = createTarReader(root);
  let size = 0;
  for (const listId of part.list) {
    for (const id of await readListIds(repository, listId)) {
      const chunk = await repository.get(id);
      size += chunk.length;
      if (size > part.size) throw new EngineFailure("damaged", `${part.name} is longer than it was.`);
      yield { id, length: chunk.length, entries: reader.push(chunk) };
    }
  }
  reader.end();
}

/** A volume's archive as it comes, as long as it makes sense as one. Throws `damaged` for what must not be unpacked. */
export async function* soundArchive(archive: AsyncIterable<Uint8Array>, root: string): AsyncGenerator<Uint8Array> {
  const reader = createTarReader(root);
  for await (const bytes of archive) {
    reader.push(bytes);
    yield bytes;
  }
  reader.end();
}

/** The bytes of pieces, one after the other, each checked against the id of its chunk. Throws `damaged`. */
export async function* readPieces(repository: Repository, pieces: readonly Piece[]): AsyncGenerator<Uint8Array> {
  let last = { id: "", bytes: new Uint8Array(0) };
  let held: Uint8Array[] = [];
  let size = 0;
  for (const { id, from, to } of pieces) {
    if (last.id !== id) last = { id, bytes: new Uint8Array(await repository.get(id)) };
    if (to > last.bytes.length) throw new EngineFailure("damaged", "A part is shorter than it was.");
    held.push(last.bytes.subarray(from, to));
    size += to - from;
    if (size < YIELD_BYTES) continue;
    yield new Uint8Array(Buffer.concat(held));
    held = [];
    size = 0;
  }
  if (size > 0) yield new Uint8Array(Buffer.concat(held));
}
