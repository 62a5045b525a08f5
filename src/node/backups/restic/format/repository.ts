import { EngineFailure, type Target } from "../../engine/index.ts";
import { parseConfig } from "./documents.ts";
import { damaged, overLimit, ResticFailure } from "./failure.ts";
import type { BlobPlace, IndexStore } from "./index-store.ts";
import { openKeyFile, parseKeyFile, workOf } from "./key-file.ts";
import { MOST_BYTES, openNamed, openSealed, type ResticKey, SEAL_BYTES, sha256, unpack } from "./seal.ts";

/** As restic itself: it tries no more either. */
const MOST_KEYS = 20;
const MOST_KEY_BYTES = 64 * 1024;
/** All keys together, in the units of one. */
const MOST_WORK = 2 ** 26;
const NEWEST = 2;
/** Blobs that lie beside one another are read at once, up to so many bytes. */
const STRETCH_BYTES = 8 * 1024 * 1024;

/** What opens a repository. */
export interface Opened {
  id: string;
  version: number;
  key: ResticKey;
}

export const isMissing = (error: unknown): boolean => error instanceof EngineFailure && error.code === "target_missing";

/** The repository's key. Throws `restic_none`, `restic_costly` and `restic_password`. */
async function findKey(target: Target, password: string): Promise<ResticKey> {
  const files = (await target.list("keys")).filter(({ size }) => size <= MOST_KEY_BYTES).slice(0, MOST_KEYS);
  if (files.length === 0) throw new ResticFailure("restic_none", "It has no keys.");
  let work = 0;
  let isCostly = false;
  for (const { name } of files) {
    const file = parseKeyFile(await target.read(name, undefined, MOST_KEY_BYTES));
    const cost = file === null ? 0 : workOf(file);
    isCostly ||= cost === null || work + cost > MOST_WORK;
    if (file === null || cost === null || work + cost > MOST_WORK) continue;
    work += cost;
    const key = openKeyFile(file, password);
    if (key !== null) return key;
  }
  if (isCostly)
    throw new ResticFailure("restic_costly", "One of its keys asks for more than 256 MB of memory or minutes of work.");
  throw new ResticFailure("restic_password", "No key of it opens with this password.");
}

/** Opens a repository; nothing is written to it, no lock either. Throws what says why not. */
export async function openRestic(target: Target, password: string): Promise<Opened> {
  const config = await target.read("config", undefined, MOST_KEY_BYTES).catch((error: unknown) => {
    if (isMissing(error)) throw new ResticFailure("restic_none", "It has no file of the name config.");
    throw error;
  });
  const key = await findKey(target, password);
  const { id, version } = parseConfig(openNamed(key, "config", config, MOST_KEY_BYTES));
  if (version > NEWEST || version < 1) throw new ResticFailure("restic_newer", `Its format is ${version}.`);
  return { id, version, key };
}

/** A blob that is wanted, and where it lies. */
interface Wanted extends BlobPlace {
  id: string;
}

/** Reads blobs of a repository through its index. */
export interface BlobReader {
  /** Throws `restic_changed` for what the index does not have. */
  find(id: string, isTree: boolean): Wanted;
  /** How many bytes are in it. */
  sizeOf(blob: Wanted): number;
  /** What blobs hold, in their order; each is compared with its sum. */
  read(blobs: readonly Wanted[]): AsyncGenerator<Uint8Array>;
}

const MEANWHILE = "It was changed meanwhile, as a prune does";

/** Neighbours in a pack, as one piece of it. */
function* stretchesOf(blobs: readonly Wanted[]): Generator<Wanted[]> {
  let stretch: Wanted[] = [];
  let bytes = 0;
  for (const blob of blobs) {
    const last = stretch.at(-1);
    const follows = last !== undefined && last.pack === blob.pack && last.at + last.length === blob.at;
    if (last !== undefined && (!follows || bytes + blob.length > STRETCH_BYTES)) {
      yield stretch;
      stretch = [];
      bytes = 0;
    }
    stretch.push(blob);
    bytes += blob.length;
  }
  if (stretch.length > 0) yield stretch;
}

/** Begins to read blobs. */
export function createBlobReader(target: Target, key: ResticKey, index: Pick<IndexStore, "find">): BlobReader {
  const nameOf = (pack: string): string => `data/${pack.slice(0, 2)}/${pack}`;

  const sizeOf = ({ plain, length }: Wanted): number => (plain === 0 ? Math.max(0, length - SEAL_BYTES) : plain);

  function open(blob: Wanted, sealed: Uint8Array): Uint8Array {
    const what = `${nameOf(blob.pack)}, from byte ${blob.at} on,`;
    const text = openSealed(key, sealed);
    if (text === null) throw damaged(`${what} is not as it was written`);
    const plain = blob.plain === 0 ? text : unpack(text, blob.plain, what);
    if (plain.length !== sizeOf(blob) || sha256(plain).toString("hex") !== blob.id)
      throw damaged(`${what} holds something else than it should`);
    return plain;
  }

  async function readPiece(first: Wanted, length: number): Promise<Uint8Array> {
    const name = nameOf(first.pack);
    try {
      return await target.read(name, { at: first.at, length });
    } catch (error) {
      if (isMissing(error)) throw new ResticFailure("restic_changed", `${MEANWHILE}: ${name} is gone.`);
      if (error instanceof EngineFailure && error.code === "damaged") throw damaged(`${name} ends too soon`);
      throw error;
    }
  }

  return {
    find(id, isTree) {
      const place = index.find(id, isTree);
      if (place === null) throw new ResticFailure("restic_changed", `${MEANWHILE}: its index does not have ${id}.`);
      if (place.length > MOST_BYTES || place.plain > MOST_BYTES)
        throw overLimit(`A blob in it is larger than ${MOST_BYTES} bytes`);
      return { id, ...place };
    },
    sizeOf,
    async *read(blobs) {
      for (const stretch of stretchesOf(blobs)) {
        const [first] = stretch;
        if (first === undefined) continue;
        const bytes = await readPiece(
          first,
          stretch.reduce((sum, { length }) => sum + length, 0),
        );
        for (const blob of stretch)
          yield open(blob, bytes.subarray(blob.at - first.at, blob.at - first.at + blob.length));
      }
    },
  };
}
