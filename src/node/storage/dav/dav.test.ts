import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Body, type DavNode, type DavOptions, lockInfo, openDavNode } from "../../../../tests/kit/dav-node.ts";
import { hours } from "../../../lib/duration.ts";
import type { DriveNode } from "../drive/index.ts";

let world: DavNode;
beforeEach(async () => {
  world = await openDavNode();
});
afterEach(() => world.close());

const dav = (request: string, options?: DavOptions) => world.dav(request, options);
const statusOf = async (request: string, options?: DavOptions): Promise<number> => (await dav(request, options)).status;
const api = async (route: string) => (await world.node.call(route, { as: "admin" })).body;
const put = (path: string, body: Body, headers: Record<string, string> = {}) => dav(`PUT ${path}`, { body, headers });
const nodeNamed = async (name: string): Promise<DriveNode> =>
  (await api("GET /api/drive/tree")).nodes.find((node: DriveNode) => node.name === name);
const versionsOf = async ({ id }: DriveNode): Promise<number[]> =>
  (await api(`GET /api/drive/nodes/${id}/versions`)).versions.map(
    ({ size_bytes }: { size_bytes: number }) => size_bytes,
  );
const to = (path: string, more: Record<string, string> = {}) => ({
  headers: { destination: `http://localhost/dav/drive${path}`, ...more },
});

test("a file is stored, read whole and in part, and known by a tag of its content", async () => {
  const made = await put("/a%20b.txt", "0123456789");
  const etag = made.headers.get("etag") ?? "";
  expect([made.status, etag.length < 60]).toEqual([201, true]);
  const whole = await dav("GET /a%20b.txt");
  expect([whole.status, whole.text, whole.headers.get("etag")]).toEqual([200, "0123456789", etag]);
  expect(whole.headers.get("content-security-policy")).toContain("sandbox");
  const part = await dav("GET /a%20b.txt", { headers: { range: "bytes=2-3" } });
  expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "23", "bytes 2-3/10"]);
  expect(await statusOf("GET /a%20b.txt", { headers: { "if-none-match": etag } })).toBe(304);
  const since = whole.headers.get("last-modified") ?? "";
  expect(await statusOf("GET /a%20b.txt", { headers: { "if-modified-since": since } })).toBe(304);
  expect(await statusOf("GET /a%20b.txt", { headers: { range: "bytes=10-" } })).toBe(416);
  expect(await statusOf("GET /none")).toBe(404);
  expect((await put("/other", "0123456789")).headers.get("etag")).toBe(etag);
});

test("what is replaced stays as a version, but not the empty file that held its place", async () => {
  await put("/a", "");
  await put("/a", "one");
  expect((await put("/a", "second")).status).toBe(204);
  expect(await versionsOf(await nodeNamed("a"))).toEqual([3]);
});

test("conditions keep somebody from writing over what they have not seen", async () => {
  const etag = (await put("/a", "one", { "if-none-match": "*" })).headers.get("etag") ?? "";
  expect((await put("/a", "two", { "if-none-match": "*" })).status).toBe(412);
  expect((await put("/a", "two", { "if-match": '"other"' })).status).toBe(412);
  expect((await put("/a", "two", { "if-match": etag })).status).toBe(204);
  expect(await statusOf("DELETE /a", { headers: { "if-match": etag } })).toBe(412);
  expect((await put("/none", "x", { "if-match": "*" })).status).toBe(412);
});

test("a body that is not what was announced changes nothing", async () => {
  await put("/a", "before");
  const short = await put("/a", "short", { "x-expected-entity-length": "10", "content-length": "" });
  expect([short.status, short.text]).toEqual([400, expect.stringContaining("Of 10 bytes")]);
  expect((await put("/a", "x", { "content-range": "bytes 0-0/2" })).status).toBe(400);
  expect([(await dav("GET /a")).text, await versionsOf(await nodeNamed("a"))]).toEqual(["before", []]);
});

test("a password that ends while a file comes stores nothing", async () => {
  const [password] = (await api("GET /api/drive/webdav-passwords")).passwords;
  const slow = new ReadableStream({
    async pull(controller) {
      await world.node.call(`DELETE /api/drive/webdav-passwords/${password.id}`, { as: "admin" });
      controller.enqueue(Buffer.from("late"));
      controller.close();
    },
  });
  expect((await put("/a", slow)).status).toBe(401);
  expect((await api("GET /api/drive/tree")).nodes).toEqual([]);
});

test("names are one name, however they are written, and no slash hides in one", async () => {
  await put(`/${encodeURIComponent("é".normalize("NFD"))}`, "one");
  expect((await nodeNamed("é".normalize("NFC"))).size_bytes).toBe(3);
  expect((await put(`/${encodeURIComponent("é")}`, "second")).status).toBe(204);
  expect((await dav(`GET /${encodeURIComponent("é".normalize("NFD"))}`)).text).toBe("second");
  for (const name of ["a%2Fb", "a%00b", "a%0Ab", "%E2%80%8B", "x".repeat(256), "%20"])
    expect([name, (await put(`/${name}`, "x")).status]).toEqual([name, 400]);
  expect((await put(`/${encodeURIComponent("&+-é\"'<>#?%")}`, "odd")).status).toBe(201);
  const { text } = await dav("PROPFIND /", { headers: { depth: "1" } });
  expect(text).toContain("<D:href>/dav/drive/%26%2B-%C3%A9%22");
  expect(text).toContain("<D:displayname>&amp;+-é&quot;'&lt;&gt;#?%</D:displayname>");
});

test("folders are made and removed, and what is removed is in the trash", async () => {
  expect(await statusOf("MKCOL /a")).toBe(201);
  expect(await statusOf("MKCOL /a/")).toBe(405);
  expect(await statusOf("MKCOL /none/b")).toBe(409);
  expect(await statusOf("MKCOL /b", { body: "x" })).toBe(415);
  expect((await put("/none/b", "x")).status).toBe(409);
  expect((await put("/a", "x")).status).toBe(405);
  await put("/a/file", "x");
  expect(await statusOf("DELETE /a")).toBe(204);
  expect(await statusOf("PROPFIND /a/file", { headers: { depth: "0" } })).toBe(404);
  expect((await api("GET /api/drive/trash")).nodes).toMatchObject([{ name: "a", kind: "folder" }]);
  expect(await statusOf("DELETE /")).toBe(403);
});

test("a file that is moved over another one gives it its content; the other keeps its history", async () => {
  await put("/plan", "first");
  const before = await nodeNamed("plan");
  await put("/plan.tmp", "x");
  await put("/plan.tmp", "second");
  expect(await statusOf("MOVE /plan.tmp", to("/plan", { overwrite: "F" }))).toBe(412);
  expect(await statusOf("MOVE /plan.tmp", to("/plan"))).toBe(204);
  const after = await nodeNamed("plan");
  expect([after.id, after.size_bytes]).toEqual([before.id, 6]);
  expect(await nodeNamed("plan.tmp")).toBeUndefined();
  expect((await versionsOf(after)).toSorted()).toEqual([1, 5]);
  expect((await api("GET /api/drive/trash")).nodes).toEqual([]);
});

test("folders are copied whole or alone and moved; what they replace is in the trash", async () => {
  await dav("MKCOL /a");
  await put("/a/file", "x");
  expect(await statusOf("COPY /a", to("/whole"))).toBe(201);
  expect(await statusOf("COPY /a", to("/alone", { depth: "0" }))).toBe(201);
  expect([await statusOf("GET /whole/file"), await statusOf("GET /alone/file")]).toEqual([200, 404]);
  expect(await statusOf("MOVE /alone", to("/whole/"))).toBe(204);
  expect(await statusOf("GET /whole/file")).toBe(404);
  expect((await api("GET /api/drive/trash")).nodes).toMatchObject([{ name: "whole" }]);
  expect(await statusOf("COPY /a", to("/none/b"))).toBe(409);
  expect(await statusOf("MOVE /a", to("/a/inner"))).toBe(409);
  expect(await statusOf("COPY /a/file", to("/a"))).toBe(403);
  expect(await statusOf("COPY /a", to("/a"))).toBe(403);
});

test.each([
  ["http://evil.example/dav/drive/b", 502],
  ["http://localhost:81/dav/drive/b", 502],
  ["https://localhost/dav/drive/b", 201],
  ["http://localhost:80/dav/drive/b", 201],
  ["/dav/drive/b", 201],
  ["//evil.example/dav/drive/b", 400],
  ["file:///dav/drive/b", 502],
  ["/dav/drive/../../etc/passwd", 403],
  ["http://localhost/dav/drive/%2e%2e/%2e%2e/api", 403],
  ["/dav/drivex/b", 403],
  ["/dav/drive/a%2Fb", 400],
  ["/dav/drive/%ff", 400],
  ["b", 400],
  ["", 400],
])("a copy to %j answers %i", async (destination, status) => {
  await put("/a", "x");
  expect(await statusOf("COPY /a", { headers: { destination } })).toBe(status);
});

test("listings tell of each thing what is asked, a level at a time, with the room that is left", async () => {
  await dav("MKCOL /a");
  for (let at = 0; at < 205; at += 1) world.node.ctx.drive.makeFolder(by(), (await nodeNamed("a")).id, `f${at}`);
  const all = await dav("PROPFIND /a", { headers: { depth: "1" } });
  expect([all.status, all.text.match(/<D:response>/g)?.length]).toEqual([207, 206]);
  const deep = await dav("PROPFIND /a");
  expect([deep.status, deep.text]).toEqual([403, expect.stringContaining("<D:propfind-finite-depth/>")]);
  const body =
    '<propfind xmlns="DAV:"><prop><quota-available-bytes/><quota-used-bytes/><x xmlns="urn:y"/></prop></propfind>';
  const { text } = await dav("PROPFIND /a", { headers: { depth: "0" }, body });
  expect(text).toMatch(/<D:quota-available-bytes>\d+<\/D:quota-available-bytes><D:quota-used-bytes>\d+</);
  expect(text).toContain('<x:x xmlns:x="urn:y"/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status>');
});

const by = () => ({ user_id: "usr_admin", ip: "127.0.0.1" });

const patch = (inside: string) => ({
  body: `<D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:">${inside}</D:propertyupdate>`,
});
const set = (property: string): string => `<D:set><D:prop>${property}</D:prop></D:set>`;

test("properties of programs stay with a file when it is moved, copied and written, all or none", async () => {
  await put("/a", "x");
  const time = "<Z:Win32LastModifiedTime>Wed, 25 Nov 2026 10:00:00 GMT</Z:Win32LastModifiedTime>";
  expect((await dav("PROPPATCH /a", patch(set(time)))).text).toContain("HTTP/1.1 200 OK");
  const refused = await dav("PROPPATCH /a", patch(set("<Z:other>1</Z:other>") + set("<D:getetag>x</D:getetag>")));
  expect([refused.status, refused.text.match(/HTTP\/1.1 \d+/g)]).toEqual([207, ["HTTP/1.1 403", "HTTP/1.1 424"]]);
  await dav("MOVE /a", to("/b"));
  await dav("COPY /b", to("/c"));
  await put("/c", "other");
  for (const path of ["/b", "/c"]) {
    const { text } = await dav(`PROPFIND ${path}`, { headers: { depth: "0" } });
    expect([text.includes("Wed, 25 Nov 2026"), text.includes(":other")]).toEqual([true, false]);
  }
  const many = Array.from({ length: 201 }, (_, at) => `<Z:p${at}/>`).join("");
  expect(await statusOf("PROPPATCH /b", patch(set(many)))).toBe(507);
});

test("a lock outlasts a restart, ends by itself, and shuts out who does not show it", async () => {
  const locked = await dav("LOCK /new", { body: lockInfo(), headers: { timeout: "Second-3600" } });
  const token = locked.headers.get("lock-token") ?? "";
  expect([locked.status, token]).toEqual([201, expect.stringMatching(/^<urn:uuid:[0-9a-f-]{36}>$/)]);
  const again = await openDavNode(world.node);
  const held = await again.dav("PUT /new", { body: "x" });
  expect([held.status, held.text]).toEqual([423, expect.stringContaining("<D:href>/dav/drive/new</D:href>")]);
  expect((await again.dav("PUT /new", { body: "x", headers: { if: `(${token})` } })).status).toBe(204);
  const longer = await again.dav("LOCK /new", { headers: { if: `(${token})`, timeout: "Infinite" } });
  expect([longer.status, longer.text]).toEqual([200, expect.stringContaining("Second-86400")]);
  again.node.clock.jump(hours(25));
  expect((await again.dav("PUT /new", { body: "y" })).status).toBe(204);
  await again.node.ctx.objects.stop();
  await again.node.ctx.objectStore.stop();
});

test("viewers read and change nothing, everybody sees their own Drive, and nobody one that is removed", async () => {
  const viewer = await world.as("viewer");
  await put("/mine", "x");
  expect((await viewer("PROPFIND /", { headers: { depth: "1" } })).text).not.toContain("mine");
  for (const request of [
    "PUT /a",
    "MKCOL /a",
    "DELETE /a",
    "LOCK /a",
    "PROPPATCH /",
    "MOVE /a",
    "COPY /a",
    "UNLOCK /a",
  ])
    expect([request, (await viewer(request)).status]).toEqual([request, 403]);
  const member = await world.as("member");
  expect((await member("GET /mine")).status).toBe(404);
  expect((await member("PUT /mine", { body: "theirs" })).status).toBe(201);
});

test("XML that is too large, declares entities or is none is refused", async () => {
  const find = async (body: Body) => (await dav("PROPFIND /", { headers: { depth: "0" }, body })).status;
  expect(await find('<!DOCTYPE a [<!ENTITY b "c">]><propfind xmlns="DAV:"><allprop/></propfind>')).toBe(400);
  expect(await find(`<propfind xmlns="DAV:">${" ".repeat(300_000)}<allprop/></propfind>`)).toBe(413);
  expect(await find(new Uint8Array([0x3c, 0xff, 0x3e]))).toBe(400);
  expect(await find("<a/>")).toBe(400);
  expect(await find('<propfind xmlns="DAV:"><propname/></propfind>')).toBe(207);
});

test("a large folder is copied with its properties, in the place of what was there", async () => {
  await dav("MKCOL /large");
  await dav("MKCOL /target");
  const { id } = await nodeNamed("large");
  world.node.ctx.db.raw
    .query(
      `INSERT INTO drive_nodes (id, user_id, parent_id, name, folded, is_file, sha256, size_bytes, created_at, changed_at)
       WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 1200)
       SELECT d.id || at, d.user_id, d.id, 'f' || at, 'f' || at, 1, 'x', 0, 0, 0 FROM n, drive_nodes d WHERE d.id = ?`,
    )
    .run(id);
  const body = `<propertyupdate xmlns="DAV:"><set><prop><color xmlns="urn:x">red</color></prop></set></propertyupdate>`;
  expect((await dav("PROPPATCH /large/f1200", { body })).status).toBe(207);
  expect(await statusOf("COPY /large", to("/target", { overwrite: "F" }))).toBe(412);
  expect(await statusOf("COPY /large", to("/target"))).toBe(204);
  const copy = await nodeNamed("target");
  expect([copy.id === id, (await api("GET /api/drive/trash")).nodes.length]).toEqual([false, 1]);
  expect((await dav("PROPFIND /target/f1200", { headers: { depth: "0" } })).text).toContain("red");
  const { n } = world.node.ctx.db.raw
    .query<{ n: number }, [string]>("SELECT count(*) AS n FROM drive_nodes WHERE parent_id = ?")
    .get(copy.id) ?? { n: 0 };
  expect(n).toBe(1_200);
});
