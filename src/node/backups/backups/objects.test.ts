import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { uploadTo } from "../../../../tests/kit/drive-node.ts";
import { madeBytes } from "../../../../tests/kit/made-bytes.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { until } from "../../../../tests/kit/until.ts";
import { startEngine } from "../engine/index.ts";
import { writeObjectsFolder } from "./objects-folder.ts";
import { insertObjectRestore, listObjectRestores } from "./store.ts";

const text = new TextEncoder();
const post = (node: TestNode, path: string, body?: unknown) => node.call(`POST ${path}`, { as: "admin", body });
const get = async (node: TestNode, path: string) => (await node.call(`GET ${path}`, { as: "admin" })).body;

async function untilDone(node: TestNode, opId: string): Promise<void> {
  const { status, error } = await until(() => {
    const operation = node.ctx.operations.get(opId);
    return operation.status === "running" ? null : operation;
  });
  expect([status, error]).toEqual(["done", null]);
}

async function addTarget(node: TestNode) {
  const path = makeScratch("target");
  const { body } = await post(node, "/api/backup/targets", { type: "local", name: "disk", path });
  return { target: String(body.id), path };
}

async function backUp(node: TestNode, target: string) {
  const { body } = await post(node, "/api/backups", { target, apps: [], include_config: true });
  await untilDone(node, body.op_id);
  return (await get(node, "/api/backups")).find(({ id }: { id: string }) => id === body.id);
}

async function put(node: TestNode, bucket: string, name: string, bytes: Uint8Array): Promise<void> {
  const { objectStore } = node.ctx;
  const bucketId = objectStore.findBucket(bucket)?.id ?? "";
  const incoming = await objectStore.receive();
  await incoming.add(bytes);
  const blob = await incoming.finish();
  const etag = new Bun.CryptoHasher("md5").update(bytes).digest("hex");
  const object = { bucketId, key: text.encode(name), etag, facts: '{"type":"x"}', at: 1, when: {} };
  expect((await objectStore.change({ kind: "put", blob, ...object })).refused).toBe(null);
}

/** All objects of a bucket, by name. */
async function readBucket(node: TestNode, bucket: string): Promise<Record<string, string>> {
  const { objectStore } = node.ctx;
  const bucketId = objectStore.findBucket(bucket)?.id ?? "";
  const all = { prefix: new Uint8Array(), delimiter: new Uint8Array(), after: new Uint8Array(), limit: 1000 };
  const found: Record<string, string> = {};
  for (const { key, etag } of (await objectStore.list(bucketId, all)).objects) {
    const object = objectStore.findObject(bucketId, key);
    const bytes = new Bun.CryptoHasher("md5");
    if (object)
      for await (const piece of await objectStore.open(object, { start: 0, length: object.size })) bytes.update(piece);
    expect(bytes.digest("hex")).toBe(etag);
    found[Buffer.from(key).toString()] = etag;
  }
  return found;
}

async function close(node: TestNode): Promise<void> {
  await node.ctx.objectStore.stop();
  node.close();
}

const RESTORE = { buckets: [], remove_later: false, drives: [], drives_over: false };

test("buckets come back as they were: what changed, what went, the bucket itself, and on request without what came later", async () => {
  const node = createTestNode();
  const { target } = await addTarget(node);
  const { id: early } = await backUp(node, target);
  expect(await get(node, `/api/backups/${early}/objects`)).toEqual({ buckets: [], drives: [] });
  for (const name of ["photos", "letters"]) await post(node, "/api/objects/buckets", { name });
  for (let at = 0; at < 40; at += 1) await put(node, "photos", `small/${at}`, madeBytes(at, 100 + at * 37));
  await put(node, "photos", "empty", new Uint8Array());
  for (let at = 0; at < 3; at += 1) await put(node, "photos", `large/${at}`, madeBytes(100 + at, 300_000 + at));
  await put(node, "letters", "one", madeBytes(7, 900_000));
  const photos = await readBucket(node, "photos");
  const letters = await readBucket(node, "letters");
  const backup = await backUp(node, target);
  expect([backup.include_objects, backup.notes]).toEqual([true, []]);
  expect(await get(node, `/api/backups/${backup.id}/objects`)).toEqual({
    buckets: [
      { name: "letters", object_count: 1, size_bytes: 900_000 },
      { name: "photos", object_count: 44, size_bytes: expect.any(Number) },
    ],
    drives: [],
  });

  await put(node, "photos", "small/3", madeBytes(1, 50));
  await put(node, "photos", "later", madeBytes(2, 50));
  const remove = async (bucket: string, name: string) => {
    const bucketId = node.ctx.objectStore.findBucket(bucket)?.id ?? "";
    await node.ctx.objectStore.change({ kind: "remove", bucketId, key: text.encode(name), when: {} });
  };
  for (const name of ["small/5", "large/1", "empty"]) await remove("photos", name);
  await remove("letters", "one");
  await node.call("DELETE /api/objects/buckets/letters", { as: "admin" });
  const path = `/api/backups/${backup.id}/objects/restore`;
  expect((await post(node, path, RESTORE)).body.code).toBe("backup_empty");
  expect((await post(node, path, { ...RESTORE, buckets: ["none"] })).body.code).toBe("backup_bucket_not_in");
  const without = { target, apps: [], include_config: true, include_objects: false };
  const { id: bare, op_id } = (await post(node, "/api/backups", without)).body;
  await untilDone(node, op_id);
  expect((await get(node, `/api/backups/${bare}/objects`)).code).toBe("backup_objects_not_in");
  const alone = { ...without, include_config: false, include_objects: true };
  expect((await post(node, "/api/backups", alone)).body.code).toBe("backup_objects_alone");
  const first = await post(node, path, { ...RESTORE, buckets: ["photos", "letters"] });
  await untilDone(node, first.body.op_id);
  expect(await readBucket(node, "photos")).toEqual({ ...photos, later: expect.any(String) });
  expect(await readBucket(node, "letters")).toEqual(letters);
  const exact = await post(node, path, { ...RESTORE, buckets: ["photos"], remove_later: true });
  await untilDone(node, exact.body.op_id);
  expect(await readBucket(node, "photos")).toEqual(photos);
  // What was there before is a backup, too.
  const [safety] = await get(node, "/api/backups");
  expect((await get(node, `/api/backups/${safety.id}/objects`)).buckets[1].object_count).toBe(45);
  expect(readdirSync(node.dataDir)).not.toContain("backup-scratch");
  await close(node);
}, 180_000);

test("a new backup does not read again what the one before has, and is whole all the same", async () => {
  const node = createTestNode();
  const { target } = await addTarget(node);
  await post(node, "/api/objects/buckets", { name: "photos" });
  for (let at = 0; at < 4; at += 1) await put(node, "photos", `large/${at}`, madeBytes(at, 1_500_000));
  await backUp(node, target);
  const before = await readBucket(node, "photos");
  // Whoever reads the files now finds something else.
  const blobs = join(node.dataDir, "objects", "blobs");
  for (const name of readdirSync(blobs, { recursive: true, encoding: "utf8" }))
    if (statSync(join(blobs, name)).isFile()) writeFileSync(join(blobs, name), madeBytes(99, 1_500_000));
  await put(node, "photos", "large/new", madeBytes(50, 400_000));
  const second = await backUp(node, target);
  expect(second.added_bytes).toBeLessThan(1_000_000);
  await untilDone(node, (await post(node, `/api/backups/${second.id}/verify`)).body.op_id);
  const restored = await post(node, `/api/backups/${second.id}/objects/restore`, { ...RESTORE, buckets: ["photos"] });
  await untilDone(node, restored.body.op_id);
  expect(await readBucket(node, "photos")).toEqual({ ...before, "large/new": expect.any(String) });
  await close(node);
});

test("a large object whose bytes are gone does not keep the rest from being backed up, and is told of", async () => {
  const node = createTestNode();
  const { target } = await addTarget(node);
  await post(node, "/api/objects/buckets", { name: "photos" });
  await put(node, "photos", "gone", madeBytes(1, 300_000));
  const blobs = join(node.dataDir, "objects", "blobs");
  for (const name of readdirSync(blobs, { recursive: true, encoding: "utf8" }))
    if (statSync(join(blobs, name)).isFile()) writeFileSync(join(blobs, name), "cut short");
  await put(node, "photos", "whole", madeBytes(2, 300_000));
  const backup = await backUp(node, target);
  expect([backup.status, backup.notes.length, backup.notes[0]]).toEqual([
    "completed",
    1,
    expect.stringContaining("one large object"),
  ]);
  await close(node);
});

test("a file, a folder or a whole Drive comes back beside what is there, or over it with versions; others' names stay theirs", async () => {
  const node = createTestNode();
  const { target } = await addTarget(node);
  const folder = (await post(node, "/api/drive/folders", { name: "papers", parent_id: null })).body.id;
  const contract = (await uploadTo(node, "contract.txt", text.encode("first"))).id ?? "";
  const moved = await node.call(`PATCH /api/drive/nodes/${contract}`, { as: "admin", body: { parent_id: folder } });
  expect(moved.status).toBe(200);
  const large = madeBytes(5, 700_000);
  await uploadTo(node, "film.bin", large);
  const backup = await backUp(node, target);
  const seen = await get(node, `/api/backups/${backup.id}/objects`);
  expect(seen.drives).toMatchObject([{ files: 2, size_bytes: 700_005, is_here: true }]);
  expect(seen.buckets).toEqual([]);
  const top = await get(node, `/api/backups/${backup.id}/drive`);
  expect(top.nodes.map(({ name }: { name: string }) => name)).toEqual(["papers", "film.bin"]);
  const inside = await get(node, `/api/backups/${backup.id}/drive?folder=${top.nodes[0].id}`);
  expect([inside.folder.name, inside.nodes[0].name]).toEqual(["papers", "contract.txt"]);

  // Gone for good, with its bytes.
  for (const { id } of top.nodes) {
    await node.call(`DELETE /api/drive/nodes/${id}`, { as: "admin" });
    await node.call(`DELETE /api/drive/trash/${id}`, { as: "admin" });
  }
  await node.ctx.jobs.run("drive-purge");
  const restore = async (body: object) => {
    const answer = await post(node, `/api/backups/${backup.id}/objects/restore`, { ...RESTORE, ...body });
    expect(answer.body.code).toBeUndefined();
    await untilDone(node, answer.body.op_id);
  };
  await restore({ drive_node: inside.nodes[0].id, drives_over: true });
  const list = async (id = "") => (await get(node, `/api/drive/tree${id && `?folder_id=${id}`}`)).nodes;
  const [papers, ...others] = await list();
  expect([papers.name, others.length]).toEqual(["papers", 0]);
  expect((await list(papers.id))[0]).toMatchObject({ name: "contract.txt", size_bytes: 5 });
  await restore({ drives: [seen.drives[0].user_id] });
  const [beside] = (await list()).filter(({ name }: { name: string }) => name.startsWith("Put back from "));
  const film = (await list(beside.id)).find(({ name }: { name: string }) => name === "film.bin");
  const answer = await node.call(`GET /api/drive/raw/${film.id}`, { as: "admin" });
  const content = new Request(`http://localhost${answer.headers.get("location")}`, {
    headers: { host: "localhost" },
  });
  expect(Buffer.from(await (await node.fetch(content)).arrayBuffer()).equals(large)).toBe(true);
  const stranger = await post(node, `/api/backups/${backup.id}/objects/restore`, { ...RESTORE, drives: ["usr_none"] });
  expect(stranger.body.code).toBe("backup_drive_not_in");
  await close(node);
});

test("while a backup reads, nothing that it may need goes; afterwards it does", async () => {
  const node = createTestNode();
  await post(node, "/api/objects/buckets", { name: "photos" });
  await put(node, "photos", "large", madeBytes(1, 300_000));
  const { objectStore } = node.ctx;
  const blobs = join(node.dataDir, "objects", "blobs");
  const count = () =>
    readdirSync(blobs, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(blobs, name)).isFile())
      .length;
  await objectStore.tidy();
  const unpin = await objectStore.pin();
  const bucketId = objectStore.findBucket("photos")?.id ?? "";
  await objectStore.change({ kind: "remove", bucketId, key: text.encode("large"), when: {} });
  await objectStore.tidy();
  expect([count(), objectStore.isPinned()]).toEqual([1, true]);
  unpin();
  await objectStore.tidy();
  expect([count(), objectStore.isPinned()]).toEqual([0, false]);
  await close(node);
});

test("the script brings the store out as a folder that a node can begin with", async () => {
  const node = createTestNode();
  const { target, path } = await addTarget(node);
  await post(node, "/api/objects/buckets", { name: "photos" });
  await put(node, "photos", "small", madeBytes(1, 300));
  await put(node, "photos", "large", madeBytes(2, 2_500_000));
  const { id } = await backUp(node, target);
  const { recovery_key } = await get(node, `/api/backup/targets/${target}/kit`);
  await close(node);
  const script = join(import.meta.dir, "../../../../docs/restore.py");
  const canRun = Bun.spawnSync(["python3", "-c", "import cryptography"]).success && Bun.which("zstd") !== null;
  if (!canRun) return;
  const out = join(makeScratch("out"), "all");
  const { exitCode, stderr } = Bun.spawnSync(["python3", script, path, id, out], {
    env: { PATH: process.env["PATH"] ?? "", ORRERY_BACKUP_KEY: recovery_key },
  });
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  const objects = join(out, "node", "objects");
  expect(existsSync(join(objects, "catalogue.db"))).toBe(true);
  expect(readFileSync(join(objects, "segments", "1.seg")).includes(madeBytes(1, 300))).toBe(true);
  const [folder = ""] = readdirSync(join(objects, "blobs"));
  const [blob = ""] = readdirSync(join(objects, "blobs", folder));
  expect(blob.endsWith(folder)).toBe(true);
  expect(readFileSync(join(objects, "blobs", folder, blob)).equals(Buffer.from(madeBytes(2, 2_500_000)))).toBe(true);
});

test("a new node begins with the store of a backup, and has every object of it", async () => {
  const node = createTestNode();
  const { target, path } = await addTarget(node);
  await post(node, "/api/objects/buckets", { name: "photos" });
  for (let at = 0; at < 5; at += 1) await put(node, "photos", `small/${at}`, madeBytes(at, 500));
  for (let at = 0; at < 3; at += 1) await put(node, "photos", `large/${at}`, madeBytes(20 + at, 1_800_000));
  const before = await readBucket(node, "photos");
  const { id } = await backUp(node, target);
  const { recovery_key } = await get(node, `/api/backup/targets/${target}/kit`);
  await close(node);
  const next = createTestNode();
  const session = startEngine();
  await session.open({ type: "local", path }, await session.unlock({ type: "local", path }, recovery_key), null, "now");
  const { parts } = await session.snapshot(id);
  await writeObjectsFolder(session, parts, next.dataDir);
  session.end();
  expect(await readBucket(next, "photos")).toEqual(before);
  // It can be written to as well, and tidied, without losing any of that.
  await put(next, "photos", "later", madeBytes(9, 200_000));
  await next.ctx.objectStore.tidy();
  expect(await readBucket(next, "photos")).toEqual({ ...before, later: expect.any(String) });
  await close(next);
});

test("buckets that were being put back when their target went away wait for it, say so, and go on", async () => {
  const node = createTestNode();
  const { target, path } = await addTarget(node);
  await post(node, "/api/objects/buckets", { name: "photos" });
  for (let at = 0; at < 3; at += 1) await put(node, "photos", `p${at}`, madeBytes(at, 300_000));
  const photos = await readBucket(node, "photos");
  const backup = await backUp(node, target);
  for (let at = 0; at < 3; at += 1) await put(node, "photos", `p${at}`, madeBytes(9, 100));
  // What a program leaves that was killed in the middle of it.
  const wish = JSON.stringify({ ...RESTORE, buckets: ["photos"] });
  const steps = [{ step: "buckets", title: "Buckets" }];
  const by = { user_id: "usr_admin", ip: "127.0.0.1" };
  const begin = () =>
    node.ctx.operations.begin({ kind: "backup.restore_objects", subject_id: backup.id, title: "x", steps, by });
  const op = begin();
  const left = { op_id: op.id, backup_id: backup.id, ...by, wish };
  node.ctx.db.tx(() => insertObjectRestore(node.ctx.db, left));
  renameSync(path, `${path}.away`);
  await node.ctx.jobs.run("backups.go_on");
  const { error } = await until(() => {
    const now = node.ctx.operations.get(op.id);
    return now.status === "failed" && now;
  });
  expect(error).toMatchObject({
    code: expect.stringMatching(/^backup_target_/),
    next_step: expect.stringContaining("by itself"),
  });
  expect(error?.message).toContain("What came back so far is whole.");
  renameSync(`${path}.away`, path);
  const isLeft = () => listObjectRestores(node.ctx.db).length > 0;
  await node.ctx.jobs.run("backups.go_on");
  expect(isLeft()).toBe(true);
  await node.clock.advance(600_001);
  await node.ctx.jobs.run("backups.go_on");
  await until(() => !isLeft());
  expect(await readBucket(node, "photos")).toEqual(photos);
  await close(node);
});

test("an encrypted store comes back from its backup, also on a node with another key", async () => {
  const node = createTestNode();
  // The key that nodes of tests have.
  writeFileSync(join(node.dataDir, "node.key"), `${Buffer.alloc(32, 7).toString("base64")}\n`);
  const { target, path } = await addTarget(node);
  await post(node, "/api/objects/buckets", { name: "photos" });
  await put(node, "photos", "small", madeBytes(1, 900));
  await put(node, "photos", "large", madeBytes(2, 400_000));
  await backUp(node, target);
  expect((await node.call("PUT /api/objects/encryption", { as: "admin", body: { on: true } })).status).toBe(200);
  await node.ctx.objectStore.tidy();
  const before = await readBucket(node, "photos");
  const backup = await backUp(node, target);
  expect(backup.notes).toEqual([]);
  for (const name of ["small", "large"]) await put(node, "photos", name, madeBytes(9, 10));
  const put_back = { ...RESTORE, buckets: ["photos"] };
  await untilDone(node, (await post(node, `/api/backups/${backup.id}/objects/restore`, put_back)).body.op_id);
  expect(await readBucket(node, "photos")).toEqual(before);
  const { recovery_key } = await get(node, `/api/backup/targets/${target}/kit`);
  await close(node);

  const other = createTestNode({}, undefined, { sealKey: new Uint8Array(32).fill(3) });
  const found = await post(other, "/api/backup/targets", { type: "local", name: "d", path, recovery_key });
  expect(found.status).toBe(200);
  await untilDone(other, (await post(other, `/api/backups/${backup.id}/objects/restore`, put_back)).body.op_id);
  expect(await readBucket(other, "photos")).toEqual(before);
  await close(other);
});
