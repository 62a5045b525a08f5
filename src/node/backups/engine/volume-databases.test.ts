import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { runs } from "../../../../tests/kit/runs.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { createJudge, type Verdict } from "./judge.ts";
import { walkTar } from "./tar-walk.ts";
import { checkVolumeDatabases } from "./volume-databases.ts";

const WHOLE: Verdict = { damage: null, seconds: 0 };

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

/** Checks an archive's databases in a process of their own, each within so many seconds where that is said; answers its notes. */
async function check(archive: Uint8Array, scratch: string, { piece = 10_000, room = 1e9, seconds = 60 } = {}) {
  const ending = new AbortController();
  const judge = createJudge("now", ending.signal);
  try {
    const checking = checkVolumeDatabases(inPieces(archive, piece), "data", scratch, room);
    for (let next = await checking.next(); ; ) {
      if (next.done === true) return next.value;
      next = await checking.next(await judge.judge({ ...next.value, seconds }));
    }
  } finally {
    ending.abort();
  }
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
    const notes = await check(tarOf(folder, format), scratch, { piece: size });
    expect(notes.length).toBe(1);
    expect(notes[0]).toContain("data/deep/hurt.db in data is no whole SQLite database");
    expect(readdirSync(scratch)).toEqual([]);
    const tight = await check(tarOf(folder, format), scratch, { piece: size, room: 100 });
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

/** Puts a database of that name into a folder, as somebody who means harm may write it. */
function write(folder: string, name: string, ...statements: string[]): void {
  mkdirSync(join(folder, "data"), { recursive: true });
  const db = new Database(join(folder, "data", name));
  for (const statement of statements) db.run(statement);
  db.close();
}

const ROWS =
  "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t SELECT 1 FROM n";
const SLOW = "length(replace(hex(zeroblob(a * 00000001)), '0', '00'))";

/** Changes a database's own words behind its back. */
function reword(folder: string, name: string, from: string, to: string): void {
  const path = join(folder, "data", name);
  writeFileSync(path, readFileSync(path, "latin1").replaceAll(from, to), "latin1");
}

test("what a database has SQLite reckon takes neither this machine's memory nor more than its time, and others are judged", async () => {
  const folder = makeScratch("volume");
  const table = "CREATE TABLE t (a INTEGER)";
  write(folder, "0-whole.db", table, ROWS);
  write(folder, "1-check.db", `CREATE TABLE t (a, CHECK (${SLOW} >= 0))`, ROWS);
  write(folder, "2-index.db", table, "CREATE INDEX i ON t (length(hex(zeroblob(a * 000000001))))", ROWS);
  write(folder, "3-where.db", table, `CREATE INDEX i ON t (a) WHERE ${SLOW} > 0`, ROWS);
  write(folder, "4-column.db", `CREATE TABLE t (a, b AS (${SLOW} > 0))`, "CREATE INDEX i ON t (b)", ROWS);
  write(folder, "5-hurt.db", table, "CREATE INDEX i ON t (a)", ROWS);
  for (const name of ["1-check.db", "3-where.db", "4-column.db"]) reword(folder, name, "00000001", "03000000");
  reword(folder, "2-index.db", "000000001", "300000000");
  const hurt = readFileSync(join(folder, "data", "5-hurt.db"));
  hurt.fill(0x5a, hurt.length - 9000);
  writeFileSync(join(folder, "data", "5-hurt.db"), hurt);
  const notes = await check(tarOf(folder), makeScratch("drill"), { seconds: 1 });
  const LATE = "in data was read and not judged: that takes longer than a check waits for it.";
  expect(notes.slice(0, -1)).toEqual([
    "data/2-index.db in data was read and not judged: that takes more memory than a check gives it.",
    `data/3-where.db ${LATE}`,
    `data/4-column.db ${LATE}`,
  ]);
  expect(notes.at(-1)).toContain("data/5-hurt.db in data is no whole SQLite database");
});

test("what a database has SQLite say of it is cut, however long its names are, and others are judged", async () => {
  const folder = makeScratch("volume");
  const name = "i".repeat(100_000);
  const entries = Array.from({ length: 4 }, (_, at) => `INSERT INTO t VALUES (${at})`);
  write(folder, "0-long.db", "CREATE TABLE t (a)", `CREATE INDEX "${name}" ON t (a) WHERE a > 00000001`, ...entries);
  reword(folder, "0-long.db", "a > 00000001", "a > 00000000");
  write(folder, "1-schema.db", `CREATE TABLE "${name}" (a)`);
  reword(folder, "1-schema.db", "CREATE TABLE", "CREATE TABLX");
  write(folder, "2-hurt.db", "CREATE TABLE t (a)", "CREATE INDEX i ON t (a) WHERE a > 00000001", ...entries);
  reword(folder, "2-hurt.db", "a > 00000001", "a > 00000000");
  const notes = await check(tarOf(folder), makeScratch("drill"));
  expect(notes.map((note) => note.replace(/i{100,}/, "i…"))).toEqual([
    "data/0-long.db in data is no whole SQLite database: row 2 missing from index i….",
    "data/1-schema.db in data is no whole SQLite database: malformed database schema (i….",
    "data/2-hurt.db in data is no whole SQLite database: row 2 missing from index i.",
  ]);
  expect(Math.max(...notes.map(({ length }) => length))).toBeLessThan(300);
});

test("databases of a volume share twenty seconds besides what their sizes may take; who used it up is told, and who comes behind it", async () => {
  const folder = makeScratch("volume");
  for (const name of ["a.db", "b.db", "c.db", "d.db"]) write(folder, name, "CREATE TABLE t (a)");
  const checking = checkVolumeDatabases(inPieces(tarOf(folder), 5000), "data", makeScratch("drill"), 1e9);
  const given: number[] = [];
  const spent: Verdict[] = [
    { damage: null, seconds: 10 },
    { unjudged: "time", seconds: 11 },
  ];
  let next = await checking.next();
  for (; next.done !== true; next = await checking.next(spent[given.length - 1] ?? WHOLE))
    given.push(next.value.seconds);
  expect(given.map(Math.round)).toEqual([20, 10]);
  expect(next.value).toEqual([
    "data/b.db in data was read and not judged: that takes longer than a check waits for it.",
    "More databases in data were read and not judged: those before took all of the time.",
  ]);
});

test("a journal is rolled back before its database is judged; one that names another file is not opened", async () => {
  const folder = makeScratch("volume");
  write(folder, "a.db", "CREATE TABLE t (a)", ROWS);
  const path = join(folder, "data", "a.db");
  const db = new Database(path);
  db.run("PRAGMA cache_size = 1");
  db.run("BEGIN");
  db.run("UPDATE t SET a = 'x'");
  const [torn, journal] = [readFileSync(path), readFileSync(`${path}-journal`)];
  db.run("ROLLBACK");
  db.close();
  torn.fill(0, 4096, 8192);
  writeFileSync(path, torn);
  writeFileSync(`${path}-journal`, journal);
  const scratch = makeScratch("drill");
  expect(await check(tarOf(folder), scratch)).toEqual([]);
  const name = Buffer.from(join(folder, "victim"));
  writeFileSync(name, "mine");
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(name.length, 0);
  numbers.writeUInt32BE(
    name.reduce((sum, byte) => sum + byte, 0),
    4,
  );
  writeFileSync(
    `${path}-journal`,
    Buffer.concat([journal, Buffer.alloc(4), name, numbers, Buffer.from("d9d505f920a163d7", "hex")]),
  );
  expect(await check(tarOf(folder), scratch)).toEqual([
    "data/a.db in data was read and not opened: it was in the middle of a change to several databases at once.",
  ]);
  expect(readFileSync(name, "utf8")).toBe("mine");
  expect(await check(tarOf(folder), scratch, { room: torn.length + 10 })).toEqual([
    "data/a.db in data was read and not opened: this server's disk has too little room for it.",
  ]);
  expect(readdirSync(scratch)).toEqual([]);
});
