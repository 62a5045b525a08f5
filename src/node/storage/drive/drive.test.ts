import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { closeStorageNode, openStorageNode } from "../../../../tests/kit/storage-node.ts";
import { days, minutes } from "../../../lib/duration.ts";
import type { Role } from "../../access.ts";
import type { DriveNode } from "./contract.ts";

let node: TestNode;
beforeEach(() => {
  node = openStorageNode();
});
afterEach(() => closeStorageNode(node));

const call = (route: string, body?: unknown, as: Role = "admin") => node.call(route, { as, body });
const makeFolder = async (name: string, parent_id: string | null = null): Promise<DriveNode> =>
  (await call("POST /api/drive/folders", { name, parent_id })).body;
const namesIn = async (folder = "", as: Role = "admin"): Promise<string[]> =>
  (await call(`GET /api/drive/tree${folder && `?folder_id=${folder}`}`, undefined, as)).body.nodes.map(
    ({ name }: DriveNode) => name,
  );

async function upload(name: string, text: string | Uint8Array<ArrayBuffer>, folder = "", as: Role = "admin") {
  const body = new FormData();
  body.set("file", new File([text], name));
  const url = `http://localhost/api/drive/upload${folder && `?folder_id=${folder}`}`;
  const headers = { authorization: `Bearer ${await node.tokenOf(as)}`, host: "localhost" };
  const response = await node.fetch(new Request(url, { method: "POST", headers, body }));
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function download(id: string, as: Role = "admin") {
  const { status, headers } = await call(`GET /api/drive/raw/${id}`, undefined, as);
  if (status !== 302) return { status, headers, text: "" };
  const response = await node.fetch(
    new Request(`http://localhost${headers.get("location")}`, { headers: { host: "localhost" } }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const stored = (): number => node.ctx.objectStore.findBucket("service-drive")?.object_count ?? 0;

test("a file in a folder is listed with its sum and comes back as it went in, never as a page", async () => {
  const folder = await makeFolder("Photos & more");
  const { status, body } = await upload("é'(1).html", "<script>", folder.id);
  expect(status).toBe(200);
  expect(body).toMatchObject({ kind: "file", name: "é'(1).html", parent_id: folder.id, size_bytes: 8 });
  expect(body.sha256).toBe(new Bun.CryptoHasher("sha256").update("<script>").digest("hex"));
  const tree = (await call(`GET /api/drive/tree?folder_id=${folder.id}`)).body;
  expect(tree).toEqual({ path: [{ id: folder.id, name: folder.name }], nodes: [body], next: null });
  const { headers, text } = await download(body.id);
  expect(text).toBe("<script>");
  expect(headers.get("content-type")).toBe("application/octet-stream");
  expect(headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''%C3%A9%27%281%29.html");
});

test("a download goes on where it broke off, as long as the content is the same", async () => {
  const { body: file } = await upload("a", "0123456789");
  const address = (await call(`GET /api/drive/raw/${file.id}`)).headers.get("location") ?? "";
  const read = async (headers: Record<string, string>) => {
    const request = new Request(`http://localhost${address}`, { headers: { host: "localhost", ...headers } });
    const answer = await node.fetch(request);
    const { status, headers: said } = answer;
    return { status, text: await answer.text(), range: said.get("content-range"), etag: said.get("etag") };
  };
  const etag = `"${file.sha256}"`;
  expect(await read({})).toEqual({ status: 200, text: "0123456789", range: null, etag });
  expect(await read({ range: "bytes=4-" })).toEqual({ status: 206, text: "456789", range: "bytes 4-9/10", etag });
  expect(await read({ range: "bytes=-1", "if-range": etag })).toMatchObject({ status: 206, text: "9" });
  expect(await read({ range: "bytes=2-3,5-6" })).toMatchObject({ status: 200, text: "0123456789" });
  const outside = await read({ range: "bytes=10-" });
  expect([outside.status, outside.range]).toEqual([416, "bytes */10"]);
  expect(JSON.parse(outside.text).code).toBe("drive_range_outside");

  const body = new FormData();
  body.set("file", new File(["abcdefghij"], "a"));
  const headers = { authorization: `Bearer ${await node.tokenOf("admin")}`, host: "localhost" };
  await node.fetch(new Request("http://localhost/api/drive/upload?replace=true", { method: "POST", headers, body }));
  const other = await read({ range: "bytes=4-", "if-range": etag });
  expect(other).toMatchObject({ status: 200, text: "abcdefghij", range: null });
});

test("an empty file is a file too", async () => {
  const { body } = await upload("empty", "");
  expect(await download(body.id)).toMatchObject({ status: 200, text: "" });
});

test("nobody sees, changes or puts anything into the Drive of another, and viewers change nothing", async () => {
  const folder = await makeFolder("mine");
  const { body: file } = await upload("a", "secret", folder.id);
  expect(await namesIn("", "member")).toEqual([]);
  const tries: [string, unknown?][] = [
    [`GET /api/drive/tree?folder_id=${folder.id}`],
    [`GET /api/drive/raw/${file.id}`],
    [`PATCH /api/drive/nodes/${file.id}`, { name: "b" }],
    [`DELETE /api/drive/nodes/${folder.id}`],
    ["POST /api/drive/folders", { name: "x", parent_id: folder.id }],
  ];
  for (const [route, body] of tries) expect((await call(route, body, "member")).body.code).toBe("drive_not_found");
  expect((await upload("b", "x", folder.id, "member")).body.code).toBe("drive_not_found");
  await call(`DELETE /api/drive/nodes/${file.id}`);
  expect((await call(`POST /api/drive/trash/${file.id}/restore`, undefined, "member")).status).toBe(404);
  expect((await call(`DELETE /api/drive/trash/${file.id}`, undefined, "member")).status).toBe(404);
  expect((await upload("b", "x", "", "viewer")).status).toBe(403);
});

test("an address to download from ends after minutes, with the file, and with any change to it", async () => {
  const { body: file } = await upload("a", "x");
  const address = (await call(`GET /api/drive/raw/${file.id}`)).headers.get("location") ?? "";
  expect((await node.call(`GET ${address}`)).status).toBe(200);
  expect((await node.call(`GET ${address.slice(0, -2)}AA`)).body.code).toBe("drive_link_expired");
  expect((await node.call("GET /api/drive/content/v1.x")).body.code).toBe("drive_link_expired");
  await call(`DELETE /api/drive/nodes/${file.id}`);
  expect((await node.call(`GET ${address}`)).body.code).toBe("drive_not_found");
  await call(`POST /api/drive/trash/${file.id}/restore`);
  await node.clock.advance(minutes(5));
  expect((await node.call(`GET ${address}`)).body.code).toBe("drive_link_expired");
});

test("a name is there once in a folder, and none leads anywhere", async () => {
  const { body: file } = await upload("a", "1");
  expect((await upload("a", "2")).body.code).toBe("drive_name_taken");
  expect((await call("POST /api/drive/folders", { name: "a", parent_id: null })).body.code).toBe("drive_name_taken");
  const folder = await makeFolder("f");
  expect((await upload("a", "2", folder.id)).status).toBe(200);
  expect((await call(`PATCH /api/drive/nodes/${folder.id}`, { name: "a" })).body.code).toBe("drive_name_taken");
  expect((await call(`PATCH /api/drive/nodes/${file.id}`, { name: "b" })).body.name).toBe("b");
  for (const name of [".", "..", "a/b", "", "a\nb"]) {
    const { body } = await call("POST /api/drive/folders", { name, parent_id: null });
    expect(body).toMatchObject({ code: "invalid_request", params: { field: "name" } });
  }
  expect(await namesIn()).toEqual(["f", "b"]);
});

test("the same bytes are stored once, and are gone with the last file that has them", async () => {
  const first = (await upload("a", "same")).body;
  const second = (await upload("b", "same", "", "member")).body;
  expect([first.sha256, stored()]).toEqual([second.sha256, 1]);
  await call(`DELETE /api/drive/nodes/${first.id}`);
  await call(`DELETE /api/drive/trash/${first.id}`);
  await node.ctx.jobs.run("drive-purge");
  expect((await download(second.id, "member")).text).toBe("same");
  await call(`DELETE /api/drive/nodes/${second.id}`, undefined, "member");
  await call(`DELETE /api/drive/trash/${second.id}`, undefined, "member");
  await node.ctx.jobs.run("drive-purge");
  expect(stored()).toBe(0);
  expect((await download((await upload("a", "same")).body.id)).text).toBe("same");
});

test("many who send the same bytes while the unused ones are removed all find them again", async () => {
  for (let round = 0; round < 5; round++) {
    const gone = (await upload("gone", `bytes ${round}`)).body;
    await call(`DELETE /api/drive/nodes/${gone.id}`);
    await call(`DELETE /api/drive/trash/${gone.id}`);
    const [, ...sent] = await Promise.all([
      node.ctx.jobs.run("drive-purge"),
      ...["a", "b", "c"].map((name) => upload(`${name}${round}`, `bytes ${round}`)),
    ]);
    for (const { body } of sent) expect((await download(body.id)).text).toBe(`bytes ${round}`);
  }
});

test("a folder goes to the trash with what is in it, comes back whole, and is gone after 30 days", async () => {
  const folder = await makeFolder("f");
  const inner = await makeFolder("inner", folder.id);
  const { body: file } = await upload("a", "1", inner.id);
  await call(`DELETE /api/drive/nodes/${folder.id}`);
  expect(await namesIn()).toEqual([]);
  expect((await call(`GET /api/drive/raw/${file.id}`)).body.code).toBe("drive_not_found");
  const trash = (await call("GET /api/drive/trash")).body;
  expect(trash.nodes).toMatchObject([{ id: folder.id, purged_at: "2026-01-31T00:00:00.000Z" }]);
  await call(`POST /api/drive/trash/${folder.id}/restore`);
  expect((await download(file.id)).text).toBe("1");
  await call(`DELETE /api/drive/nodes/${folder.id}`);
  await node.clock.advance(days(30) - 1);
  await node.ctx.jobs.run("drive-purge");
  // The sessions of then are over, so the rows are looked at.
  const count = () => node.ctx.db.raw.query("SELECT id FROM drive_nodes").all().length;
  expect([count(), stored()]).toEqual([3, 1]);
  await node.clock.advance(1);
  await node.ctx.jobs.run("drive-purge");
  expect([count(), stored()]).toEqual([0, 0]);
});

test("what comes back finds another place where its folder is gone, and no place where its name is taken", async () => {
  const folder = await makeFolder("f");
  const { body: file } = await upload("a", "1", folder.id);
  await call(`DELETE /api/drive/nodes/${file.id}`);
  await call(`DELETE /api/drive/nodes/${folder.id}`);
  const other = (await upload("a", "2")).body;
  expect((await call(`POST /api/drive/trash/${file.id}/restore`)).body.code).toBe("drive_name_taken");
  await call(`PATCH /api/drive/nodes/${other.id}`, { name: "b" });
  expect((await call(`POST /api/drive/trash/${file.id}/restore`)).body.parent_id).toBeNull();
  expect(await namesIn()).toEqual(["a", "b"]);
});

test("folders and the trash are read page by page", async () => {
  expect(await namesIn()).toEqual([]);
  const insert = node.ctx.db.raw.query(
    `INSERT INTO drive_nodes (id, user_id, is_file, name, size_bytes, created_at, trashed_at)
     VALUES (?, (SELECT id FROM users LIMIT 1), 0, ?, 0, 0, ?)`,
  );
  for (let at = 0; at < 250; at++) insert.run(`drv_${at}`, `n ${String(at).padStart(3, "0")}`, at < 205 ? null : 7);
  for (const [route, count] of [
    ["/api/drive/tree", 205],
    ["/api/drive/trash", 45],
  ] as const) {
    const names: string[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const { body } = await call(`GET ${route}${next && `?after=${next}`}`);
      names.push(...body.nodes.map(({ name }: DriveNode) => name));
      next = body.next;
    }
    expect(new Set(names).size).toBe(count);
  }
  expect((await call("GET /api/drive/tree?after=x")).body.params.field).toBe("after");
});

test("a file that is too large, or none, is refused in words", async () => {
  const large = await upload("large", new Uint8Array(6 * 1024 * 1024 + 1));
  expect([large.status, large.body.code]).toEqual([413, "payload_too_large"]);
  expect((await call("POST /api/drive/upload", {})).body.code).toBe("drive_file_missing");
  expect((await upload("a/b", "x")).body).toMatchObject({ code: "invalid_request" });
  expect(stored()).toBe(0);
});

test("each change is on record", async () => {
  const folder = await makeFolder("f");
  const { body: file } = await upload("a", "1", folder.id);
  await download(file.id);
  await call(`PATCH /api/drive/nodes/${file.id}`, { name: "b" });
  await call(`DELETE /api/drive/nodes/${file.id}`);
  await call(`POST /api/drive/trash/${file.id}/restore`);
  await call(`DELETE /api/drive/nodes/${file.id}`);
  await call(`DELETE /api/drive/trash/${file.id}`);
  await node.ctx.bus.idle();
  const verbs = node.events.flatMap(({ name }) => (name.startsWith("drive.") ? [name.slice(6)] : []));
  const ways = ["downloaded", "renamed", "trashed", "restored", "trashed", "purged"];
  expect(verbs).toEqual(["folder_created", "uploaded", ...ways]);
});

test("an account that keeps files goes only if that is said, and its files with it", async () => {
  await upload("a", "1", "", "member");
  const refused = await call("DELETE /api/users/usr_member");
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: "user_has_belongings", params: { username: "member", what: "1 file in the Drive" } },
  ]);
  expect(await namesIn("", "member")).toEqual(["a"]);
  expect((await call("DELETE /api/users/usr_member?with_belongings=true")).status).toBe(204);
  await node.ctx.jobs.run("drive-purge");
  expect(stored()).toBe(0);
});
