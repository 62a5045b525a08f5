import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { runs } from "../../../../tests/kit/runs.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { BrokenArchive, readOnlyFile, type StillFile, withStillDatabases } from "./archive-filter.ts";

function tarOf(folder: string, ...names: string[]): Buffer {
  const { stdout, exitCode } = Bun.spawnSync([
    "tar",
    "-C",
    folder,
    "--format=pax",
    "--sort=name",
    "-cf",
    "-",
    ...names,
  ]);
  expect(exitCode).toBe(0);
  return Buffer.from(stdout);
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}

function unpack(archive: Uint8Array): string {
  const folder = makeScratch("unpacked");
  expect(Bun.spawnSync(["tar", "-C", folder, "-xpf", "-"], { stdin: archive }).exitCode).toBe(0);
  return join(folder, "data");
}

const describe = (folder: string): string =>
  Bun.spawnSync(
    ["sh", "-c", "find . -exec stat -c '%n %F %a %u:%g %Y %N' {} + | sort; find . -type f -exec md5sum {} + | sort"],
    {
      cwd: folder,
    },
  ).stdout.toString();

const LONG =
  "a name that is longer than a header of an archive has room for, so that it needs an extended one, with ü and ß in it.db";

/** A volume with a database that is in the middle of being written, under a name that tries headers. */
function makeVolume() {
  const folder = makeScratch("volume");
  const data = join(folder, "data");
  mkdirSync(join(data, "deep"), { recursive: true });
  writeFileSync(join(data, "a.txt"), "before");
  const path = join(data, "deep", LONG);
  const db = new Database(path);
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA wal_autocheckpoint = 0");
  db.run("CREATE TABLE rows (text)");
  for (let at = 0; at < 50; at += 1) db.run("INSERT INTO rows VALUES (?)", ["x".repeat(900)]);
  writeFileSync(join(data, "deep", "zero"), "");
  writeFileSync(join(data, "z.txt"), "after".repeat(700));
  symlinkSync("/etc/passwd", join(data, "deep", "outside"));
  chmodSync(path, 0o640);
  return { folder, data, path, db };
}

const stillOf = async (folder: string, name: string, path: string): Promise<StillFile> => {
  const only = await readOnlyFile(inPieces(tarOf(folder, name), 100), name);
  if (only === null) throw new Error("it is no file");
  const content = await collect(only.content);
  return { path, headers: only.headers, size: only.size, read: () => inPieces(content, 999) };
};

test("a database in an archive is replaced by itself at one moment, with its log; all else is as it was", async () => {
  const { folder, data, db } = makeVolume();
  const torn = tarOf(folder, "data");
  db.run("INSERT INTO rows VALUES ('last')");
  const before = describe(data);
  for (const size of [7, 512, 100_000]) {
    const asked: string[] = [];
    const filtered = withStillDatabases(inPieces(torn, size), async (path) => {
      asked.push(path);
      const endings = ["", "-wal"];
      return await Promise.all(endings.map((e) => stillOf(join(data, "deep"), LONG + e, `deep/${LONG}${e}`)));
    });
    const out = unpack(await collect(filtered));
    expect(asked).toEqual([`deep/${LONG}`]);
    const copy = new Database(join(out, "deep", LONG));
    expect(copy.query("SELECT count(*) AS count FROM rows").get()).toEqual({ count: 51 });
    copy.close();
    // What the log's index was belongs to the program that ran.
    const plain = (words: string) =>
      words.split("\n").filter((line) => !line.includes("-shm") && !/^\.(\/deep)? /.test(line));
    const again = unpack(await collect(withStillDatabases(inPieces(torn, size), async () => null)));
    expect(plain(describe(again)).filter((line) => !line.includes(LONG))).toEqual(
      plain(before).filter((line) => !line.includes(LONG)),
    );
    expect(describe(again)).toContain("-shm");
  }
  db.close();
});

test("an archive that passes is what it was, however it comes; one that is cut off is broken wherever it is", async () => {
  const { folder, db } = makeVolume();
  const whole = tarOf(folder, "data");
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 500, max: 9000 }), async (cut, size) => {
      const passed = await collect(withStillDatabases(inPieces(whole, size), async () => null));
      expect(Bun.hash(passed.subarray(0, passed.length - 1024))).toBe(
        Bun.hash(whole.subarray(0, passed.length - 1024)),
      );
      // What stands behind the last entry is padding.
      if (cut >= passed.length - 1024) return;
      const broken = collect(withStillDatabases(inPieces(whole.subarray(0, cut), size), async () => null));
      await expect(broken).rejects.toBeInstanceOf(BrokenArchive);
    }),
    { numRuns: runs(25) },
  );
  db.close();
});

test("a database that was removed meanwhile is left out with its log", async () => {
  const { folder, db } = makeVolume();
  const out = unpack(await collect(withStillDatabases(inPieces(tarOf(folder, "data"), 4096), async () => [])));
  expect(describe(out)).not.toContain(".db");
  expect(readFileSync(join(out, "z.txt"), "utf8")).toBe("after".repeat(700));
  db.close();
});

test("an archive whose files say that they have more than can be is left at the one that says so", async () => {
  const folder = makeScratch("hollow");
  mkdirSync(join(folder, "data"));
  writeFileSync(join(folder, "data", "a.txt"), "x");
  writeFileSync(join(folder, "data", "hole"), new Uint8Array(1_000_000));
  const archive = tarOf(folder, "data");
  const pass = (most: number) => collect(withStillDatabases(inPieces(archive, 4096), async () => null, most));
  expect((await pass(1_000_001)).subarray(0, 1_000_000).equals(archive.subarray(0, 1_000_000))).toBe(true);
  await expect(pass(1_000_000)).rejects.toThrow("hole is 0.0 GB long, and next to nothing of that is on the disk");
});
