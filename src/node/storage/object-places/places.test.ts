import { afterEach, beforeEach, expect, test } from "bun:test";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { uploadTo } from "../../../../tests/kit/drive-node.ts";
import { openGarage } from "../../../../tests/kit/garage.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";

let node: TestNode;
let garage: Awaited<ReturnType<typeof openGarage>>;
const servers: Server[] = [];

beforeEach(async () => {
  node = createTestNode({ s3_listen: "127.0.0.1:0" });
  garage = await openGarage();
});
afterEach(async () => {
  await node.ctx.objects.stop();
  await node.ctx.objectStore.stop();
  node.close();
  await garage.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const choose = (place: object) => call("PUT /api/objects/place", place);
const tryOut = async (place: object) => (await call("POST /api/objects/place/test", place)).body;
const names = async () => {
  const { buckets } = (await call("GET /api/objects/buckets")).body;
  return buckets.map(({ name }: { name: string }) => name);
};

/** A server that answers as `listener` says; its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  return `http://127.0.0.1:${address.port}`;
}

/** A store of S3 that answers all with this. */
const storeOf = async (status: number, body: string, headers: Record<string, string> = {}) => ({
  ...{ kind: "s3", access_key: "AK", secret_key: "secret-of-the-store" },
  endpoint: await serve((request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  }),
});

test("a node keeps objects itself until it is told otherwise, and its own are there again afterwards", async () => {
  await call("POST /api/objects/buckets", { name: "own" });
  const own = { kind: "embedded", admin_url: null, endpoint: null, region: null, access_key: null, bucket: null };
  const here = { ...own, changed_at: null, buckets_here: 1 };
  expect((await call("GET /api/objects/place")).body).toEqual(here);
  expect(await tryOut({ kind: "embedded" })).toMatchObject({ ok: true });
  const found = await tryOut(garage.place);
  expect(found).toEqual({
    ok: true,
    words: "The cluster answers with 3 of 3 servers, and has 0 buckets.",
    next_step: null,
    warnings: [],
  });
  // A test changes nothing, here or there.
  expect([garage.keys.size, (await call("GET /api/objects/place")).body.kind]).toEqual([0, "embedded"]);
  const { admin_token, ...shown } = garage.place;
  expect((await choose(garage.place)).body).toEqual({
    ...own,
    ...shown,
    changed_at: "2026-01-01T00:00:00.000Z",
    buckets_here: 1,
  });
  expect(await names()).toEqual([]);
  await call("POST /api/objects/buckets", { name: "theirs" });
  expect([garage.keys.size, await names()]).toEqual([1, ["theirs"]]);
  expect((await choose({ kind: "embedded" })).body).toEqual(here);
  // The key that the node had there is gone with it.
  expect([garage.keys.size, await names()]).toEqual([0, ["own"]]);
  await node.ctx.bus.idle();
  const told = node.events.filter(({ name }) => name === "objects.place_changed").map(({ data }) => data);
  expect(told).toMatchObject([
    { before: "embedded", kind: "garage", place: expect.stringMatching(/^the Garage cluster 127/) },
    { before: "garage", kind: "embedded", place: "this server" },
  ]);
});

test("what opens a place is sealed, told nobody, and goes to no other address", async () => {
  await choose(garage.place);
  await call("GET /api/objects/buckets");
  const [own] = [...garage.keys.values()];
  const secrets = [garage.place.admin_token, own?.secret ?? "none"];
  await node.ctx.bus.idle();
  const rows = node.ctx.db.raw.query("SELECT * FROM object_place").all();
  const place = (await call("GET /api/objects/place")).body;
  const audit = (await call("GET /api/audit/logs")).body;
  for (const secret of secrets) expect(JSON.stringify([rows, place, audit, node.events])).not.toContain(secret);
  const { admin_token, ...known } = garage.place;
  // The node goes on with the key that it has.
  expect((await choose(known)).status).toBe(200);
  expect([...garage.keys.keys()]).toEqual([own?.id ?? ""]);
  const thief: string[] = [];
  const admin_url = await serve((request, response) => {
    thief.push(JSON.stringify(request.headers));
    response.end();
  });
  for (const input of [
    { ...known, admin_url },
    { ...known, kind: "s3", access_key: own?.id ?? "" },
  ]) {
    const { status, body } = await choose(input);
    expect([status, body.code]).toEqual([400, "invalid_request"]);
  }
  expect(thief).toEqual([]);
});

test.each([
  ["http://169.254.169.254/", "link-local"],
  ["http://100.100.100.200/", "metadata"],
  ["ftp://10.0.0.1/", "http://"],
  ["http://user:pass@10.0.0.1/", "user name"],
  ["not an address", "URL"],
  ["http://10.0.0.1/?a=b", "question mark"],
])("%s is no place", async (endpoint, reason) => {
  const { status, body } = await choose({ kind: "s3", endpoint, access_key: "AK", secret_key: "SK" });
  expect([status, body.params?.field]).toEqual([400, "endpoint"]);
  expect(body.message).toContain(reason);
});

test("neither this program itself nor a public server without TLS is a place", async () => {
  await call("POST /api/objects/access-keys", { name: "mine", grants: [] });
  node.ctx.objects.start?.();
  await node.ctx.objects.settled();
  const { url } = (await call("GET /api/objects/endpoint")).body;
  const own = await choose({ kind: "s3", endpoint: url, access_key: "AK", secret_key: "SK" });
  expect(own.body.message).toContain("this program itself");
  const open = await tryOut({ kind: "s3", endpoint: "http://8.8.8.8", access_key: "AK", secret_key: "SK" });
  expect(open).toMatchObject({ ok: false, words: expect.stringContaining("https:// is needed") });
});

test("nothing is chosen that does not answer as it should, and why is said", async () => {
  const wrong = { ...garage.place, admin_token: "another" };
  expect(await tryOut(wrong)).toMatchObject({ ok: false, words: expect.stringContaining("admin token is another") });
  const refused = await choose(wrong);
  expect([refused.status, refused.body.code]).toEqual([400, "objstore_place_unfit"]);
  garage.ways.isOld = true;
  expect((await tryOut(garage.place)).words).toContain("no admin API of version 2");
  garage.ways.isOld = false;
  // Another server is no admin API, and one that is none of S3 keeps nothing.
  expect((await tryOut({ ...garage.place, admin_url: garage.place.endpoint })).ok).toBe(false);
  expect((await tryOut({ ...garage.place, endpoint: garage.place.admin_url })).ok).toBe(false);
  garage.ways.closed.add("ListKeys");
  expect((await tryOut(garage.place)).words).toContain("does not cover ListKeys");
  garage.ways.closed.clear();
  garage.ways.status = "unavailable";
  expect((await tryOut(garage.place)).words).toContain("156 of 256 parts");
  Object.assign(garage.ways, { status: "degraded", servers: 2 });
  const { ok, warnings } = await tryOut(garage.place);
  expect([ok, warnings.length]).toEqual([true, 2]);
  expect([garage.keys.size, (await call("GET /api/objects/place")).body.kind]).toEqual([0, "embedded"]);
});

test("S3 of another cluster does not know the key that was made, which is taken back", async () => {
  const other = await openGarage();
  const { status, body } = await choose({ ...garage.place, endpoint: other.place.endpoint });
  await other.close();
  expect([status, body.code, garage.keys.size]).toEqual([400, "objstore_place_unfit", 0]);
  expect(body.message).toContain("same cluster");
});

test.each([
  [403, "its secret is another", "<Error><Code>SignatureDoesNotMatch</Code></Error>"],
  [403, "clock", "<Error><Code>RequestTimeTooSkewed</Code></Error>"],
  [403, "may not do that", "<Error><Code>AccessDenied</Code><Message>no</Message></Error>"],
  [400, "its region is another", "<Error><Code>AuthorizationHeaderMalformed</Code></Error>"],
  [301, "another region", "<Error><Code>PermanentRedirect</Code></Error>"],
  [200, "no XML of S3", "<html>hello</html"],
  [200, "larger than any", ""],
  [503, "SlowDown", "<Error><Code>SlowDown</Code></Error>"],
])("a store that answers with %i is not taken, and why is said: %s", async (status, words, body) => {
  const found = await tryOut(await storeOf(status, body || "x".repeat(9 * 1024 * 1024)));
  expect([found.ok, found.words]).toEqual([false, expect.stringContaining(words)]);
  expect(found.words).not.toContain("secret-of-the-store");
});

test("while the cluster is away, its token ends or it loses servers, each request says so", async () => {
  await choose(garage.place);
  garage.ways.closed.add("ListBuckets");
  const shut = await call("GET /api/objects/buckets");
  expect([shut.status, shut.body.code]).toEqual([502, "objstore_place_refused"]);
  garage.ways.isOld = true;
  const old = await call("GET /api/objects/access-keys");
  expect([old.status, old.body.code]).toEqual([502, "objstore_place_too_old"]);
  Object.assign(garage.ways, { isOld: false, status: "unavailable" });
  const { status, problem } = (await call("GET /api/objects/endpoint")).body;
  expect([status, problem]).toEqual(["failed", expect.stringContaining("too few servers")]);
  await garage.close();
  for (const route of ["GET /api/objects/buckets", "GET /api/objects/access-keys"]) {
    const away = await call(route);
    expect([away.status, away.body.code]).toEqual([503, "objstore_place_away"]);
    expect(away.body.message).toContain("the Garage cluster 127.0.0.1");
  }
  // This server can be chosen all the same.
  expect((await choose({ kind: "embedded" })).status).toBe(200);
  garage = await openGarage();
});

test("a right that somebody took from the node's key comes back when it is needed", async () => {
  await choose(garage.place);
  await call("POST /api/objects/buckets", { name: "taken" });
  const browse = () => call("GET /api/objects/buckets/taken/objects");
  expect((await browse()).status).toBe(200);
  garage.loseRights();
  expect((await browse()).status).toBe(200);
  expect(garage.asked.filter((endpoint) => endpoint === "AllowBucketKey")).toHaveLength(2);
});

test("buckets with several names, or none, and keys that have run out are shown as what they are", async () => {
  await choose(garage.place);
  await call("POST /api/objects/buckets", { name: "photos" });
  const [bucket] = [...garage.buckets.values()];
  bucket?.aliases.push("archive");
  const id = `${"0".repeat(63)}a`;
  garage.buckets.set(id, { id, created: "", aliases: [], website: null, quotas: { maxSize: null, maxObjects: null } });
  expect(await names()).toEqual([id, "archive"]);
  const { buckets } = (await call("GET /api/objects/buckets")).body;
  expect(buckets[1]).toMatchObject({ name: "archive", aliases: ["photos"] });
  expect(buckets[0].created_at).toBe(null);
  expect((await call(`DELETE /api/objects/buckets/${id}`)).status).toBe(204);
  await call("POST /api/objects/access-keys", { name: "old", grants: [] });
  for (const key of garage.keys.values()) key.expired = true;
  expect((await call("GET /api/objects/access-keys")).body.access_keys).toMatchObject([
    { name: "old", status: "expired" },
  ]);
  const own = [...garage.keys.values()].find(({ name }) => name.startsWith("Orrery"))?.id ?? "";
  // The node's own is nobody else's to see, test or remove.
  expect((await call(`DELETE /api/objects/access-keys/${own}`)).status).toBe(404);
});

test("a key whose rights cannot all be given is taken back", async () => {
  await choose(garage.place);
  await call("POST /api/objects/buckets", { name: "photos" });
  garage.ways.closed.add("AllowBucketKey");
  const grants = [{ bucket: "photos", read: true, write: false, owner: false }];
  const { status } = await call("POST /api/objects/access-keys", { name: "half", grants });
  expect([status, [...garage.keys.values()].map(({ name }) => name.slice(0, 6))]).toEqual([502, ["Orrery"]]);
  garage.ways.closed = new Set(["UpdateBucket"]);
  expect((await call("POST /api/objects/buckets", { name: "open", visibility: "public" })).status).toBe(502);
  expect(await names()).toEqual(["photos"]);
  garage.ways.closed.clear();
  const website = { index: "index.html", error: null };
  const shut = await call("PUT /api/objects/buckets/photos/settings", { visibility: "private", website, rules: [] });
  expect([shut.status, shut.body.code]).toEqual([409, "objstore_place_cannot"]);
});

test("a bucket of a store elsewhere is made in its region", async () => {
  const bodies: string[] = [];
  const endpoint = await serve(async (request, response) => {
    bodies.push(`${request.method} ${request.url} ${Buffer.concat(await Array.fromAsync(request))}`);
    response
      .writeHead(request.method === "HEAD" && request.url === "/abroad" ? 404 : 200)
      .end("<ListAllMyBucketsResult><Buckets></Buckets></ListAllMyBucketsResult>");
  });
  await choose({ kind: "s3", endpoint, region: "eu-west-3", access_key: "AK", secret_key: "SK" });
  const { status, body } = await call("POST /api/objects/buckets", { name: "abroad" });
  expect([status, body.name, body.size_bytes]).toEqual([201, "abroad", null]);
  expect(bodies.at(-1)).toStartWith("PUT /abroad <?xml");
  expect(bodies.at(-1)).toContain("<LocationConstraint>eu-west-3</LocationConstraint>");
  // Such a store says of what is there already that it made it.
  const again = await call("POST /api/objects/buckets", { name: "there" });
  expect([again.status, again.body.code]).toEqual([409, "objstore_bucket_exists"]);
});

test("a key that may not list buckets sees the one that is named", async () => {
  const endpoint = await serve((request, response) => {
    const mayList = request.url?.startsWith("/mine?");
    response.writeHead(mayList ? 200 : 403);
    response.end(mayList ? "<ListBucketResult></ListBucketResult>" : "<Error><Code>AccessDenied</Code></Error>");
  });
  const place = { kind: "s3", endpoint, access_key: "AK", secret_key: "SK" };
  expect(await tryOut(place)).toMatchObject({ ok: false, words: expect.stringContaining("may not do that") });
  expect((await choose({ ...place, bucket: "mine" })).body).toMatchObject({ kind: "s3", bucket: "mine" });
  expect(await names()).toEqual(["mine"]);
  expect((await call("GET /api/objects/endpoint")).body.status).toBe("listening");
  expect((await call("POST /api/objects/buckets", { name: "another" })).body.code).toBe("objstore_place_cannot");
});

test("a cluster says with a bare 404 that a bucket has no rules", async () => {
  const endpoint = await serve((request, response) => {
    const isStranger = request.headers.authorization?.includes("GK000000") === true;
    const hasNone = request.url?.includes("lifecycle") === true;
    response.writeHead(isStranger ? 403 : hasNone ? 404 : 200);
    const refused = "<Error><Code>AccessDenied</Code><Message>Forbidden: No such key</Message></Error>";
    response.end(isStranger ? refused : hasNone ? "" : "<ListAllMyBucketsResult></ListAllMyBucketsResult>");
  });
  await choose({ ...garage.place, endpoint });
  await call("POST /api/objects/buckets", { name: "plain" });
  expect((await call("GET /api/objects/buckets/plain/settings")).body.rules).toEqual([]);
});

test("the Drive keeps its files on this server whatever is chosen", async () => {
  await choose(garage.place);
  const before = garage.asked.length;
  expect(await uploadTo(node, "a.txt", new TextEncoder().encode("hello"))).toMatchObject({ id: expect.any(String) });
  expect((await call("GET /api/drive/tree")).body.nodes).toHaveLength(1);
  expect(garage.asked.length).toBe(before);
  expect(node.ctx.objectStore.listBuckets().map(({ name }) => name)).toEqual(["service-drive"]);
});

test("nothing is chosen while objects are brought over from another store", async () => {
  node.ctx.objects.holds.add(() => kernelFail("unavailable", { reason: "busy" }));
  expect((await choose(garage.place)).status).toBe(503);
});

test("an upload that nobody goes on with ends after a day, there too", async () => {
  await choose(garage.place);
  await call("POST /api/objects/buckets", { name: "photos" });
  await call("POST /api/objects/buckets/photos/uploads", { key: "large", type: "" });
  const count = () => node.ctx.db.raw.query("SELECT count(*) AS count FROM object_place_uploads").get();
  node.ctx.db.raw.query("UPDATE object_place_uploads SET started_at = started_at - 86400001").run();
  await node.ctx.jobs.run("object-places-uploads");
  expect(count()).toEqual({ count: 0 });
  // What was on its way there does not keep its bucket.
  expect((await call("DELETE /api/objects/buckets/photos")).status).toBe(204);
});

test("only admins see or change where objects are", async () => {
  for (const route of ["GET /api/objects/place", "PUT /api/objects/place", "POST /api/objects/place/test"]) {
    const body = route.startsWith("GET") ? undefined : { kind: "embedded" };
    expect((await node.call(route, { as: "member", body })).status).toBe(403);
  }
});
