import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { closeStorageNode, openStorageNode, stopStorage } from "../../../../tests/kit/storage-node.ts";
import { days, hours } from "../../../lib/duration.ts";
import type { Role } from "../../access.ts";
import { CHUNK_BYTES, type DriveUploadState } from "./contract.ts";

let node: TestNode;
beforeEach(() => {
  node = openStorageNode();
});
afterEach(() => closeStorageNode(node));

const call = (route: string, body?: unknown, as: Role = "admin") => node.call(route, { as, body });
const sumOf = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
const stored = (): number => node.ctx.objectStore.findBucket("service-drive")?.object_count ?? 0;

/** Two whole chunks and a bit, each of other bytes. */
const FILE = new Uint8Array(2 * CHUNK_BYTES + 5).map((_, at) => (at * 31 + Math.floor(at / CHUNK_BYTES)) % 251);
const chunk = (number: number): Uint8Array<ArrayBuffer> => FILE.slice((number - 1) * CHUNK_BYTES, number * CHUNK_BYTES);

const begin = async (more: object = {}, as: Role = "admin") =>
  await call("POST /api/drive/upload/init", { name: "big", folder_id: null, size_bytes: FILE.length, ...more }, as);

async function send(id: string, number: number, bytes: Uint8Array<ArrayBuffer>, sha256?: string, as: Role = "admin") {
  const query = `number=${number}${sha256 === undefined ? "" : `&sha256=${sha256}`}`;
  const headers = { authorization: `Bearer ${await node.tokenOf(as)}`, host: "localhost" };
  const url = `http://localhost/api/drive/upload/${id}?${query}`;
  const response = await node.fetch(new Request(url, { method: "PUT", headers, body: bytes }));
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const finish = (id: string, as: Role = "admin") => call(`POST /api/drive/upload/${id}/finish`, undefined, as);

async function download(id: string): Promise<Uint8Array> {
  const { headers } = await call(`GET /api/drive/raw/${id}`);
  const request = new Request(`http://localhost${headers.get("location")}`, { headers: { host: "localhost" } });
  return new Uint8Array(await (await node.fetch(request)).arrayBuffer());
}

/** Ends the node and starts another on what it left. */
async function restart(): Promise<void> {
  await stopStorage(node);
  node = openStorageNode({}, node);
}

test("a file comes in chunks in any order, over a restart, and is what was sent", async () => {
  const { status, body } = await begin({ mark: "monday", sha256: sumOf(FILE) });
  expect([status, body.chunk_bytes, body.chunks, body.received]).toEqual([200, CHUNK_BYTES, 3, []]);
  expect((await send(body.upload_id, 3, chunk(3), sumOf(chunk(3)))).body).toEqual({
    number: 3,
    size_bytes: 5,
    sha256: sumOf(chunk(3)),
  });
  await send(body.upload_id, 1, chunk(1));
  expect((await finish(body.upload_id)).body).toMatchObject({
    code: "drive_upload_incomplete",
    params: { missing: 1, first: 2 },
  });
  await restart();
  // The same words find what is here.
  const again: DriveUploadState = (await begin({ mark: "monday", sha256: sumOf(FILE) })).body;
  expect([again.upload_id, again.received.map(({ number }) => number)]).toEqual([body.upload_id, [1, 3]]);
  const listed = (await call("GET /api/drive/uploads")).body.uploads;
  expect(listed).toMatchObject([{ upload_id: body.upload_id, received_bytes: CHUNK_BYTES + 5 }]);
  await send(body.upload_id, 2, chunk(2));
  const made = await finish(body.upload_id);
  expect(made.body).toMatchObject({ name: "big", size_bytes: FILE.length, sha256: sumOf(FILE) });
  expect(sumOf(await download(made.body.id))).toBe(sumOf(FILE));
  // Whoever has not heard of it asks again.
  expect((await finish(body.upload_id)).body.id).toBe(made.body.id);
  expect((await call("GET /api/drive/uploads")).body.uploads).toEqual([]);
});

test("chunks in their order need no second look, and one that is sent again with other bytes counts as it is now", async () => {
  const { upload_id } = (await begin()).body;
  await send(upload_id, 1, chunk(1).fill(7));
  await send(upload_id, 2, chunk(2));
  await send(upload_id, 1, chunk(1));
  await send(upload_id, 3, chunk(3));
  expect((await finish(upload_id)).body.sha256).toBe(sumOf(FILE));
});

test("a chunk that is damaged, of another size or of no file is refused and not kept", async () => {
  const { upload_id } = (await begin()).body;
  const damaged = await send(upload_id, 1, chunk(2), sumOf(chunk(1)));
  expect([damaged.status, damaged.body.code]).toEqual([400, "drive_checksum_mismatch"]);
  for (const [number, bytes] of [
    [1, chunk(3)],
    [3, chunk(1)],
    [4, chunk(1)],
  ] as const)
    expect((await send(upload_id, number, bytes)).body).toMatchObject({
      code: "drive_chunk_invalid",
      params: { chunks: 3 },
    });
  expect((await send("upl_none", 1, chunk(1))).body.code).toBe("drive_upload_not_found");
  expect((await call(`GET /api/drive/upload/${upload_id}`)).body.received).toEqual([]);
});

test("a whole that is not what was promised becomes no file", async () => {
  const { upload_id } = (await begin({ sha256: "0".repeat(64) })).body;
  for (const number of [1, 2, 3]) await send(upload_id, number, chunk(number));
  expect((await finish(upload_id)).body.code).toBe("drive_checksum_mismatch");
  expect([stored(), (await call("GET /api/drive/tree")).body.nodes]).toEqual([0, []]);
});

test("nobody sees, fills, ends or gives up the upload of another", async () => {
  const { upload_id } = (await begin()).body;
  expect((await send(upload_id, 1, chunk(1), undefined, "member")).body.code).toBe("drive_upload_not_found");
  for (const route of ["GET /api/drive/upload/ID", "POST /api/drive/upload/ID/finish", "DELETE /api/drive/upload/ID"])
    expect((await call(route.replace("ID", upload_id), undefined, "member")).body.code).toBe("drive_upload_not_found");
  expect((await begin({}, "member")).body.upload_id).not.toBe(upload_id);
  expect((await begin({}, "viewer")).status).toBe(403);
});

test("the same bytes are stored once, whichever way they came, and an empty file is a file", async () => {
  const first = (await begin({ name: "a" })).body.upload_id;
  const second = (await begin({ name: "b" })).body.upload_id;
  for (const id of [first, second]) for (const number of [1, 2, 3]) await send(id, number, chunk(number));
  const [one, other] = await Promise.all([finish(first), finish(second)]);
  expect([one.body.sha256, stored()]).toEqual([other.body.sha256, 1]);
  const empty = (await begin({ name: "empty", size_bytes: 0 })).body;
  expect(empty.chunks).toBe(0);
  expect((await finish(empty.upload_id)).body.size_bytes).toBe(0);
  await node.ctx.jobs.run("drive-purge");
  expect(node.ctx.objectStore.listUploads(bucketId(), { key: new Uint8Array(), id: "", limit: 9 })).toEqual([]);
});

const bucketId = (): string => node.ctx.objectStore.findBucket("service-drive")?.id ?? "";

test("two who end the same upload at once get one file", async () => {
  const { upload_id } = (await begin()).body;
  for (const number of [1, 2, 3]) await send(upload_id, number, chunk(number));
  const made = await Promise.all([finish(upload_id), finish(upload_id), finish(upload_id)]);
  expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
  expect((await call("GET /api/drive/tree")).body.nodes).toHaveLength(1);
});

test("a name that was taken meanwhile refuses the end, which can be tried again", async () => {
  const { upload_id } = (await begin()).body;
  for (const number of [1, 2, 3]) await send(upload_id, number, chunk(number));
  const taken = (await call("POST /api/drive/folders", { name: "big", parent_id: null })).body;
  expect((await finish(upload_id)).body.code).toBe("drive_name_taken");
  await call(`PATCH /api/drive/nodes/${taken.id}`, { name: "other" });
  expect((await finish(upload_id)).body.sha256).toBe(sumOf(FILE));
});

test("what was given up, forgotten or lost its folder leaves nothing behind", async () => {
  const folder = (await call("POST /api/drive/folders", { name: "f", parent_id: null })).body;
  const ended = (await begin({ name: "ended" })).body.upload_id;
  const inFolder = (await begin({ folder_id: folder.id })).body.upload_id;
  const forgotten = (await begin({ name: "forgotten" })).body.upload_id;
  for (const id of [ended, inFolder, forgotten]) await send(id, 3, chunk(3));
  expect((await call(`DELETE /api/drive/upload/${ended}`)).status).toBe(204);
  expect((await send(ended, 1, chunk(1))).body.code).toBe("drive_upload_not_found");
  await call(`DELETE /api/drive/nodes/${folder.id}`);
  await call(`DELETE /api/drive/trash/${folder.id}`);
  await node.ctx.jobs.run("drive-purge");
  const left = () => node.ctx.objectStore.listUploads(bucketId(), { key: new Uint8Array(), id: "", limit: 9 });
  expect(left().map(({ id }) => id)).toEqual([forgotten]);
  await node.clock.advance(days(3));
  await node.ctx.jobs.run("drive-purge");
  expect(left()).toEqual([]);
});

test("a chunk that comes while the file is made changes nothing of it, whatever it brings", async () => {
  const id = (await begin()).body.upload_id;
  // In another order, so that all is summed up at the end.
  for (const number of [3, 2, 1]) await send(id, number, chunk(number));
  const evil = chunk(1).fill(7);
  const { objectStore } = node.ctx;
  const read = spyOn(objectStore, "open");
  const late: Promise<{ status: number; body: { code?: string } }>[] = [];
  read.mockImplementation((...given) => {
    if (late.length === 0) late.push(send(id, 1, evil));
    read.mockRestore();
    return objectStore.open(...given);
  });
  const made = await finish(id);
  const [answer] = await Promise.all(late);
  expect([made.status, answer?.status, answer?.body.code]).toEqual([200, 409, "drive_upload_busy"]);
  expect(Buffer.from(await download(made.body.id)).equals(FILE)).toBe(true);
});

test("a chunk that took the place of another one in the last moment makes no file under the sum of the former", async () => {
  const id = (await begin()).body.upload_id;
  for (const number of [3, 2, 1]) await send(id, number, chunk(number));
  const { objectStore } = node.ctx;
  const changing = spyOn(objectStore, "change");
  changing.mockImplementation(async (operation) => {
    changing.mockRestore();
    const incoming = await objectStore.receive();
    await incoming.add(chunk(1).fill(7));
    const blob = await incoming.finish();
    await objectStore.change({ kind: "putPart", uploadId: id, number: 1, etag: "other", at: node.clock.now(), blob });
    return await objectStore.change(operation);
  });
  expect((await finish(id)).body.code).toBe("drive_upload_busy");
  // What counts now is what is here now.
  await send(id, 1, chunk(1));
  const made = await finish(id);
  expect(Buffer.from(await download(made.body.id)).equals(FILE)).toBe(true);
});

test("a chunk that was here already keeps an upload no longer", async () => {
  const id = (await begin()).body.upload_id;
  await send(id, 3, chunk(3));
  const { expires_at } = (await call(`GET /api/drive/upload/${id}`)).body;
  await node.clock.advance(hours(1));
  await send(id, 3, chunk(3));
  expect((await call(`GET /api/drive/upload/${id}`)).body.expires_at).toBe(expires_at);
  await send(id, 2, chunk(2));
  expect(Date.parse((await call(`GET /api/drive/upload/${id}`)).body.expires_at)).toBe(
    Date.parse(expires_at) + hours(1),
  );
});

test("a finish that was cut off after the bytes were made one goes on, and the sweep leaves them", async () => {
  const { upload_id } = (await begin()).body;
  for (const number of [1, 2, 3]) await send(upload_id, number, chunk(number));
  // As it is on disk when the program ends between the store and the file.
  const sha256 = sumOf(FILE);
  node.ctx.db.raw.query("UPDATE drive_uploads SET sha256 = ? WHERE id = ?").run(sha256, upload_id);
  node.ctx.db.raw.query("INSERT INTO drive_blobs (sha256) VALUES (?)").run(sha256);
  const parts = node.ctx.objectStore.listParts(upload_id).map(({ number, etag }) => ({ number, etag }));
  const object = { bucketId: bucketId(), key: Buffer.from(sha256), etag: sha256, facts: "{}", at: 0, when: {} };
  await node.ctx.objectStore.change({ kind: "completeUpload", uploadId: upload_id, parts, object });
  await restart();
  await node.ctx.jobs.run("drive-purge");
  const again: DriveUploadState = (await begin()).body;
  expect([again.upload_id, again.received_bytes]).toEqual([upload_id, FILE.length]);
  const made = await finish(upload_id);
  expect(sumOf(await download(made.body.id))).toBe(sha256);
});

test("uploads are limited in number and by the disk", async () => {
  expect((await begin({ size_bytes: 10_001 * CHUNK_BYTES })).body.code).toBe("invalid_request");
  await begin();
  const user = "(SELECT id FROM users LIMIT 1)";
  for (let at = 0; at < 99; at++)
    node.ctx.db.raw
      .query(
        `INSERT INTO drive_uploads (id, user_id, name, size_bytes, mark, touched_at) VALUES (?, ${user}, 'x', 1, '', 0)`,
      )
      .run(`upl_${at}`);
  expect((await begin({ name: "one more" })).body).toMatchObject({ code: "drive_uploads_limit" });
  expect((await begin()).status).toBe(200);
});

test("a folder that may exist is found, a file of that name is not taken for one", async () => {
  const made = (await call("POST /api/drive/folders", { name: "f", parent_id: null, may_exist: true })).body;
  const found = (await call("POST /api/drive/folders", { name: "f", parent_id: null, may_exist: true })).body;
  expect(found).toEqual(made);
  const { upload_id } = (await begin({ name: "file", size_bytes: 0 })).body;
  await finish(upload_id);
  const { body } = await call("POST /api/drive/folders", { name: "file", parent_id: null, may_exist: true });
  expect(body.code).toBe("drive_name_taken");
});

test("a hundred thousand parts, and names that lead elsewhere, are refused before anything is stored", async () => {
  expect((await begin({ size_bytes: 100_000 * CHUNK_BYTES })).status).toBe(400);
  for (const name of ["..", "../x", "a/b", "x\0y", ""])
    expect((await begin({ name })).body.code).toBe("invalid_request");
  const { upload_id } = (await begin()).body;
  expect((await send(upload_id, 10_001, chunk(3))).body.code).toBe("drive_chunk_invalid");
  expect((await send(upload_id, 100_000, chunk(3))).body.code).toBe("drive_chunk_invalid");
  expect(stored()).toBe(0);
});
