/** Buckets and Drives in backups by somebody who has the key and means harm. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { until } from "../../../../tests/kit/until.ts";
import type { CatalogueCopy } from "../../storage/object-store/index.ts";
import { type EngineSession, startEngine } from "../engine/index.ts";
import { takeLease } from "../engine/lease.ts";
import { openLocalFolder } from "../engine/local-folder.ts";
import { createRepository, openRepository } from "../engine/repository.ts";
import { type Snapshot, type SnapshotPart, writeSnapshot, writeStream } from "../engine/snapshot.ts";
import { writeObjectsFolder } from "./objects-folder.ts";
import { openObjectsReader } from "./objects-reader.ts";
import { listObjectRestores } from "./store.ts";

const KIT = "AAAA-BBBB";
const VIEW =
  "CREATE VIEW buckets AS WITH RECURSIVE c (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c) SELECT * FROM c WHERE id < 0";
const OUT = "../../../stolen";

function database(...statements: string[]): Uint8Array {
  const path = join(makeScratch("made"), "a.db");
  const db = new Database(path, { create: true });
  for (const statement of statements) db.run(statement);
  db.close();
  return readFileSync(path);
}

/** A catalogue as a node has it that stores nothing but a bucket. */
async function emptyCatalogue(node: TestNode): Promise<string> {
  await node.call("POST /api/objects/buckets", { as: "admin", body: { name: "empty" } });
  const path = join(makeScratch("catalogue"), "a.db");
  new Database(join(node.dataDir, "objects", "catalogue.db")).run("VACUUM INTO ?", [path]);
  return path;
}

interface Written {
  kind: SnapshotPart["kind"];
  name: string;
  bytes: Uint8Array;
  more?: Partial<SnapshotPart>;
}

/** A place with one backup, `bak_1`, that has these parts. */
async function placeWith(written: readonly Written[]) {
  const path = makeScratch("target");
  const target = openLocalFolder(path);
  const key = await createRepository(target, KIT, null);
  const lease = await takeLease(target, "tests", () => 0);
  const repository = await openRepository(target, key, lease);
  const parts: SnapshotPart[] = [];
  for (const { kind, name, bytes, more } of written) {
    const stream = writeStream(repository);
    await stream.write(bytes);
    parts.push({ kind, app: null, name, ...(await stream.end()).stream, ...more });
  }
  const write = (more: Partial<Snapshot>) =>
    writeSnapshot(target, repository, lease, {
      version: 1,
      id: "bak_1",
      created_at: "2026-01-01T03:04:05.000Z",
      node: { name: "atlas", version: "1" },
      apps: [],
      parts,
      ...more,
    });
  await write({});
  return { path, key, parts, write };
}

/** What restoring that folder says, and what lies around it then. */
async function restored(written: readonly Written[]): Promise<{ said: string; around: string[]; inside: string[] }> {
  const { path, key, parts } = await placeWith(written);
  const around = makeScratch("around");
  const engine = startEngine();
  try {
    await engine.open({ type: "local", path }, Buffer.from(key).toString("hex"), null, "now");
    const said = await writeObjectsFolder(engine, parts, join(around, "data")).then(
      () => "done",
      (error: unknown) => String(error),
    );
    const inside = existsSync(join(around, "data")) ? readdirSync(join(around, "data")) : [];
    return { said, around: readdirSync(around).filter((name) => name !== "data"), inside };
  } finally {
    engine.end();
  }
}

test("a part whose name leads out of the folder is not written, and nothing else of that backup is", async () => {
  const empty = {
    kind: "database" as const,
    name: "objects/catalogue.db",
    bytes: database("CREATE TABLE blobs (id TEXT)"),
  };
  for (const name of [
    "objects/../../stolen",
    "objects/segments/../../../stolen",
    "objects/segments/1.seg/../../../../stolen",
  ]) {
    const found = await restored([empty, { kind: "file", name, bytes: Buffer.from("evil") }]);
    expect(found).toEqual({ said: expect.stringContaining("none of buckets and Drives"), around: [], inside: [] });
  }
});

test("an object whose id leads out of the folder is not written", async () => {
  const bytes = Buffer.from("evil");
  const blobs = "CREATE TABLE blobs (id TEXT, segment INTEGER, position INTEGER, size INTEGER, sealed INTEGER)";
  const files = "CREATE TABLE stream_files (id TEXT PRIMARY KEY, size INTEGER, first INTEGER, chunks INTEGER)";
  const found = await restored([
    {
      kind: "database",
      name: "objects/catalogue.db",
      bytes: database(blobs, `INSERT INTO blobs VALUES ('${OUT}', NULL, 0, 4, 0)`),
    },
    {
      kind: "database",
      name: "objects/blobs.db",
      bytes: database(files, `INSERT INTO stream_files VALUES ('${OUT}', 4, 0, 1)`),
    },
    { kind: "blobs", name: "objects/blobs", bytes, more: { sum: "ids" } },
  ]);
  expect(found).toMatchObject({ said: expect.stringContaining("no name of one"), around: [] });
});

const CATALOGUES: [name: string, catalogue: Omit<Written, "kind" | "name">][] = [
  ["a view that never ends", { bytes: database(VIEW) }],
  ["no database", { bytes: Buffer.from("nothing of the kind") }],
  ["more than the disk has", { bytes: database(VIEW), more: { size: 2 ** 50 } }],
];
test.each(CATALOGUES)("a catalogue that is %s is told of when somebody looks into it", async (_, catalogue) => {
  const { path } = await placeWith([
    { kind: "database", name: "objects/catalogue.db", ...catalogue },
    { kind: "database", name: "main.db", bytes: database("CREATE TABLE users (id TEXT)") },
  ]);
  const node = createTestNode();
  const body = { type: "local", name: "disk", path, recovery_key: KIT };
  expect((await node.call("POST /api/backup/targets", { as: "admin", body })).status).toBe(200);
  const answer = await node.call("GET /api/backups/bak_1/objects", { as: "admin" });
  expect(answer.body.code).toBe("backup_objects_unreadable");
  expect(readdirSync(node.dataDir)).not.toContain("backup-look");
  await node.close();
});

test("a Drive with folders that lie in themselves does not come back, and keeps nobody waiting", async () => {
  const node = createTestNode();
  const { id: userId } = (await node.call("GET /api/auth/me", { as: "admin" })).body;
  const catalogue = readFileSync(await emptyCatalogue(node));
  const { path } = await placeWith([
    { kind: "database", name: "objects/catalogue.db", bytes: catalogue },
    { kind: "database", name: "objects/blobs.db", bytes: database("CREATE TABLE stream_files (id TEXT)") },
    { kind: "blobs", name: "objects/blobs", bytes: Buffer.alloc(0), more: { sum: "ids" } },
    {
      kind: "database",
      name: "main.db",
      bytes: database(
        "CREATE TABLE users (id TEXT, username TEXT)",
        `INSERT INTO users VALUES ('${userId}', 'admin')`,
        "CREATE TABLE drive_nodes (id, user_id, parent_id, is_file, name, sha256, size_bytes, trashed_at)",
        `INSERT INTO drive_nodes VALUES ('a', '${userId}', NULL, 0, 'top', NULL, 0, NULL)`,
        ...["x", "y", "z"].map(
          (name) => `INSERT INTO drive_nodes VALUES ('a', '${userId}', 'a', 0, '${name}', NULL, 0, NULL)`,
        ),
      ),
    },
  ]);
  const target = { type: "local", name: "disk", path, recovery_key: KIT };
  expect((await node.call("POST /api/backup/targets", { as: "admin", body: target })).status).toBe(200);
  const body = { buckets: [], remove_later: false, drives: [userId], drives_over: false };
  const { op_id } = (await node.call("POST /api/backups/bak_1/objects/restore", { as: "admin", body })).body;
  const { error } = await until(() => {
    const operation = node.ctx.operations.get(op_id);
    return operation.status === "running" ? null : operation;
  });
  expect(error?.message).toContain("a folder twice");
  expect((await node.call("GET /api/drive/tree", { as: "admin" })).body.nodes).toEqual([]);
  // It is not begun again with the next start either.
  expect(listObjectRestores(node.ctx.db)).toEqual([]);
  await node.close();
});

test("backups at a target that say too much of themselves are left out, the older ones first; sizes that no disk has are cut", async () => {
  const main = { kind: "database" as const, name: "main.db", bytes: database("CREATE TABLE users (id TEXT)") };
  const { path, parts, write } = await placeWith([main]);
  const app = (id: string) => ({ id, name: "", template: "", version: "", images: {} });
  const apps = Array.from({ length: 10_000 }, (_, at) => app(`${at}`.padEnd(300, "x")));
  const huge = Array.from({ length: 3 }, () =>
    parts.map((part) => ({ ...part, size: Number.MAX_SAFE_INTEGER })),
  ).flat();
  for (const id of ["bak_2", "bak_3"]) await write({ id, apps });
  await write({ id: "bak_4", parts: huge });
  const node = createTestNode();
  const body = { type: "local", name: "disk", path, recovery_key: KIT };
  expect((await node.call("POST /api/backup/targets", { as: "admin", body })).status).toBe(200);
  const { body: listed } = await node.call("GET /api/backups", { as: "admin" });
  const found = listed.map(({ id, size_bytes }: { id: string; size_bytes: number }) => [id, size_bytes]);
  expect(found.toSorted()).toEqual([
    ["bak_3", parts[0]?.size],
    ["bak_4", Number.MAX_SAFE_INTEGER],
  ]);
  await node.close();
});

test("a key of a node that is longer than any is not read", async () => {
  const part = (kind: SnapshotPart["kind"], name: string, size: number): SnapshotPart => ({
    ...{ kind, app: null, name, size },
    sha256: "0".repeat(64),
    list: [],
  });
  const parts = (key: number) => [
    part("database", "objects/blobs.db", 1),
    part("blobs", "objects/blobs", 1),
    part("file", "node.key", key),
  ];
  const readOf: string[] = [];
  const engine = {
    // biome-ignore lint/correctness/useYield: nothing comes of it
    async *read({ name }: SnapshotPart): AsyncGenerator<Uint8Array> {
      readOf.push(name);
      throw new Error("it was read");
    },
  };
  const open = (key: number) =>
    openObjectsReader(engine as unknown as EngineSession, parts(key), {} as CatalogueCopy, "").catch(String);
  expect(await open(4096)).toContain("it was read");
  expect(await open(4097)).toContain("are not in this backup");
  expect(readOf).toEqual(["node.key"]);
});
