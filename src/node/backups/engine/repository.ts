import { randomBytes } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type ChunkIndex, createChunkIndex } from "./chunk-index.ts";
import { letGo, prepareChunkWork, prepareChunkWorkAside } from "./chunk-work.ts";
import { CHUNK_SIZES } from "./chunker.ts";
import { KEPT, readCondemned } from "./condemned.ts";
import { type DocumentBounds, parseDocument } from "./documents.ts";
import { EngineFailure, NO_REPOSITORY } from "./failure.ts";
import { deriveKeys, type Keys, unwrapKey, wrapKey } from "./keys.ts";
import type { Lease } from "./lease.ts";
import { type ChunkPlace, createPackDraft, readPackIndex } from "./pack.ts";
import { createPackTable, type PackTable } from "./pack-table.ts";
import type { Target } from "./target.ts";

const CONFIG = "config.json";
const MOST_CONFIG: DocumentBounds = { bytes: 64 * 1024, values: 1000 };
const VERSION = 1;
const PACK_BYTES = 16 * 1024 * 1024;
const AT_ONCE = 8;
/** After so many indexes that were read their leavings are cleared away. */
const COLLECTED_PACKS = 1000;
/** From half a terabyte on, its index takes the memory of a second pack: the next one is filled when the one before is written. */
const LARGE_PACKS = 32_768;
/** What a pack is filled into: it is full with the first chunk that goes beyond its size. What is not used of it takes no memory. */
const ROOM_BYTES = PACK_BYTES + CHUNK_SIZES.most + 1024 * 1024;

const text = Type.String({ maxLength: 400 });
const Wrapped = Type.Union([
  Type.Object({
    kind: Type.Literal("passphrase"),
    n: Type.Integer(),
    r: Type.Integer(),
    p: Type.Integer(),
    salt: text,
    wrapped: text,
  }),
  Type.Object({ kind: Type.Literal("kit"), salt: text, wrapped: text }),
]);
const Config = Type.Object({
  format: Type.Literal("orrery-backup"),
  version: Type.Integer(),
  id: Type.String({ pattern: "^[0-9a-f]{32}$" }),
  keys: Type.Array(Wrapped, { maxItems: 8 }),
});

/** A repository that is open: chunks by what they hold. */
export interface Repository {
  keys: Keys;
  /** Keeps a chunk, if it is not kept already; its id, and how many bytes that added. Several may be on their way at a time. */
  put(chunk: Uint8Array): Promise<{ id: string; added: number }>;
  /** Throws `damaged` for what is not there or is not what it was. */
  get(id: string): Promise<Uint8Array>;
  /** Whether a chunk is there and stays, so that a new backup may rely on it. */
  isKept(id: string): boolean;
  /** Where a chunk is read from; null for one that is not there. */
  placeOf(id: string): ChunkPlace | null;
  /** Chunks by number, for whoever looks at very many of them. */
  chunks: Pick<ChunkIndex, "count" | "numberOf" | "packOf" | "lengthOf">;
  /** Packs by number; those that could not be read have no size. */
  packs: Pick<PackTable, "count" | "nameOf" | "sizeOf" | "writeName" | "finder">;
  /** Writes a chunk once more, into a new pack, which it is read from then. */
  move(id: string): Promise<void>;
  /** Writes what waits for its pack to fill, of chunks that were put; throws what kept an earlier pack from its place. */
  flush(): Promise<void>;
}

const readConfig = async (target: Target): Promise<Static<typeof Config> | null> => {
  let config: unknown = null;
  try {
    config = parseDocument(await target.read(CONFIG, undefined, MOST_CONFIG.bytes), MOST_CONFIG);
  } catch (error) {
    if (error instanceof EngineFailure && error.code === "target_missing") return null;
    // What is too large for one is none.
    if (!(error instanceof EngineFailure && error.code === "damaged")) throw error;
  }
  if (!Value.Check(Config, config))
    throw new EngineFailure("target_foreign", "Its config.json is not that of an Orrery repository.");
  if (config.version > VERSION)
    throw new EngineFailure("repository_newer", "A newer version of Orrery wrote this repository.");
  return config;
};

/** Whether there is a repository at a target. Throws `target_foreign` for something else of the same name. */
export async function hasRepository(target: Target): Promise<boolean> {
  return (await readConfig(target)) !== null;
}

/**
 * Throws `repository_missing` where none lies at a target. Asked whenever something is not there that should be: a disk that is gone looks
 * like one on which all is lost.
 */
export async function assertThere(target: Target): Promise<void> {
  if (!(await hasRepository(target))) throw new EngineFailure("repository_missing", NO_REPOSITORY);
}

/** Makes a repository; its key. Throws `target_exists`. */
export async function createRepository(target: Target, kit: string, passphrase: string | null): Promise<Uint8Array> {
  const id = randomBytes(16).toString("hex");
  const key = new Uint8Array(randomBytes(32));
  const config: Static<typeof Config> = {
    format: "orrery-backup",
    version: VERSION,
    id,
    keys: wrapKey(key, id, kit, passphrase),
  };
  await target.write(CONFIG, Buffer.from(`${JSON.stringify(config, null, 2)}\n`));
  return key;
}

/** The key of a repository, with the passphrase or the recovery kit's key. Throws `key_wrong`, `repository_missing`. */
export async function openKey(target: Target, typed: string): Promise<Uint8Array> {
  const config = await readConfig(target);
  if (!config) throw new EngineFailure("repository_missing", NO_REPOSITORY);
  return unwrapKey(config.id, config.keys, typed);
}

/** Reads a chunk as it lies in its pack. Throws `damaged` where the pack is gone, and `repository_missing` where all is. */
async function readPlace(target: Target, place: ChunkPlace): Promise<Uint8Array> {
  try {
    return await target.read(place.pack, place);
  } catch (error) {
    if (!(error instanceof EngineFailure && error.code === "target_missing")) throw error;
    await assertThere(target);
    throw new EngineFailure("damaged", `${place.pack} is gone.`);
  }
}

/**
 * Opens a repository with its key. What lies in it is read from its packs, so that nothing here can be out of step with it. `aside`
 * all work on chunks stays on the calling thread.
 */
export async function openRepository(
  target: Target,
  key: Uint8Array,
  lease: Lease | null,
  urgency: "now" | "aside" = "now",
): Promise<Repository> {
  await assertThere(target);
  const keys = deriveKeys(key);
  const work = urgency === "aside" ? prepareChunkWorkAside(keys) : await prepareChunkWork(keys);
  const places = createChunkIndex();
  const packs = createPackTable();
  for (const { name, size } of await target.list("packs")) packs.add(name, size);
  // What is about to be removed is read, but nothing new may rely on it.
  const { since } = await readCondemned(target, keys.secret, packs);
  const isLeaving = (pack: number): boolean => (since[pack] ?? KEPT) !== KEPT;
  const listed = packs.count();
  if (listed === 0) await assertThere(target);
  let next = 0;
  const readIndexes = async (): Promise<void> => {
    while (next < listed) {
      const pack = next++;
      const name = packs.nameOf(pack);
      try {
        const index = await readPackIndex(target, { name, size: packs.sizeOf(pack) ?? 0 }, keys.secret);
        if (next % COLLECTED_PACKS === 0) Bun.gc(true);
        for (const { id, at, length } of index)
          if (!isLeaving(pack) || places.get(id) === null) places.set(id, { pack, at, length });
      } catch (error) {
        if (!(error instanceof EngineFailure && error.code === "damaged")) throw error;
        packs.drop(pack);
      }
    }
  };
  // Most of the time goes by on the way to a target that is far away.
  await Promise.all(Array.from({ length: AT_ONCE }, readIndexes));
  const isLarge = listed >= LARGE_PACKS;
  if (isLarge) Bun.gc(true);
  let spare: Uint8Array | null = null;
  const takeRoom = (): Uint8Array => {
    const room = spare ?? new Uint8Array(ROOM_BYTES);
    spare = null;
    return room;
  };
  let draft = createPackDraft(takeRoom);
  const waiting = new Set<string>();
  let writing: Promise<void> = Promise.resolve();

  const placeOf = (id: string): ChunkPlace | null => {
    const found = places.get(id);
    return found && { ...found, pack: packs.nameOf(found.pack) };
  };

  /** Lets the pack go on its way as soon as the one before is there; waits for that one. What fails stays failed. */
  function send(): Promise<void> {
    const full = draft;
    const before = writing;
    draft = createPackDraft(takeRoom);
    writing = before.then(async () => {
      await lease?.hold();
      const { name, bytes, chunks } = full.finish(keys.secret);
      await target.write(name, bytes);
      const pack = packs.add(name, bytes.length) ?? 0;
      if (spare === null) spare = full.room();
      else letGo(full.room());
      for (const { id, at, length } of chunks) {
        places.set(id, { pack, at, length });
        waiting.delete(Buffer.from(id).toString("hex"));
      }
    });
    writing.catch(() => {});
    return before;
  }

  async function settle(): Promise<void> {
    for (let seen: Promise<void> | null = null; seen !== writing; ) {
      seen = writing;
      await seen;
    }
  }

  /** How many bytes that added. */
  async function store(digest: Uint8Array, id: string, chunk: Uint8Array): Promise<number> {
    if (waiting.has(id)) return 0;
    waiting.add(id);
    const closed = await work.close(digest, chunk);
    if (isLarge) await settle();
    // Only now: the draft may have become another one meanwhile.
    const added = draft.add(digest, closed);
    if (draft.size() >= PACK_BYTES) await send();
    return added;
  }

  const repository: Repository = {
    keys,
    async put(chunk) {
      const digest = await work.idOf(chunk);
      const id = digest.toString("hex");
      return { id, added: repository.isKept(id) ? 0 : await store(digest, id, chunk) };
    },
    isKept(id) {
      const place = places.get(id);
      return place !== null && !isLeaving(place.pack);
    },
    async get(id) {
      const place = placeOf(id);
      if (!place) throw new EngineFailure("damaged", `A part is missing: ${id}.`);
      const digest = Buffer.from(id, "hex");
      const closed = await readPlace(target, place);
      const chunk = await work.open(digest, closed);
      letGo(closed);
      if (!chunk) throw new EngineFailure("damaged", `A part of ${place.pack} is damaged.`);
      if (!(await work.idOf(chunk)).equals(digest))
        throw new EngineFailure("damaged", `A part of ${place.pack} is not what it was.`);
      return chunk;
    },
    placeOf,
    chunks: places,
    packs,
    async move(id) {
      const chunk = await repository.get(id);
      await store(Buffer.from(id, "hex"), id, chunk);
      letGo(chunk);
    },
    async flush() {
      if (draft.size() > 0) await send();
      await writing;
    },
  };
  return repository;
}
