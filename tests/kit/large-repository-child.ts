/** Opens a repository of a terabyte, whose packs are made up as they are asked for, and stores into it, or with `prune` tidies it up; tells its memory in MB. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { letGo } from "../../src/node/backups/engine/chunk-work.ts";
import { writeIdList } from "../../src/node/backups/engine/id-list.ts";
import { deriveKeys, encrypt } from "../../src/node/backups/engine/keys.ts";
import { takeLease } from "../../src/node/backups/engine/lease.ts";
import { prune } from "../../src/node/backups/engine/prune.ts";
import { createRepository, openRepository } from "../../src/node/backups/engine/repository.ts";
import { writeSnapshot, writeStream } from "../../src/node/backups/engine/snapshot.ts";
import type { Target } from "../../src/node/backups/engine/target.ts";
import { madeBytes } from "./made-bytes.ts";

const MIB = 1024 * 1024;
const CHUNKS = Number(process.argv[2] ?? 1_048_576);
const PRUNES = process.argv[3] === "prune";
const IN_A_PACK = 16;
const PACK_BYTES = 16 * MIB;
const STORED_BYTES = 256 * MIB;

const kept = new Map<string, Uint8Array>();
const folder = mkdtempSync(join(tmpdir(), "orrery-large-"));
/** Packs with the ids that a backup needs. */
const onDisk = new Map<string, string>();
let secret: Uint8Array = new Uint8Array(32);
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
/** A name says which of the packs it is, so that there is no table of them here. */
const nameOf = (pack: number): string => {
  const hex = pack.toString(16).padStart(64, "0");
  return `packs/${hex.slice(-2)}/${hex.slice(-2)}${hex.slice(2)}`;
};
const numberOf = (name: string): number | null =>
  /^packs\/..\/..0{46}/.test(name) ? Number.parseInt(name.slice(-16), 16) : null;

/** The end of a pack, as if sixteen chunks of a mebibyte were before it. */
function endOf(pack: number): Buffer {
  const table = Buffer.alloc(IN_A_PACK * 40);
  for (let row = 0; row < IN_A_PACK; row += 1) {
    digest(`chunk ${pack} ${row}`).copy(table, row * 40);
    table.writeUInt32BE(row * 1_000_000, row * 40 + 32);
    table.writeUInt32BE(1_000_000, row * 40 + 36);
  }
  const index = encrypt(secret, "pack index", table);
  const end = Buffer.alloc(8);
  end.writeUInt32BE(index.length, 0);
  end.write("ORP1", 4, "latin1");
  return Buffer.concat([index, end]);
}

const target: Target = {
  async write(name, bytes) {
    // What is stored is thrown away: this is about what it takes to store it.
    if (!PRUNES || !name.startsWith("packs/"))
      return void kept.set(name, name.startsWith("packs/") ? new Uint8Array(0) : bytes.slice());
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    onDisk.set(name, path);
  },
  async read(name, range) {
    const path = onDisk.get(name);
    if (path !== undefined) {
      const from = range?.at ?? 0;
      return await Bun.file(path)
        .slice(from, from + (range?.length ?? 0))
        .bytes();
    }
    const pack = numberOf(name);
    if (pack === null) return kept.get(name) ?? new Uint8Array(0);
    const end = endOf(pack);
    const bytes = new Uint8Array(range?.length ?? 0);
    bytes.set(end, bytes.length - end.length);
    return bytes;
  },
  list: async (folder) =>
    folder === "packs"
      ? Array.from({ length: CHUNKS / IN_A_PACK }, (_, pack) => ({ name: nameOf(pack), size: PACK_BYTES }))
      : [...kept.keys()].filter((name) => name.startsWith(`${folder}/`)).map((name) => ({ name, size: 1 })),
  remove: async (name) => void kept.delete(name),
  warnings: () => [],
};

const memory = (): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? Number.NaN) / 1024;

const key = await createRepository(target, "KIT", null);
secret = deriveKeys(key).secret;
const lease = await takeLease(target, "bench", Date.now);
const repository = await openRepository(target, key, lease, "aside");
const known = digest("chunk 3 5").toString("hex");
if (!repository.isKept(known)) throw new Error("a chunk that is there is not known");
const opened = memory();

/** Stores new bytes. */
async function store(): Promise<void> {
  const writer = writeStream(repository);
  for (let at = 0; at < STORED_BYTES; at += 4 * MIB) {
    const bytes = madeBytes(at, 4 * MIB);
    await writer.write(bytes);
    letGo(bytes);
  }
  await writer.end();
  await repository.flush();
}

/** Finds out what nothing needs, beside a backup that needs nearly all of each pack. */
async function tidyUp(): Promise<void> {
  const ids = writeIdList(repository);
  for (let pack = 0; pack < CHUNKS / IN_A_PACK; pack += 1)
    for (let row = 0; row < IN_A_PACK - 1; row += 1) await ids.add(digest(`chunk ${pack} ${row}`).toString("hex"));
  const { list } = await ids.end();
  const part = { kind: "volume" as const, app: "app", name: "data", size: CHUNKS * MIB, sha256: "0".repeat(64), list };
  const about = { version: 1 as const, created_at: "now", node: { name: "bench", version: "1" }, apps: [] };
  await writeSnapshot(target, repository, lease, { ...about, id: "bak_1", parts: [part] });
  // What it took to write that is another matter.
  Bun.gc(true);
  writeFileSync("/proc/self/clear_refs", "5");
  const { removed_packs } = await prune(target, repository, lease, [], Date.now());
  if (removed_packs > 0) throw new Error("a pack that is needed was removed");
}

await (PRUNES ? tidyUp() : store());
rmSync(folder, { recursive: true });
process.stdout.write(`${JSON.stringify({ opened, most: memory() })}\n`);
