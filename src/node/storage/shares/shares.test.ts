import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { closeStorageNode, openStorageNode } from "../../../../tests/kit/storage-node.ts";
import { hours, minutes } from "../../../lib/duration.ts";
import type { Role } from "../../access.ts";
import { CHUNK_BYTES, type DriveNode } from "../drive/contract.ts";
import { SHARED_FILE_BYTES, type Share } from "./contract.ts";

let node: TestNode;
beforeEach(() => {
  node = openStorageNode({ anonymous_rate: "1000", trusted_proxies: "127.0.0.1" });
});
afterEach(() => closeStorageNode(node));

const call = (route: string, body?: unknown, as: Role = "admin") => node.call(route, { as, body });
const makeFolder = async (name: string, parent_id: string | null = null): Promise<DriveNode> =>
  (await call("POST /api/drive/folders", { name, parent_id })).body;

/** Sends a file, as somebody who is signed in or as a stranger. */
async function send(path: string, name: string, text: string, token?: string) {
  const body = new FormData();
  body.set("file", new File([text], name));
  const headers = { host: "localhost", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const response = await node.fetch(new Request(`http://localhost${path}`, { method: "POST", headers, body }));
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const upload = async (name: string, text: string, folder = ""): Promise<DriveNode> =>
  (await send(`/api/drive/upload${folder && `?folder_id=${folder}`}`, name, text, await node.tokenOf("admin"))).body;
const share = async (id: string, body: object = {}): Promise<Share> => {
  const made = await call(`POST /api/drive/nodes/${id}/share`, body);
  expect(made.status).toBe(200);
  return made.body;
};

/** What a stranger gets below the address of a link. */
async function visit({ path }: Pick<Share, "path">, rest = "") {
  const token = path.replace("/s/", "");
  const response = await node.fetch(
    new Request(`http://localhost/api/shares/${token}${rest}`, { headers: { host: "localhost" } }),
  );
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}
const enter = async ({ path }: Share, password: string) =>
  (await node.call(`POST /api/shares/${path.replace("/s/", "")}/pass`, { body: { password } })).body;

test("a file that is shared is seen and saved by strangers, never as a page, until the link is ended", async () => {
  const file = await upload("é<1>.html", "<script>");
  const link = await share(file.id);
  expect(link.path).toMatch(/^\/s\/[\w-]{43}$/);
  expect(link).toMatchObject({ name: "é<1>.html", mode: "read", has_password: false, is_active: true, downloads: 0 });
  expect((await visit(link)).body).toMatchObject({
    ...{ needs_password: false, mode: "read", downloads_left: null },
    node: { id: file.id, kind: "file", name: "é<1>.html", size_bytes: 8 },
  });
  const head = new Request(`http://localhost/api${link.path.replace("/s/", "/shares/")}/download`, {
    method: "HEAD",
    headers: { host: "localhost" },
  });
  expect((await node.fetch(head)).status).toBe(200);
  const saved = await visit(link, "/download");
  expect(saved.text).toBe("<script>");
  expect(saved.headers.get("content-type")).toBe("application/octet-stream");
  expect(saved.headers.get("content-disposition")).toStartWith("attachment;");
  const { shares, limit, active } = (await call(`GET /api/drive/shares?node_id=${file.id}`)).body;
  expect(shares).toEqual([{ ...link, downloads: 1, last_used_at: expect.any(String) }]);
  expect([limit, active]).toEqual([3, 1]);
  expect((await call(`DELETE /api/drive/shares/${link.id}`)).status).toBe(204);
  expect((await visit(link)).body.code).toBe("share_not_found");
  expect((await visit(link, "/download")).status).toBe(404);
  await node.ctx.bus.idle();
  const told = node.events.filter(({ name }) => name.startsWith("drive.share_")).map(({ name }) => name);
  expect(told).toEqual(["drive.share_created", "drive.share_downloaded", "drive.share_ended"]);
  expect(JSON.stringify(node.events)).not.toContain(link.path.replace("/s/", ""));
});

test("the address of one link is not shown as that of another, whoever writes to the database", async () => {
  const [first, second] = [await share((await upload("a", "1")).id), await share((await upload("b", "2")).id)];
  node.ctx.db.raw.run("UPDATE drive_shares SET token_sealed = (SELECT token_sealed FROM drive_shares WHERE id = ?)", [
    first.id,
  ]);
  expect((await call("GET /api/drive/shares")).status).toBe(500);
  node.ctx.db.raw.run("DELETE FROM drive_shares WHERE id = ?", [second.id]);
  expect((await call("GET /api/drive/shares")).body.shares[0].path).toBe(first.path);
});

test("a shared folder shows what lies in it and nothing besides", async () => {
  const outer = await makeFolder("Outer");
  const shared = await makeFolder("Shared", outer.id);
  const inner = await makeFolder("Inner", shared.id);
  const secret = await upload("secret", "no", outer.id);
  const file = await upload("letter", "yes", inner.id);
  const link = await share(shared.id);
  expect((await visit(link, "/tree")).body).toMatchObject({ path: [], nodes: [{ name: "Inner" }] });
  const deep = (await visit(link, `/tree?folder_id=${inner.id}`)).body;
  expect(deep).toMatchObject({ path: [{ name: "Inner" }], nodes: [{ name: "letter" }] });
  expect((await visit(link, `/download?node_id=${file.id}`)).text).toBe("yes");
  for (const id of [secret.id, outer.id, "drv_nothing"]) {
    expect((await visit(link, `/tree?folder_id=${id}`)).body.code).toBe("share_not_found");
    expect((await visit(link, `/download?node_id=${id}`)).body.code).toBe("share_not_found");
  }
  expect((await visit(link, `/download?node_id=${inner.id}`)).text).toContain("Inner/letter");
  expect(JSON.stringify([deep, (await visit(link)).body])).not.toContain("Outer");
  await call(`DELETE /api/drive/nodes/${outer.id}`);
  expect((await visit(link)).body.code).toBe("share_not_found");
  expect((await call("GET /api/drive/shares")).body.shares).toMatchObject([{ id: link.id, is_active: false }]);
});

test("a shared folder is saved as one archive, which is one download, and only by whoever may see it", async () => {
  const folder = await makeFolder("Photos");
  await upload("a.txt", "one", folder.id);
  await upload("b.txt", "two", (await makeFolder("Inner", folder.id)).id);
  const link = await share(folder.id, { password: "open sesame", max_downloads: 1 });
  expect((await visit(link, "/download")).body.code).toBe("share_password_required");
  const { pass } = await enter(link, "open sesame");
  const saved = await visit(link, `/download?pass=${pass}`);
  expect(saved.headers.get("content-type")).toBe("application/zip");
  expect(saved.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''Photos.zip");
  expect(saved.text).toContain("Photos/Inner/b.txt");
  expect(saved.text).not.toContain("Outer");
  expect((await visit(link, `/download?pass=${pass}`)).body.code).toBe("share_used_up");
  const drop = await share(folder.id, { mode: "drop" });
  expect((await visit(drop, "/download")).body.code).toBe("share_not_allowed");
  const ending = await share(folder.id, { expires_at: new Date(node.clock.now() + minutes(5)).toISOString() });
  await node.clock.advance(minutes(5));
  expect((await visit(ending, "/download")).body.code).toBe("share_not_found");
});

test("a password comes before any name, is exchanged for an hour, and is not to be guessed", async () => {
  const file = await upload("plans", "text");
  const link = await share(file.id, { password: "open sesame" });
  expect((await visit(link)).body).toMatchObject({ needs_password: true, node: null, by: null });
  for (const rest of ["/download", "/tree"])
    expect((await visit(link, rest)).body.code).toBe("share_password_required");
  expect((await enter(link, "wrong")).code).toBe("share_password_wrong");
  await node.ctx.bus.idle();
  expect(node.events.filter(({ name }) => name === "drive.share_refused")).toHaveLength(1);
  const { pass } = await enter(link, "open sesame");
  const query = `pass=${encodeURIComponent(pass)}`;
  expect((await visit(link, `/download?${query}`)).text).toBe("text");
  const other = await share(file.id, { password: "another one" });
  expect((await visit(other, `/download?${query}`)).body.code).toBe("share_password_required");
  for (const more of ["x", "%00", "%20", "="]) {
    expect((await visit(link, `/download?${query}${more}`)).body.code).toBe("share_password_required");
  }
  await node.clock.advance(hours(1));
  expect((await visit(link, `/download?${query}`)).body.code).toBe("share_password_required");
  for (let turn = 0; turn < 10; turn++) expect((await enter(link, "wrong")).code).toBe("share_password_wrong");
  expect((await enter(link, "open sesame")).code).toBe("too_many_requests");
});

test("of fifty who come at once for the last five downloads five get the file", async () => {
  const file = await upload("rare", "x".repeat(5_000));
  const link = await share(file.id, { max_downloads: 5 });
  const answers = await Promise.all(Array.from({ length: 50 }, () => visit(link, "/download")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
    new Set(["share_used_up"]),
  );
  expect((await visit(link)).status).toBe(410);
});

test("a link ends at its time, and with the rank of whoever made it", async () => {
  const file = await upload("soon", "x");
  const at = new Date(node.clock.now() + minutes(10)).toISOString();
  const link = await share(file.id, { expires_at: at });
  const lasting = await share(file.id);
  await node.clock.advance(minutes(10));
  expect((await visit(link)).body.code).toBe("share_not_found");
  expect((await visit(lasting)).status).toBe(200);
  node.ctx.db.raw.run("UPDATE users SET role = 'viewer' WHERE id = (SELECT user_id FROM drive_shares LIMIT 1)");
  expect((await visit(lasting)).body.code).toBe("share_not_found");
});

test("files are put into a folder that allows it; who drops them sees nothing of it", async () => {
  const folder = await makeFolder("Inbox");
  await upload("mine", "x", folder.id);
  const into = ({ path }: Share, name: string, query = "") =>
    send(`/api/shares/${path.replace("/s/", "")}/upload${query}`, name, "from outside");
  const drop = await share(folder.id, { mode: "drop" });
  expect((await into(drop, "yours.txt")).body).toEqual({ name: "yours.txt", size_bytes: 12 });
  expect((await into(drop, "mine")).body.code).toBe("drive_name_taken");
  expect((await visit(drop, "/tree")).body.code).toBe("share_not_allowed");
  expect((await visit(drop, `/download?node_id=${folder.id}`)).body.code).toBe("share_not_allowed");
  const write = await share(folder.id, { mode: "write" });
  expect((await visit(write, "/tree")).body.nodes.map(({ name }: { name: string }) => name)).toEqual([
    "mine",
    "yours.txt",
  ]);
  expect((await into(write, "third")).status).toBe(200);
  expect((await into(write, "x", "?folder_id=drv_other")).body.code).toBe("share_not_found");
  const read = await share(folder.id);
  expect((await into(read, "fourth")).body.code).toBe("share_not_allowed");
  const [shown] = (await call(`GET /api/drive/shares?node_id=${folder.id}`)).body.shares.slice(-1);
  expect(shown).toMatchObject({ mode: "drop", uploads: 1 });
});

test("what cannot be is refused: foreign files, past times, files that take files, a fourth link of the free plan", async () => {
  const file = await upload("one", "x");
  const refused = async (body: object, as: Role = "admin") =>
    (await call(`POST /api/drive/nodes/${file.id}/share`, body, as)).body.code;
  expect(await refused({}, "member")).toBe("drive_not_found");
  expect((await call(`POST /api/drive/nodes/${file.id}/share`, {}, "viewer")).status).toBe(403);
  expect(await refused({ expires_at: "2020-01-01T00:00:00Z" })).toBe("share_expired_already");
  expect(await refused({ mode: "drop" })).toBe("share_mode");
  expect(await refused({ password: "short" })).toBe("invalid_request");
  const [first] = [await share(file.id), await share(file.id), await share(file.id)];
  const fourth = await call(`POST /api/drive/nodes/${file.id}/share`, {});
  expect(fourth.status).toBe(402);
  expect(fourth.body).toMatchObject({ error: "upgrade_required", feature: "suite_unlimited_shares" });
  expect((await call(`DELETE /api/drive/shares/${first?.id}`, undefined, "member")).status).toBe(404);
});

test("addresses are not to be guessed", async () => {
  const guess = () => visit({ path: `/s/${"A".repeat(43)}` });
  for (let turn = 0; turn < 30; turn++) expect((await guess()).status).toBe(404);
  const file = await upload("there", "x");
  expect((await guess()).status).toBe(429);
  // Whoever has a link is not shut out by others who try, from wherever.
  expect((await visit(await share(file.id))).status).toBe(200);
});

test("strangers put large files in by chunks, each found by its link alone, within what links may", async () => {
  const size = CHUNK_BYTES + 5;
  const folder = await makeFolder("Box");
  const drop = await share(folder.id, { mode: "drop", password: "open sesame" });
  const { pass } = await enter(drop, "open sesame");
  const under = ({ path }: Share, rest: string) => `/api/shares/${path.replace("/s/", "")}/uploads${rest}`;
  const begin = async (link: Share, body: object, query = "") =>
    await node.call(`POST ${under(link, query)}`, { body: { name: "film", size_bytes: size, ...body } });
  const put = async (
    link: Share,
    id: string,
    number: number,
    bytes: Uint8Array<ArrayBuffer>,
    query = `&pass=${pass}`,
  ) => {
    const url = `http://localhost${under(link, `/${id}?number=${number}${query}`)}`;
    const answer = await node.fetch(new Request(url, { method: "PUT", headers: { host: "localhost" }, body: bytes }));
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const end = async (link: Share, id: string) => await node.call(`POST ${under(link, `/${id}/finish?pass=${pass}`)}`);
  expect((await begin(drop, {})).body.code).toBe("share_password_required");
  expect((await begin(drop, { name: "../x" }, `?pass=${pass}`)).body.code).toBe("invalid_request");
  expect((await begin(drop, { size_bytes: SHARED_FILE_BYTES + 1 }, `?pass=${pass}`)).status).toBe(400);
  const { status, body } = await begin(drop, {}, `?pass=${pass}`);
  expect([status, body.chunks]).toEqual([201, 2]);
  const id = body.upload_id;
  const bytes = new Uint8Array(size).map((_, at) => at % 251);
  expect((await put(drop, id, 2, bytes.slice(CHUNK_BYTES), "")).body.code).toBe("share_password_required");
  expect((await put(drop, id, 2, bytes.slice(CHUNK_BYTES))).status).toBe(200);
  expect((await end(drop, id)).body.code).toBe("drive_upload_incomplete");
  expect((await put(drop, id, 1, bytes.slice(0, CHUNK_BYTES))).status).toBe(200);
  // Neither another link nor the owner knows of it.
  const other = await share(folder.id, { mode: "write" });
  expect((await end(other, id)).body.code).toBe("drive_upload_not_found");
  expect((await call(`GET /api/drive/upload/${id}`)).status).toBe(404);
  expect((await call("GET /api/drive/uploads")).body.uploads).toEqual([]);
  expect((await end(drop, id)).body).toEqual({ name: "film", size_bytes: size });
  // What becomes of the file is not told to who sent it.
  const [file] = (await call(`GET /api/drive/tree?folder_id=${folder.id}`)).body.nodes;
  await call(`PATCH /api/drive/nodes/${file.id}`, { name: "rejected", parent_id: null });
  expect((await end(drop, id)).body).toEqual({ name: "film", size_bytes: size });
  await call(`PATCH /api/drive/nodes/${file.id}`, { name: "film", parent_id: folder.id });
  expect((await begin(drop, {}, `?pass=${pass}`)).body.code).toBe("drive_name_taken");
  const shares = (await call(`GET /api/drive/shares?node_id=${folder.id}`)).body.shares;
  expect(shares.find((one: Share) => one.id === drop.id).uploads).toBe(1);
  const read = await share(folder.id);
  expect((await begin(read, { name: "b" })).body.code).toBe("share_not_allowed");
  for (let count = 0; count < 20; count += 1) await begin(other, { name: `n${count}` });
  expect((await begin(other, { name: "one more" })).body.code).toBe("drive_uploads_limit");
  // What was left for an hour gives way.
  await node.clock.advance(hours(1) + 1);
  expect((await begin(other, { name: "one more" })).status).toBe(201);
  await call(`DELETE /api/drive/shares/${other.id}`);
  expect((await begin(other, { name: "late" })).body.code).toBe("share_not_found");
});

test("one guest of a link keeps no other guest's large files out, and what moves gives way to nobody", async () => {
  const { id } = await makeFolder("Applications");
  const path = `/api/shares/${(await share(id, { mode: "drop" })).path.replace("/s/", "")}/uploads`;
  const begin = (name: string, ip: string) =>
    node.call(`POST ${path}`, { body: { name, size_bytes: 7_000_000 }, headers: { "x-forwarded-for": ip } });
  const begun: string[] = [];
  for (let no = 0; no < 20; no += 1) begun.push((await begin(`n${no}`, "203.0.113.5")).body.upload_id);
  expect((await begin("mine", "198.51.100.9")).body.code).toBe("drive_uploads_limit");
  await node.clock.advance(minutes(1) + 1);
  const url = `http://localhost${path}/${begun[0]}?number=2`;
  const bytes = new Uint8Array(7_000_000 - CHUNK_BYTES);
  const sent = await node.fetch(new Request(url, { method: "PUT", headers: { host: "localhost" }, body: bytes }));
  expect(sent.status).toBe(200);
  const answers = [];
  for (let no = 0; no < 6; no += 1) answers.push((await begin(`o${no}`, "198.51.100.9")).status);
  expect(answers).toEqual(Array(6).fill(201));
  const open = new Set(
    node.ctx.db.raw
      .query<{ id: string }, []>("SELECT id FROM drive_uploads")
      .all()
      .map((row) => row.id),
  );
  expect(begun.map((each) => open.has(each))).toEqual([true, ...Array(6).fill(false), ...Array(13).fill(true)]);
  expect((await begin("once more", "203.0.113.5")).body.code).toBe("drive_uploads_limit");
});

test("uploads by links have their number in all, per maker and link, and those to an account that is off give way at once", async () => {
  const { id } = await makeFolder("Box");
  const link = await share(id, { mode: "drop" });
  await node.tokenOf("member");
  const { id: others } = node.ctx.db.raw
    .query<{ id: string }, []>("SELECT id FROM users WHERE role = 'member'")
    .get() ?? {
    id: "",
  };
  const insert = node.ctx.db.raw.query(
    `INSERT INTO drive_uploads (id, user_id, name, size_bytes, mark, touched_at, share_id) VALUES (?, ?, ?, 7000000, ?, ?, 'shr_other')`,
  );
  for (let no = 0; no < 200; no += 1) insert.run(`upl_${no}`, others, `n${no}`, `${no}`, node.clock.now());
  const begin = (name: string) =>
    node.call(`POST /api/shares/${link.path.replace("/s/", "")}/uploads`, { body: { name, size_bytes: 7_000_000 } });
  const full = await begin("a");
  expect([full.status, full.body.code]).toEqual([409, "drive_uploads_limit"]);
  node.ctx.db.raw.query("UPDATE users SET disabled_at = ? WHERE id = ?").run(node.clock.now(), others);
  expect((await begin("a")).status).toBe(201);
});

test("an upload by a link of which a chunk is on its way gives way to nobody, however old it is", async () => {
  const { id } = await makeFolder("Box");
  const path = `/api/shares/${(await share(id, { mode: "drop" })).path.replace("/s/", "")}/uploads`;
  const begin = (name: string) => node.call(`POST ${path}`, { body: { name, size_bytes: 7_000_000 } });
  const begun: string[] = [];
  for (let no = 0; no < 20; no += 1) begun.push((await begin(`n${no}`)).body.upload_id);
  await node.clock.advance(hours(1) + 1);
  const chunk = new TransformStream<Uint8Array, Uint8Array>();
  const writer = chunk.writable.getWriter();
  const url = `http://localhost${path}/${begun[0]}?number=2`;
  const sent = node.fetch(new Request(url, { method: "PUT", headers: { host: "localhost" }, body: chunk.readable }));
  await writer.write(new Uint8Array(1_000));
  expect((await begin("one more")).status).toBe(201);
  await writer.write(new Uint8Array(7_000_000 - CHUNK_BYTES - 1_000));
  await writer.close();
  expect((await sent).status).toBe(200);
});

test("an upload by a link that could become no file gives way as any other", async () => {
  const { id } = await makeFolder("Box");
  const path = `/api/shares/${(await share(id, { mode: "drop" })).path.replace("/s/", "")}/uploads`;
  const begin = (name: string) => node.call(`POST ${path}`, { body: { name, size_bytes: 7_000_000 } });
  for (let no = 0; no < 20; no += 1) await begin(`n${no}`);
  // All was here, and the name was taken when it was to be a file.
  node.ctx.db.raw.query("UPDATE drive_uploads SET sha256 = 'abc'").run();
  expect((await begin("one more")).body.code).toBe("drive_uploads_limit");
  await node.clock.advance(hours(1) + 1);
  expect((await begin("one more")).status).toBe(201);
});
