import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { runs } from "../../../../tests/kit/runs.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { walkTar } from "./tar-walk.ts";
import { checkVolumeDatabases } from "./volume-databases.ts";

function tarOf(folder: string, format = "pax"): Buffer {
  const { stdout, exitCode } = Bun.spawnSync([
    "tar",
    "-C",
    folder,
    `--format=${format}`,
    "--sort=name",
    "-cf",
    "-",
    "data",
  ]);
  expect(exitCode).toBe(0);
  return Buffer.from(stdout);
}

/** Bytes as they may come: in pieces of that size. */
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("databases in an archive are found by how they begin and opened with what belongs to them; damage is told", async () => {
  const folder = makeScratch("volume");
  mkdirSync(join(folder, "data", "deep"), { recursive: true });
  const path = join(folder, "live.db");
  const db = new Database(path);
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA wal_autocheckpoint = 0");
  db.run("CREATE TABLE notes (text)");
  for (let at = 0; at < 200; at += 1) db.run("INSERT INTO notes VALUES (?)", ["x".repeat(500)]);
  // As a copy of a paused app has them: what was written last is in the log alone.
  for (const ending of ["", "-wal"]) cpSync(`${path}${ending}`, join(folder, "data", `live.db${ending}`));
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const whole = readFileSync(path);
  writeFileSync(join(folder, "data", "deep", "whole.sqlite3"), whole);
  const hurt = Buffer.from(whole);
  hurt.fill(0x5a, 4096, 4096 * 4);
  writeFileSync(join(folder, "data", "deep", "hurt.db"), hurt);
  writeFileSync(join(folder, "data", "text.db"), "SQLite is nice");
  writeFileSync(join(folder, "data", "tiny"), "x");
  const scratch = makeScratch("drill");
  for (const [format, size] of [
    ["pax", 1000],
    ["gnu", 100_000],
    ["ustar", 7],
  ] as const) {
    const notes = await checkVolumeDatabases(inPieces(tarOf(folder, format), size), "data", scratch, 1e9);
    expect(notes.length).toBe(1);
    expect(notes[0]).toContain("data/deep/hurt.db in data is no whole SQLite database");
    expect(readdirSync(scratch)).toEqual([]);
    const tight = await checkVolumeDatabases(inPieces(tarOf(folder, format), size), "data", scratch, 100);
    expect(tight.map((note) => note.includes("too little room"))).toEqual([true, true, true]);
  }
});

test("an archive is walked as tar wrote it, however it comes; a damaged one ends, and is read to its end", async () => {
  const folder = makeScratch("volume");
  const deep = join(folder, "data", ...Array.from({ length: 12 }, () => "a-name-of-twenty-one."));
  mkdirSync(deep, { recursive: true });
  const files = { "data/a": 0, "data/b": 511, "data/c": 512, [`${deep.slice(folder.length + 1)}/ü`]: 5000 };
  for (const [name, size] of Object.entries(files)) writeFileSync(join(folder, name), Buffer.alloc(size, 1));
  for (const format of ["pax", "gnu"]) {
    const bytes = tarOf(folder, format);
    const found: Record<string, number> = {};
    for await (const file of walkTar(inPieces(bytes, 777))) {
      let read = 0;
      // Only some are read: the rest must be skipped.
      if (file.size !== 511) for await (const piece of file.bytes) read += piece.length;
      found[file.name] = file.size === 511 ? 511 : read;
    }
    expect(found).toEqual(files);
  }
  const bytes = tarOf(folder);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(bytes.length - 1),
      fc.nat(255),
      fc.integer({ min: 1, max: 5000 }),
      async (at, byte, size) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = byte;
        let left = damaged.length;
        const source = (async function* () {
          for await (const piece of inPieces(damaged, size)) {
            left -= piece.length;
            yield piece;
          }
        })();
        for await (const file of walkTar(source)) for await (const _ of file.bytes);
        expect(left).toBe(0);
      },
    ),
    { numRuns: runs(60) },
  );
});
