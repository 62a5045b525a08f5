import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { closeStorageNode, openStorageNode } from "../../../../tests/kit/storage-node.ts";

let node: TestNode;
beforeEach(() => {
  node = openStorageNode();
});
afterEach(() => closeStorageNode(node));

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const makeBucket = (name = "photos", more: object = {}) => call("POST /api/objects/buckets", { name, ...more });
const makeKey = (grants: unknown[], more: object = {}) =>
  call("POST /api/objects/access-keys", { name: "restic", grants, ...more });
const grant = (bucket: string) => ({ bucket, read: true, write: true, owner: false });

test("a bucket is made, listed and removed, and each is on record", async () => {
  expect((await call("GET /api/objects/buckets")).body).toEqual({ buckets: [] });
  const made = await makeBucket();
  expect([made.status, made.body]).toEqual([
    201,
    {
      name: "photos",
      created_at: "2026-01-01T00:00:00.000Z",
      size_bytes: 0,
      object_count: 0,
      visibility: "private",
      reserved: false,
    },
  ]);
  expect((await call("GET /api/objects/buckets")).body).toEqual({ buckets: [made.body] });
  expect((await makeBucket()).body.code).toBe("objstore_bucket_exists");
  expect((await call("DELETE /api/objects/buckets/photos")).status).toBe(204);
  expect((await call("DELETE /api/objects/buckets/photos")).body.code).toBe("objstore_bucket_not_found");
  await node.ctx.bus.idle();
  const names = node.events.map(({ name }) => name).filter((name) => name.startsWith("objects."));
  expect(names).toEqual(["objects.bucket_created", "objects.bucket_removed"]);
});

test("the Drive's bucket is neither made nor removed nor opened to keys", async () => {
  expect((await makeBucket("service-drive")).body.code).toBe("objstore_bucket_reserved");
  expect((await call("DELETE /api/objects/buckets/service-drive")).body.code).toBe("objstore_bucket_reserved");
  const refused = await makeKey([grant("service-drive")]);
  expect([refused.status, refused.body.code]).toEqual([409, "objstore_bucket_reserved"]);
  expect((await call("GET /api/objects/access-keys")).body).toEqual({ access_keys: [] });
});

test.each(["ab", "Photos", "-a-", "a_b", "a".repeat(64)])("%s is no name for a bucket", async (name) => {
  expect((await makeBucket(name)).body).toMatchObject({ code: "invalid_request", params: { field: "name" } });
});

test("the secret of a key is said once, sealed at rest, and its grants end with their bucket", async () => {
  await makeBucket();
  const made = await makeKey([grant("photos")]);
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    access_key: expect.stringMatching(/^OR[A-Z2-7]{18}$/),
    name: "restic",
    status: "active",
    grants: [grant("photos")],
    secret_key: expect.stringMatching(/^[\w-]{40}$/),
    secret_is_one_shot: true,
  });
  const { secret_key, secret_is_one_shot, ...shown } = made.body;
  expect(secret_is_one_shot).toBe(true);
  expect((await call("GET /api/objects/access-keys")).body).toEqual({ access_keys: [shown] });
  await node.ctx.bus.idle();
  const stored = node.ctx.db.raw.query("SELECT * FROM object_keys").all();
  const audit = (await call("GET /api/audit/logs")).body;
  expect(JSON.stringify([stored, node.events, audit])).not.toContain(secret_key);
  await call("DELETE /api/objects/buckets/photos");
  await makeBucket();
  expect((await call("GET /api/objects/access-keys")).body.access_keys[0].grants).toEqual([]);
  expect((await call(`DELETE /api/objects/access-keys/${made.body.access_key}`)).status).toBe(204);
  expect((await call(`DELETE /api/objects/access-keys/${made.body.access_key}`)).body.code).toBe(
    "objstore_key_not_found",
  );
});

test("a key that cannot be made leaves nothing behind", async () => {
  await makeBucket();
  const unknown = await makeKey([grant("photos"), grant("nothing")]);
  expect([unknown.status, unknown.body.code]).toEqual([404, "objstore_bucket_not_found"]);
  const policy = await makeKey([grant("photos")], { policy: { Statement: [] } });
  expect([policy.status, policy.body.code]).toEqual([400, "objstore_policy_unsupported"]);
  expect((await makeKey([], { policy: {} })).status).toBe(201);
  expect((await call("GET /api/objects/access-keys")).body.access_keys).toHaveLength(1);
});

test("while the component is off nothing of it answers, and what is stored stays", async () => {
  await makeBucket();
  await Bun.write(`${node.dataDir}/components.json`, JSON.stringify({ components: { objstore: false } }));
  for (const route of ["GET /api/objects/buckets", "GET /api/objects/endpoint", "GET /api/objects/access-keys"]) {
    const { status, body } = await call(route);
    expect([status, body.error, body.component]).toEqual([404, "component_not_installed", "objstore"]);
  }
  await Bun.write(`${node.dataDir}/components.json`, JSON.stringify({ components: { objstore: true } }));
  expect((await call("GET /api/objects/buckets")).body.buckets).toHaveLength(1);
});

test("people of every role see buckets; only admins change them or look inside", async () => {
  await makeBucket();
  expect((await node.call("GET /api/objects/buckets", { as: "viewer" })).status).toBe(200);
  for (const route of [
    "POST /api/objects/buckets",
    "DELETE /api/objects/buckets/photos",
    "POST /api/objects/access-keys",
    "GET /api/objects/buckets/photos/objects",
    "GET /api/objects/buckets/photos/content?key=a",
  ])
    expect((await node.call(route, { as: "member", body: route.startsWith("GET") ? undefined : {} })).status).toBe(403);
});

test("files are sent in parts, browsed by folders, fetched and removed", async () => {
  await makeBucket();
  const base = "/api/objects/buckets/photos";
  for (const key of ["a.txt", "trips/2026/ü.txt", "trips/b.txt"]) {
    const begun = await call(`POST ${base}/uploads`, { key, type: "text/html" });
    const bytes = { "content-type": "application/octet-stream" };
    const place = `${base}/uploads/${begun.body.upload_id}`;
    const part = await node.call(`PUT ${place}?number=1`, { as: "admin", body: `hello ${key}`, headers: bytes });
    const { etag } = part.body;
    expect((await call(`POST ${place}/finish`, { parts: [{ number: 1, etag }] })).body.key).toBe(key);
  }
  const top = (await call(`GET ${base}/objects`)).body;
  expect([top.folders, top.objects.map(({ key }: { key: string }) => key), top.next]).toEqual([
    ["trips/"],
    ["a.txt"],
    null,
  ]);
  expect((await call(`GET ${base}/objects?prefix=trips/`)).body.folders).toEqual(["trips/2026/"]);
  const key = encodeURIComponent("trips/2026/ü.txt");
  const file = await call(`GET ${base}/content?key=${key}`);
  expect([file.body, file.headers.get("content-type"), file.headers.get("content-disposition")]).toEqual([
    "hello trips/2026/ü.txt",
    "application/octet-stream",
    "attachment; filename*=UTF-8''%C3%BC.txt",
  ]);
  expect((await call(`DELETE ${base}`)).body.code).toBe("objstore_bucket_not_empty");
  expect((await call(`DELETE ${base}/content?key=${key}`)).status).toBe(204);
  expect((await call(`GET ${base}/content?key=${key}`)).body.code).toBe("objstore_object_not_found");
});

test("an upload that is given up leaves nothing, and an empty file is one", async () => {
  await makeBucket();
  const base = "/api/objects/buckets/photos";
  const begun = await call(`POST ${base}/uploads`, { key: "a", type: "" });
  expect((await call(`DELETE ${base}/uploads/${begun.body.upload_id}`)).status).toBe(204);
  expect((await call(`POST ${base}/uploads/${begun.body.upload_id}/finish`, { parts: [] })).body.code).toBe(
    "objstore_upload_not_found",
  );
  const empty = await call(`POST ${base}/uploads`, { key: "empty", type: "" });
  const done = await call(`POST ${base}/uploads/${empty.body.upload_id}/finish`, { parts: [] });
  expect([done.status, done.body.size_bytes]).toEqual([200, 0]);
  expect((await call("GET /api/objects/buckets")).body.buckets[0].object_count).toBe(1);
});
