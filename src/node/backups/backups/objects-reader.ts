import { createReadStream, rmSync } from "node:fs";
import { join } from "node:path";
import { createSeal, parseSealKey } from "../../../kernel/seal.ts";
import {
  type BlobRow,
  blobFileName,
  type CatalogueCopy,
  openWritten,
  vaultOf,
  writtenSize,
} from "../../storage/object-store/index.ts";
import { type EngineSession, openBlobIndex, type SnapshotPart } from "../engine/index.ts";
import { KEY_FILE, MOST_KEY_BYTES, OBJECT_PARTS, partOf } from "./objects-parts.ts";

/** Reads the bytes of a backup's objects. Only one thing at a time. */
export interface ObjectsReader {
  /** The bytes of blobs, one after the other. Throws for one that is not in the backup, or is damaged. */
  read(blobs: readonly string[]): AsyncGenerator<Uint8Array>;
  /** The segment that a blob is in, 0 for a file of its own: what is read in this order fetches no segment twice. */
  orderOf(blobs: readonly string[]): number;
  close(): void;
}

const missing = () =>
  new Error("The bytes of an object are not in this backup: they could not be read when it was made.");

async function readKey(session: EngineSession, part: SnapshotPart): Promise<string> {
  if (part.size > MOST_KEY_BYTES) throw missing();
  const pieces: Uint8Array[] = [];
  for await (const bytes of session.read(part)) pieces.push(bytes);
  return Buffer.concat(pieces).toString("utf8");
}

/** Opens the objects of a backup. Segments are fetched into a scratch folder, one at a time. */
export async function openObjectsReader(
  session: EngineSession,
  parts: readonly SnapshotPart[],
  catalogue: CatalogueCopy,
  scratch: string,
): Promise<ObjectsReader> {
  const indexPath = join(scratch, "blobs.db");
  const segmentPath = join(scratch, "segment");
  const stream = partOf(parts, OBJECT_PARTS.blobs);
  const indexPart = partOf(parts, OBJECT_PARTS.index);
  if (stream === null || indexPart === null) throw missing();
  const keyPart = partOf(parts, KEY_FILE);
  // What was encrypted opens with the key of the node that made the backup, which may be another.
  const vault = keyPart && vaultOf(createSeal(parseSealKey(await readKey(session, keyPart), KEY_FILE)));
  await session.writeFile(indexPart, indexPath);
  const index = openBlobIndex(indexPath);
  let fetched: number | null = null;

  function opened(blob: BlobRow, written: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    if (blob.sealed === 0) return written;
    if (vault === null) throw missing();
    return openWritten(vault, blob, written);
  }

  async function fetchSegment(id: number): Promise<void> {
    if (fetched === id) return;
    const part = partOf(parts, OBJECT_PARTS.segment(id));
    if (part === null) throw missing();
    fetched = null;
    await session.writeFile(part, segmentPath);
    fetched = id;
  }

  return {
    async *read(blobs) {
      for (const id of blobs) {
        const blob = catalogue.findBlob(id);
        if (blob === null) throw missing();
        if (blob.segment === null) {
          const entry = index.find(blobFileName(blob));
          if (entry === null || stream === null) throw missing();
          yield* opened(blob, session.readBlob(stream, entry));
        } else if (blob.size > 0) {
          await fetchSegment(blob.segment);
          const place = { start: blob.position, end: blob.position + writtenSize(blob) - 1 };
          yield* opened(blob, createReadStream(segmentPath, place));
        }
      }
    },
    orderOf: ([first]) => (first === undefined ? 0 : (catalogue.findBlob(first)?.segment ?? 0)),
    close() {
      index.close();
      rmSync(segmentPath, { force: true });
      rmSync(indexPath, { force: true });
    },
  };
}
