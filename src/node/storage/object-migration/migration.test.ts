import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createMinioData,
  type MinioData,
  type MinioServer,
  serveMinio,
  writeMinioEnv,
} from "../../../../tests/kit/fake-minio.ts";
import { madeBytes } from "../../../../tests/kit/made-bytes.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { createSignedCalls } from "../../../../tests/kit/signed-calls.ts";
import { until } from "../../../../tests/kit/until.ts";
import { systemClock } from "../../../lib/clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";

const USER = "backup-admin";
const PASSWORD = "a-long-secret-of-minio";

let node: TestNode;
let data: MinioData;
let minio: MinioServer;

beforeEach(async () => {
  node = createTestNode({ s3_listen: "127.0.0.1:0" });
  data = createMinioData(join(node.dataDir, "minio", "data"));
  minio = await serveMinio(data.folder, { user: USER, password: PASSWORD });
  writeEnv(minio.port);
});
afterEach(async () => {
  await minio.close();
  await shut(node);
});

async function shut(which: TestNode): Promise<void> {
  await which.ctx.objectMigration.stop?.();
  await which.ctx.objects.stop();
  await which.ctx.objectStore.stop();
  which.close();
}

const writeEnv = (port: number, password = PASSWORD) => writeMinioEnv(node.dataDir, { user: USER, password }, port);

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const report = async () => (await call("GET /api/objects/migration")).body;
const block = async () => (await call("GET /api/components")).body.objstore;

/** Starts and waits until nothing goes on. */
async function migrate(): Promise<void> {
  node.ctx.objectMigration.start?.();
  await node.ctx.objectMigration.settled();
}

/** Lets time pass while it waits in that phase, and only then: an answer that is on its way must not be late. */
async function goOn(phase: string, step: number): Promise<void> {
  await until(async () => {
    const now = (await block()).phase;
    if (now === phase) await node.clock.advance(step);
    return now === "done";
  });
}

async function readHere(bucket: string, key: string): Promise<Buffer | null> {
  const { objectStore } = node.ctx;
  const id = objectStore.findBucket(bucket)?.id ?? "";
  const object = objectStore.findObject(id, new TextEncoder().encode(key));
  if (object === null) return null;
  const pieces: Uint8Array[] = [];
  for await (const piece of await objectStore.open(object, { start: 0, length: object.size })) pieces.push(piece);
  return Buffer.concat(pieces);
}

const ODD = ["a b+c.txt", 'é & ü/"quoted"', "deep/er/and/deeper", "100%"];

function fill(): void {
  data.makeBucket("photos");
  for (const key of ODD) data.put("photos", key, `this is ${key}`);
  data.put("photos", "empty", "");
  data.put("photos", "some.bin", madeBytes(1, 300_000));
  data.makeBucket("empty-one");
}

test("every object comes with its bytes, etag, moment, headers, notes and tags, and programs go on with their key", async () => {
  fill();
  data.put("photos", "page.html", "<p>hello", {
    headers: { "content-type": "text/html", "cache-control": "max-age=60", "x-amz-meta-camera": "Leica" },
    tags: { year: "2024" },
    modified: "Tue, 05 Mar 2024 06:07:08 GMT",
  });
  data.put("photos", "large.bin", madeBytes(2, 11 * 1024 * 1024), { isInParts: true });
  await migrate();
  expect(await block()).toEqual({
    phase: "done",
    copied: 8,
    total: 8,
    bytes: expect.any(Number),
    legacy_bytes: expect.any(Number),
  });
  for (const key of ODD) expect([key, String(await readHere("photos", key))]).toEqual([key, `this is ${key}`]);
  expect((await readHere("photos", "large.bin"))?.equals(madeBytes(2, 11 * 1024 * 1024))).toBe(true);
  await node.ctx.objects.settled();
  const { url } = (await call("GET /api/objects/endpoint")).body;
  const s3 = createSignedCalls(url, { access_key: USER, secret_key: PASSWORD }, node.clock.now);
  const { headers } = await s3("GET", "photos", { key: "page.html" });
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "text/html",
    "cache-control": "max-age=60",
    "x-amz-meta-camera": "Leica",
    "x-amz-tagging-count": "1",
    "last-modified": "Tue, 05 Mar 2024 06:07:08 GMT",
  });
  expect((await s3("HEAD", "photos", { key: "large.bin" })).headers.get("etag")).toMatch(/^"[0-9a-f]{32}-3"$/);
  expect((await s3("PUT", "photos", { key: "new", body: "x" })).status).toBe(200);
  expect((await call("GET /api/objects/buckets")).body.buckets.map((one: { name: string }) => one.name)).toEqual([
    "empty-one",
    "photos",
  ]);
  await node.ctx.bus.idle();
  expect(node.events.map(({ name }) => name)).toContain("object_migration.switched");
});

test("nothing is seen before all is here, and neither keys nor buckets of those names are made meanwhile", async () => {
  fill();
  minio.failing.set("photos/100%", 500);
  let seen: unknown[] = [];
  minio.before = async (_method, path) => {
    if (path !== "photos/100%" || seen.length > 0) return;
    const key = await call("POST /api/objects/access-keys", { name: "app", grants: [] });
    const bucket = await call("POST /api/objects/buckets", { name: "photos" });
    const other = await call("POST /api/objects/buckets", { name: "others" });
    const { buckets } = (await call("GET /api/objects/buckets")).body;
    seen = [key.body.code, bucket.body.code, other.status, buckets.length, (await block()).phase];
  };
  await migrate();
  expect(seen).toEqual(["objstore_migration_in_progress", "objstore_migration_in_progress", 201, 1, "copying"]);
});

test("an object that cannot be read is named and stops the switch; mended, or left out, it goes on", async () => {
  fill();
  data.put("photos", "rotten", "these bytes change");
  data.damage("photos", "rotten");
  data.put("photos", "torn", madeBytes(3, 100_000));
  minio.torn.add("photos/torn");
  minio.failing.set("photos/100%", 500);
  await migrate();
  expect(await report()).toMatchObject({
    migration: {
      phase: "failed",
      copied: 5,
      total: 8,
      error_code: "objstore_migration_objects_failed",
      error_params: { count: 3 },
    },
    problem_count: 3,
    problems: [
      { bucket: "photos", object: "100%", reason: expect.stringContaining("500 InternalError") },
      { bucket: "photos", object: "rotten", reason: expect.stringContaining("not those of its etag") },
      { bucket: "photos", object: "torn", reason: expect.stringContaining("ended before") },
    ],
    may: { retry: true, leave_out: true, give_up: true, purge: false },
  });
  minio.failing.clear();
  minio.torn.clear();
  data.remove("photos", "torn");
  await call("POST /api/objects/migration/retry", {});
  await node.ctx.objectMigration.settled();
  expect(await report()).toMatchObject({ migration: { phase: "failed" }, problems: [{ object: "rotten" }] });
  await call("POST /api/objects/migration/retry", { leave_out: true });
  await node.ctx.objectMigration.settled();
  expect(await report()).toMatchObject({ migration: { phase: "done", copied: 6, total: 7 }, problem_count: 1 });
  expect(await readHere("photos", "rotten")).toBeNull();
  expect(String(await readHere("photos", "100%"))).toBe("this is 100%");
});

test("what is written, changed and removed while objects are copied is the same here in the end", async () => {
  fill();
  data.put("photos", "goes", "soon gone");
  let turn = 0;
  minio.before = (method, path) => {
    if (method !== "GET" || path !== "photos/" || turn++ > 3) return;
    data.put("photos", `new-${turn}`, `stored in turn ${turn}`);
    data.put("photos", "100%", `changed in turn ${turn}`);
    if (turn === 4) data.remove("photos", "goes");
  };
  node.ctx.objectMigration.start?.();
  await goOn("catching_up", seconds(1));
  expect(String(await readHere("photos", "100%"))).toBe("changed in turn 4");
  expect(await readHere("photos", "goes")).toBeNull();
  expect(String(await readHere("photos", "new-4"))).toBe("stored in turn 4");
});

test("without room it waits and says how much is missing, then goes on by itself", async () => {
  fill();
  const { host } = node.ctx;
  const real = host.ownSpace;
  host.ownSpace = async () => ({ total: 10_000_000, free: 300_000, used: 0 }) as never;
  node.ctx.objectMigration.start?.();
  await until(async () => (await block())?.phase === "waiting_space");
  const { error_code, error_params } = await block();
  expect(error_code).toBe("objstore_not_enough_space");
  expect(error_params).toEqual({ needed: expect.any(Number), free: 100_000 });
  expect(error_params.needed).toBeGreaterThan(330_000);
  host.ownSpace = real;
  await goOn("waiting_space", minutes(1));
});

test.each([
  ["env", () => writeFileSync(join(node.dataDir, "minio", "minio.env"), "MINIO_VOLUMES=/data\n")],
  ["binary", () => writeEnv(1)],
] as const)("a store without its %s is told with what is missing", async (missing, breakIt) => {
  fill();
  breakIt();
  await migrate();
  const told = await block();
  expect(told).toMatchObject({ phase: "failed", error_code: "objstore_legacy_unavailable", error_params: { missing } });
  expect(told).not.toHaveProperty("drive_paused");
  writeEnv(minio.port);
  await node.ctx.jobs.run("object-migration");
  await node.ctx.objectMigration.settled();
  expect((await block()).phase).toBe("done");
});

test("its program is started on loopback where it does not run, and ended again", async () => {
  fill();
  writeEnv(1);
  const script = join(import.meta.dir, "../../../../tests/kit/fake-minio.ts");
  const program = `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`;
  writeFileSync(join(node.dataDir, "minio", "minio"), program, { mode: 0o755 });
  const real = createTestNode({ s3_listen: "127.0.0.1:0" }, { ...node, clock: systemClock } as never);
  real.ctx.objectMigration.start?.();
  await real.ctx.objectMigration.settled();
  const { migration } = (await real.call("GET /api/objects/migration", { as: "admin" })).body;
  expect(migration).toMatchObject({ phase: "done", copied: 6 });
  const row = node.ctx.db.raw.query<{ legacy_port: number }, []>("SELECT legacy_port FROM object_migration").get();
  expect(await fetch(`http://127.0.0.1:${row?.legacy_port}/`).catch(() => "nobody")).toBe("nobody");
  await real.ctx.objects.stop();
  await real.ctx.objectStore.stop();
}, 60_000);

test("a wrong password is said, and a bucket that both have is never mixed", async () => {
  fill();
  writeEnv(minio.port, "another-password");
  await migrate();
  expect(await block()).toMatchObject({
    error_code: "objstore_legacy_unavailable",
    error: expect.stringContaining("refuses the name and password"),
  });
  writeEnv(minio.port);
  await call("POST /api/objects/buckets", { name: "photos" });
  await call("POST /api/objects/migration/retry", {});
  await node.ctx.objectMigration.settled();
  expect(await block()).toMatchObject({
    phase: "failed",
    error_code: "objstore_migration_bucket_exists",
    error_params: { bucket: "photos" },
  });
});

test("given up, what was copied is gone and the other store untouched; begun again, it goes through", async () => {
  fill();
  minio.failing.set("photos/100%", 500);
  await migrate();
  expect(node.ctx.objectStore.listHidden()).toHaveLength(2);
  const given = await call("POST /api/objects/migration/give-up");
  expect(given.body.migration).toMatchObject({ phase: "failed", error_code: "objstore_migration_given_up" });
  await node.ctx.objectMigration.settled();
  expect([node.ctx.objectStore.listHidden(), node.ctx.objectStore.listBuckets()]).toEqual([[], []]);
  expect((await call("POST /api/objects/migration/give-up")).body.code).toBe("objstore_migration_phase");
  expect((await call("POST /api/objects/access-keys", { name: "app", grants: [] })).status).toBe(201);
  minio.failing.clear();
  await call("POST /api/objects/migration/retry", {});
  await node.ctx.objectMigration.settled();
  expect((await block()).phase).toBe("done");
  expect((await call("POST /api/objects/migration/give-up")).body.code).toBe("objstore_migration_phase");
});

test("what buckets do comes along as far as it is known here, and the rest is said", async () => {
  const everybody = { Effect: "Allow", Principal: { AWS: ["*"] } };
  const read = { ...everybody, Action: ["s3:GetObject"], Resource: ["arn:aws:s3:::open/*"] };
  const list = { ...everybody, Action: ["s3:ListBucket"], Resource: ["arn:aws:s3:::open"] };
  const rules =
    "<LifecycleConfiguration><Rule><ID>old</ID><Status>Enabled</Status><Filter><Prefix>tmp/</Prefix></Filter><Expiration><Days>7</Days></Expiration></Rule></LifecycleConfiguration>";
  const tags = "<Tagging><TagSet><Tag><Key>team</Key><Value>blue</Value></Tag></TagSet></Tagging>";
  data.makeBucket("open", { policy: JSON.stringify({ Statement: [read, list] }), lifecycle: rules, tagging: tags });
  const write = { ...everybody, Action: ["s3:PutObject"], Resource: ["arn:aws:s3:::drop/*"] };
  data.makeBucket("drop", {
    policy: JSON.stringify({ Statement: [write] }),
    versioning: "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>",
  });
  await migrate();
  const settings = (await call("GET /api/objects/buckets/open/settings")).body;
  expect(settings).toMatchObject({ visibility: "public", rules: [{ id: "old", prefix: "tmp/", after_days: 7 }] });
  expect((await call("GET /api/objects/buckets/drop/settings")).body).toMatchObject({ visibility: "private" });
  const [drop, open] = (await report()).buckets;
  expect(open.note).toBeNull();
  expect(node.ctx.objectStore.findBucket("open")?.tags).toBe('{"team":"blue"}');
  expect(drop.note).toMatch(/policy says more.*keeps versions/);
});

test("a key that everybody knows is not taken over", async () => {
  fill();
  await minio.close();
  minio = await serveMinio(data.folder, { user: USER, password: "minioadmin" });
  writeEnv(minio.port, "minioadmin");
  await migrate();
  expect((await block()).phase).toBe("done");
  expect((await call("GET /api/objects/access-keys")).body.access_keys).toEqual([]);
});

const PURGE = "POST /api/components/objstore/purge-minio";

/** Brings everything over and lets the time pass that programs have to find out that something is missing. */
async function bringAll(): Promise<void> {
  fill();
  await migrate();
  expect((await block()).phase).toBe("done");
  await node.clock.advance(minutes(6));
  const later = new Date(node.clock.now() - minutes(10));
  for (const path of new Bun.Glob("**/*").scanSync({ cwd: data.folder, dot: true }))
    utimesSync(join(data.folder, path), later, later);
}

test("the previous store is removed once everything is here and nobody uses it any more", async () => {
  fill();
  expect((await call(PURGE)).body.code).toBe("objstore_legacy_purge_unavailable");
  await migrate();
  expect((await call(PURGE)).body).toMatchObject({ code: "objstore_legacy_purge_too_soon", params: { minutes: 6 } });
  await node.clock.advance(minutes(5) + 1);
  expect((await call(PURGE)).body).toMatchObject({ code: "objstore_legacy_purge_too_soon", params: { minutes: 1 } });
  await node.clock.advance(minutes(1));
  // What the folder has is from this machine's clock, which is far after the one of the test.
  expect((await call(PURGE)).body).toMatchObject({
    code: "objstore_legacy_changed_after_switch",
    params: { count: 12 },
  });
});

test("a previous store that still runs, or whose objects are not all here, stays", async () => {
  await bringAll();
  expect((await call(PURGE)).body).toMatchObject({
    code: "objstore_legacy_purge_unavailable",
    params: { reason: expect.stringContaining("still runs") },
  });
  await minio.close();
  await call(`DELETE /api/objects/buckets/photos/content?key=${encodeURIComponent("100%")}`);
  const mismatch = await call(PURGE);
  expect([mismatch.status, mismatch.body]).toEqual([
    409,
    expect.objectContaining({ code: "objstore_store_data_mismatch", params: { bucket: "photos", moved: 6, now: 5 } }),
  ]);
  const { objectStore } = node.ctx;
  for (const { id } of objectStore.listBuckets()) {
    const keys = objectStore.listWhole(id, new Uint8Array(), 100).map(({ key }) => key);
    for (const key of keys) await objectStore.change({ kind: "remove", bucketId: id, key, when: {} });
    await objectStore.change({ kind: "removeBucket", id });
  }
  expect((await call(PURGE)).body.code).toBe("objstore_store_node_changed");
  expect(existsSync(join(data.folder, "photos"))).toBe(true);
});

test("the purge tells what it freed, takes the program in its own folder along, and is done once", async () => {
  await bringAll();
  await minio.close();
  writeFileSync(join(node.dataDir, "minio", "minio"), "program");
  const answer = await call(PURGE);
  expect([answer.status, answer.body]).toEqual([
    200,
    { freed_bytes: expect.any(Number), binary_removal_started: true },
  ]);
  expect(answer.body.freed_bytes).toBeGreaterThan(300_000);
  for (const gone of ["data", "minio", "minio.env"]) expect(existsSync(join(node.dataDir, "minio", gone))).toBe(false);
  expect(await block()).toMatchObject({ phase: "done", purged: true });
  expect((await call(PURGE)).body.code).toBe("objstore_legacy_purge_unavailable");
  expect(String(await readHere("photos", "100%"))).toBe("this is 100%");
});

test("a purge that was cut off is finished by the next start", async () => {
  await bringAll();
  await minio.close();
  node.ctx.db.raw.run("UPDATE object_migration SET purge = 'going', freed_bytes = 7");
  rmSync(join(data.folder, "photos"), { recursive: true });
  await node.ctx.objects.stop();
  await node.ctx.objectStore.stop();
  const next = createTestNode({ s3_listen: "127.0.0.1:0" }, node);
  next.ctx.objectMigration.start?.();
  await next.ctx.objectMigration.settled();
  expect(existsSync(data.folder)).toBe(false);
  const shown = (await next.call("GET /api/objects/migration", { as: "admin" })).body;
  expect(shown).toMatchObject({ migration: { purged: true }, freed_bytes: 7 });
  await next.ctx.objects.stop();
  await next.ctx.objectStore.stop();
});
