import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { EngineError } from "../../apps/runtime/index.ts";
import type { StillFile } from "./archive-filter.ts";
import type { Own } from "./needs.ts";
import { stillDatabases } from "./still-databases.ts";

const TINY = Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(1000)]);
const VOLUME = { name: "data", source: "wiki-data" };

/** A running app with one volume that an engine reads; each file takes `fileMs` of its archives, and each pause and its end 100 ms. */
function startApp({ fileMs = 0, free = 1e12 } = {}) {
  const root = makeScratch("still-volume");
  const data = join(root, "data");
  mkdirSync(data);
  const scratch = makeScratch("still-scratch");
  const clock = createFakeClock();
  const seen = { carriers: 0, pauses: 0, longest: 0, reads: [] as string[] };
  let pausedAt: number | null = null;
  const engine = {
    findImage: async () => ({ Id: "sha256:1" }),
    removeContainer: async () => {},
    createContainer: async () => `carrier-${++seen.carriers}`,
    listContainers: async () => [{ Id: "web", State: pausedAt === null ? "running" : "paused" }],
    async pauseContainer() {
      await clock.advance(100);
      seen.pauses += 1;
      pausedAt = clock.monotonic();
    },
    async unpauseContainer() {
      seen.longest = Math.max(seen.longest, clock.monotonic() - (pausedAt ?? 0));
      pausedAt = null;
      await clock.advance(100);
    },
    async readArchive(_: string, at: string) {
      const path = at.slice("/orrery/".length);
      if (!Bun.spawnSync(["test", "-e", join(root, path)]).success) throw new EngineError(404, "no such file");
      seen.reads.push(path);
      const argv = ["tar", "-C", dirname(join(root, path)), "--format=pax", "--sort=name", "-cf", "-"];
      const { stdout } = Bun.spawnSync([...argv, path.slice(path.lastIndexOf("/") + 1)]);
      return (async function* () {
        // About one file of the test's a piece.
        for (let from = 0; from < stdout.length; from += 3072) {
          yield stdout.subarray(from, from + 3072);
          await clock.advance(fileMs);
        }
      })();
    },
  };
  const own = {
    clock,
    signal: new AbortController().signal,
    log: { warn() {} },
    settings: { get: () => "" },
    seal: { deriveKey: () => Buffer.alloc(8) },
    config: { data_dir: "/" },
    host: { ownSpace: async () => ({ free, total: free }) },
    db: { tx: (task: () => unknown) => task(), raw: { query: () => ({ run() {} }) } },
    apps: {
      get: () => ({ name: "wiki", status: "running", work: null }),
      imagesOf: () => [{ name: "web", image: "wiki:1" }],
      freeze: () => () => {},
    },
    runtime: { engine: () => engine, requireEngine: () => engine },
  } as unknown as Own;
  const put = (path: string, content: Uint8Array = TINY) => {
    mkdirSync(dirname(join(data, path)), { recursive: true });
    writeFileSync(join(data, path), content);
  };
  const still = stillDatabases(own, "app_wiki", "none", "op_1", scratch);
  /** Takes these, as an archive has them; what each came to. */
  const take = (paths: readonly string[]) =>
    still.withStill(VOLUME, async (one) => {
      const taken: Awaited<ReturnType<typeof one>>[] = [];
      for (const path of paths) {
        const files = await one(path);
        for (const file of files ?? []) await unpackOne(file);
        taken.push(files);
      }
      return taken;
    });
  const out = makeScratch("still-out");
  async function unpackOne({ path, read }: StillFile): Promise<void> {
    const pieces: Uint8Array[] = [];
    for await (const piece of read()) pieces.push(piece);
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), Buffer.concat(pieces));
  }
  return { data, out, scratch, clock, seen, put, take, notes: still.notes };
}

const named = (count: number, name: (at: string) => string) =>
  Array.from({ length: count }, (_, at) => name(`${at}`.padStart(5, "0")));

test.each([
  ["in one folder", (at: string) => `users/${at}.db`],
  ["in a folder each", (at: string) => `users/${at}/own.db`],
  ["at the top", (at: string) => `${at}.db`],
])("many small databases %s are taken in a few pauses, through one container", async (_, name) => {
  const app = startApp();
  const paths = named(300, name);
  for (const path of paths) app.put(path);
  expect((await app.take(paths)).map((files) => files?.map(({ size }) => size))).toEqual(
    paths.map(() => [TINY.length]),
  );
  expect(app.seen).toMatchObject({ carriers: 1, pauses: 5 });
  expect(app.notes()).toEqual([]);
  expect(readdirSync(app.scratch)).toEqual([]);
  for (const path of paths) expect(statSync(join(app.out, path)).size).toBe(TINY.length);
});

test("a database that is read ahead comes with its log", async () => {
  const app = startApp();
  const paths = named(20, (at) => `users/${at}.db`);
  const open = paths.map((path) => {
    mkdirSync(join(app.data, "users"), { recursive: true });
    const db = new Database(join(app.data, path));
    db.run("PRAGMA journal_mode = WAL");
    db.run("CREATE TABLE rows (text)");
    db.run("INSERT INTO rows VALUES (?)", [path]);
    return db;
  });
  await app.take(paths);
  for (const path of paths) {
    const copy = new Database(join(app.out, path));
    expect(copy.query("SELECT text FROM rows").get()).toEqual({ text: path });
    copy.close();
  }
  for (const db of open) db.close();
});

test("one whose log was not reached in the pause is taken by itself", async () => {
  const app = startApp({ fileMs: 90 });
  const paths = named(24, (at) => `${at}.db`);
  for (const path of paths) {
    app.put(path);
    app.put(`${path}-wal`, Buffer.from(path));
  }
  for (const files of await app.take(paths)) expect(files?.map(({ path }) => path)).toHaveLength(2);
  expect(app.notes()).toEqual([]);
  expect(readdirSync(app.scratch)).toEqual([]);
});

test("no pause is long for a folder that is read at once, whatever it has", async () => {
  const app = startApp({ fileMs: 20 });
  const paths = named(30, (at) => `z/${at}.db`);
  for (const path of paths) app.put(path);
  app.put("z/0-large.bin", Buffer.alloc(3_000_000));
  expect(await app.take(paths)).not.toContain(null);
  expect(app.seen.longest).toBeLessThan(seconds(3));
});

test.each([
  ["in one folder", (at: string) => `a/${at}.db`, "main.db"],
  ["at the top", (at: string) => `${at}.db`, "own/main.db"],
])(
  "a crowd %s that takes too long passes as it comes, which is said once, and leaves time to others",
  async (_, name, main) => {
    const app = startApp({ fileMs: 1000 });
    const crowd = named(400, name);
    for (const path of [...crowd, main]) app.put(path);
    const taken = await app.take([...crowd, main]);
    expect(app.clock.monotonic()).toBeLessThan(minutes(6));
    expect(taken.at(-1)).not.toBeNull();
    const count = taken.filter((files) => files === null).length;
    expect(count).toBeGreaterThan(100);
    const [first] = crowd.slice(taken.indexOf(null));
    expect(app.notes()).toEqual([
      `${first} and ${count - 1} more databases in data of wiki were copied while they were written: the app has too many databases to take each at one moment. Choose that the app is paused meanwhile.`,
    ]);
  },
);

test("databases for which the disk has no room are copied as they come, and leave nothing", async () => {
  const app = startApp({ free: 256 * 1024 * 1024 + 100 });
  app.put("a.db");
  app.put("b.db");
  expect(await app.take(["a.db"])).toEqual([null]);
  const why = "this server's disk has too little room to take it at one moment.";
  expect(app.notes()).toEqual([`a.db in data of wiki was copied while it was written: ${why}`]);
  expect(await app.take(["a.db", "b.db"])).toEqual([null, null]);
  expect(app.notes()).toEqual([
    `a.db and 1 more databases in data of wiki were copied while they were written: ${why}`,
  ]);
  expect(readdirSync(app.scratch)).toEqual([]);
});

test("one that was removed meanwhile is none", async () => {
  const app = startApp();
  app.put("a.db");
  rmSync(join(app.data, "a.db"));
  expect(await app.take(["a.db"])).toEqual([[]]);
});
