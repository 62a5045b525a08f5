/**
 * Works in a repository of a terabyte, of which nearly all packs are made up as they are asked for: `prepare FOLDER CHUNKS` makes it, and
 * then `store` stores into it, `prune` tidies it up, or `forget` does so when none of its backups is needed any more. Tells the most memory that it took, in MB.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { letGo } from "../../src/node/backups/engine/chunk-work.ts";
import { readListIds, writeIdList } from "../../src/node/backups/engine/id-list.ts";
import { deriveKeys, encrypt } from "../../src/node/backups/engine/keys.ts";
import { takeLease } from "../../src/node/backups/engine/lease.ts";
import { openLocalFolder } from "../../src/node/backups/engine/local-folder.ts";
import { prune } from "../../src/node/backups/engine/prune.ts";
import {
  createRepository,
  openKey,
  openRepository,
  type Repository,
} from "../../src/node/backups/engine/repository.ts";
import { writeSnapshot, writeStream } from "../../src/node/backups/engine/snapshot.ts";
import type { Entry, Target } from "../../src/node/backups/engine/target.ts";
import { madeBytes } from "./made-bytes.ts";

const MIB = 1024 * 1024;
const [work = "", folder = "", chunks = ""] = process.argv.slice(2);
const IN_A_PACK = 16;
const PACK_BYTES = 16 * MIB;
const PACKS = Number(chunks) / IN_A_PACK;
const STORED_BYTES = 256 * MIB;
/** Of the packs that are really there a backup needs one chunk of so many: they are to be gathered. */
const NEEDED_OF = 6;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const idOf = (pack: number, row: number): Buffer => digest(`chunk ${pack} ${row}`);
/** A name says which of the packs it is, so that there is no table of them here. */
const nameOf = (pack: number): string => {
  const hex = pack.toString(16).padStart(64, "0");
  return `packs/${hex.slice(-2)}/${hex.slice(-2)}${hex.slice(2)}`;
};
const numberOf = (name: string): number | null =>
  /^packs\/..\/..0{46}/.test(name) ? Number.parseInt(name.slice(-16), 16) : null;

/** The end of a pack, as if sixteen chunks of a mebibyte were before it. */
function endOf(secret: Uint8Array, pack: number): Buffer {
  const table = Buffer.alloc(IN_A_PACK * 40);
  for (let row = 0; row < IN_A_PACK; row += 1) {
    idOf(pack, row).copy(table, row * 40);
    table.writeUInt32BE(row * 1_000_000, row * 40 + 32);
    table.writeUInt32BE(1_000_000, row * 40 + 36);
  }
  const index = encrypt(secret, "pack index", table);
  const end = Buffer.alloc(8);
  end.writeUInt32BE(index.length, 0);
  end.write("ORP1", 4, "latin1");
  return Buffer.concat([index, end]);
}

const disk = openLocalFolder(folder);
if (work === "prepare") await createRepository(disk, "KIT", null);
const key = await openKey(disk, "KIT");
const { secret } = deriveKeys(key);

/** What lies in the folder, and the packs that are made up. */
const target: Target = {
  async write(name, bytes) {
    // What is stored is thrown away: this is about what it takes to store it.
    if (work !== "store" || !name.startsWith("packs/")) await disk.write(name, bytes);
  },
  async read(name, range) {
    const pack = numberOf(name);
    if (pack === null) return await disk.read(name, range);
    const end = endOf(secret, pack);
    const bytes = new Uint8Array(range?.length ?? 0);
    bytes.set(end, bytes.length - end.length);
    return bytes;
  },
  async list(folder) {
    const listed = await disk.list(folder);
    const madeUp = (_: unknown, pack: number): Entry => ({ name: nameOf(pack), size: PACK_BYTES });
    return folder === "packs" ? [...listed, ...Array.from({ length: PACKS }, madeUp)] : listed;
  },
  remove: (name) => disk.remove(name),
  warnings: () => [],
};

/** Stores new bytes; the ids of their chunks. */
async function store(repository: Repository): Promise<readonly string[]> {
  const writer = writeStream(repository);
  for (let at = 0; at < STORED_BYTES; at += 4 * MIB) {
    const bytes = madeBytes(at, 4 * MIB);
    await writer.write(bytes);
    letGo(bytes);
  }
  const { stream } = await writer.end();
  await repository.flush();
  return stream.list;
}

const lease = await takeLease(target, "bench", Date.now);
const repository = await openRepository(target, key, lease, "aside");
const isKept = repository.isKept(idOf(3, 5).toString("hex"));
if (!isKept && work !== "forget") throw new Error("a chunk that is there is not known");

/** Makes a backup that needs nearly all of each pack that is made up, and little of those that are there. */
async function prepare(): Promise<void> {
  const ids = writeIdList(repository);
  for (const listId of await store(repository))
    for (const [at, id] of (await readListIds(repository, listId)).entries())
      if (at % NEEDED_OF === 0) await ids.add(id);
  for (let pack = 0; pack < PACKS; pack += 1)
    for (let row = 0; row < IN_A_PACK - 1; row += 1) await ids.add(idOf(pack, row).toString("hex"));
  const { list } = await ids.end();
  const size = Number(chunks) * MIB;
  const part = { kind: "volume" as const, app: "app", name: "data", size, sha256: "0".repeat(64), list };
  const about = { version: 1 as const, created_at: "now", node: { name: "bench", version: "1" }, apps: [] };
  await writeSnapshot(target, repository, lease, { ...about, id: "bak_1", parts: [part] });
}

async function tidyUp(): Promise<void> {
  const before = (await disk.list("packs")).length;
  const { removed_packs } = await prune(target, repository, lease, [], Date.now());
  if (removed_packs > 0) throw new Error("a pack went within its week");
  if ((await disk.list("packs")).length === before) throw new Error("nothing was gathered");
}

/** All packs are condemned; the second time all of them are known to be. */
async function forgetAll(): Promise<void> {
  const { removed_packs } = await prune(target, repository, lease, ["bak_1"], Date.now());
  if (removed_packs > 0) throw new Error("a pack went within its week");
}

if (work === "prepare") await prepare();
else if (work === "store") await store(repository);
else if (work === "forget") await forgetAll();
else await tidyUp();
await lease.release();
const most = Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? Number.NaN) / 1024;
process.stdout.write(`${JSON.stringify({ most })}\n`);
