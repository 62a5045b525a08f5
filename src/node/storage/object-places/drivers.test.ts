import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openGarage } from "../../../../tests/kit/garage.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { openS3Node } from "../../../../tests/kit/s3-node.ts";

/** The same cases on each of who can keep the objects, all through the routes. */
interface World {
  node: TestNode;
  /** Makes a bucket that the node may work with. */
  prepare(name: string): Promise<void>;
  close(): Promise<void>;
}

const NAMES = ["listed", "again", "browsed", "paged", "empty", "given-up", "missing", "removed", "odd"];
/**
 * An empty store of another maker, by hand: `S3_PEER="http://127.0.0.1:7480 ACCESS SECRET"`. It is asked the same, through a key that may
 * make buckets.
 */
const [PEER = "", PEER_KEY = "", PEER_SECRET = ""] = (process.env["S3_PEER"] ?? "").split(" ");
const KINDS = ["embedded", "garage", "s3", ...(PEER === "" ? [] : (["peer"] as const))] as const;
type Kind = "embedded" | "garage" | "s3" | "peer";

async function openNode(place: object | null, isNow = false): Promise<TestNode> {
  const node = createTestNode({ s3_listen: "127.0.0.1:0" });
  // Others look at their own clock.
  if (isNow) node.clock.jump(Date.now() - node.clock.now());
  node.ctx.objects.start?.();
  if (place === null) return node;
  const { status, body } = await node.call("PUT /api/objects/place", { as: "admin", body: place });
  expect([status, body]).toMatchObject([200, place === null ? {} : { changed_at: expect.any(String) }]);
  return node;
}

async function closeNode(node: TestNode): Promise<void> {
  await node.ctx.objects.stop();
  await node.ctx.objectStore.stop();
  node.close();
}

async function makeThrough(node: TestNode, name: string): Promise<void> {
  const { status } = await node.call("POST /api/objects/buckets", { as: "admin", body: { name } });
  expect(status).toBe(201);
}

const worlds: Record<Kind, () => Promise<World>> = {
  async embedded() {
    const node = await openNode(null);
    return { node, prepare: (name) => makeThrough(node, name), close: () => closeNode(node) };
  },
  async garage() {
    const garage = await openGarage();
    const node = await openNode(garage.place);
    return {
      node,
      prepare: (name) => makeThrough(node, name),
      async close() {
        await closeNode(node);
        await garage.close();
      },
    };
  },
  async peer() {
    const keys = { access_key: PEER_KEY, secret_key: PEER_SECRET };
    const node = await openNode({ kind: "s3", endpoint: PEER, region: "us-east-1", ...keys }, true);
    return { node, prepare: (name) => makeThrough(node, name), close: () => closeNode(node) };
  },
  async s3() {
    const other = await openS3Node(NAMES);
    const grants = NAMES.map((bucket) => ({ bucket, read: true, write: true, owner: true }));
    const { body } = await other.node.call("POST /api/objects/access-keys", {
      as: "admin",
      body: { name: "a node", grants },
    });
    const { access_key, secret_key } = body;
    const node = await openNode({ kind: "s3", endpoint: other.url, region: "us-east-1", access_key, secret_key });
    return {
      node,
      // They are there: keys of that store make none.
      prepare: async () => {},
      async close() {
        await closeNode(node);
        await other.close();
      },
    };
  },
};

/** Data only: keys and settings are a matter of that store. */
const isS3 = (kind: Kind): boolean => kind === "s3" || kind === "peer";

const ODD = ["a", "a/b", "a//b", "x/../y", "&+-é\"'() %2F.txt", "ü/ß", " blank ", "tail/", "k".repeat(1_000)];

for (const kind of KINDS) {
  describe(kind, () => {
    let world: World;
    beforeAll(async () => {
      world = await worlds[kind]();
    });
    afterAll(() => world.close());

    const call = (route: string, body?: unknown) => world.node.call(route, { as: "admin", body });
    const contentOf = (bucket: string, key: string) =>
      `/api/objects/buckets/${bucket}/content?key=${encodeURIComponent(key)}`;

    async function send(bucket: string, key: string, parts: readonly string[]) {
      const base = `/api/objects/buckets/${bucket}/uploads`;
      const begun = await call(`POST ${base}`, { key, type: "text/plain" });
      expect([begun.status, begun.body]).toEqual([201, { upload_id: expect.any(String), part_bytes: 6_291_456 }]);
      const sent = [];
      for (const [index, body] of parts.entries()) {
        const part = await world.node.call(`PUT ${base}/${begun.body.upload_id}?number=${index + 1}`, {
          as: "admin",
          body,
          headers: { "content-type": "application/octet-stream" },
        });
        expect(part.body).toEqual({ number: index + 1, etag: expect.stringMatching(/^[0-9a-f]{32}$/) });
        sent.push(part.body);
      }
      return { place: `${base}/${begun.body.upload_id}`, parts: sent };
    }

    async function store(bucket: string, key: string, body = `hello ${key}`) {
      const { place, parts } = await send(bucket, key, [body]);
      const done = await call(`POST ${place}/finish`, { parts });
      expect([done.status, done.body]).toEqual([
        200,
        { key, size_bytes: Buffer.byteLength(body), etag: expect.any(String), modified_at: expect.any(String) },
      ]);
    }

    test("an upload whose end was not heard of is asked for once more by its key, and is no second one", async () => {
      await world.prepare("again");
      world.node.events.length = 0;
      const { place, parts } = await send("again", "one", ["first"]);
      const done = await call(`POST ${place}/finish`, { parts, key: "one" });
      expect(done.status).toBe(200);
      const again = await call(`POST ${place}/finish`, { parts, key: "one" });
      expect([again.status, again.body]).toEqual([200, done.body]);
      expect(world.node.events.filter(({ name }) => name === "objects.uploaded")).toHaveLength(1);
      for (const end of [
        { parts },
        { parts, key: "two" },
        { parts: [{ number: 1, etag: "0".repeat(32) }], key: "one" },
      ])
        expect((await call(`POST ${place}/finish`, end)).body.code).toBe("objstore_upload_not_found");
    });

    test("buckets are listed with what is known of them", async () => {
      await world.prepare("listed");
      await store("listed", "one", "12345");
      const { buckets } = (await call("GET /api/objects/buckets")).body;
      const known = isS3(kind) ? { size_bytes: null, object_count: null } : { size_bytes: 5, object_count: 1 };
      expect(buckets.find(({ name }: { name: string }) => name === "listed")).toEqual({
        ...{
          name: "listed",
          created_at: kind === "peer" ? expect.any(String) : "2026-01-01T00:00:00.000Z",
          visibility: "private",
          reserved: false,
          ...known,
        },
      });
      expect((await world.node.call("GET /api/objects/buckets", { as: "viewer" })).status).toBe(200);
    });

    test("objects are stored, browsed by folders, fetched and removed", async () => {
      await world.prepare("browsed");
      for (const key of ["a.txt", "trips/2026/ü.txt", "trips/b.txt"]) await store("browsed", key);
      const top = (await call("GET /api/objects/buckets/browsed/objects")).body;
      expect(top).toEqual({
        folders: ["trips/"],
        objects: [{ key: "a.txt", size_bytes: 11, etag: expect.any(String), modified_at: expect.any(String) }],
        next: null,
      });
      const below = (await call("GET /api/objects/buckets/browsed/objects?prefix=trips/")).body;
      expect([below.folders, below.objects.map(({ key }: { key: string }) => key)]).toEqual([
        ["trips/2026/"],
        ["trips/b.txt"],
      ]);
      const file = await call(`GET ${contentOf("browsed", "trips/2026/ü.txt")}`);
      expect([file.body, file.headers.get("content-length"), file.headers.get("content-disposition")]).toEqual([
        "hello trips/2026/ü.txt",
        "23",
        "attachment; filename*=UTF-8''%C3%BC.txt",
      ]);
      expect((await call(`DELETE ${contentOf("browsed", "a.txt")}`)).status).toBe(204);
      const gone = [
        await call(`DELETE ${contentOf("browsed", "a.txt")}`),
        await call(`GET ${contentOf("browsed", "a.txt")}`),
      ];
      expect(gone.map(({ body }) => body.code)).toEqual(["objstore_object_not_found", "objstore_object_not_found"]);
      await world.node.ctx.bus.idle();
      const told = world.node.events.filter(({ name }) => ["objects.uploaded", "objects.removed"].includes(name));
      expect(told.filter(({ data }) => JSON.stringify(data).includes('"browsed"'))).toHaveLength(4);
    });

    test("keys of every kind come back as they were sent", async () => {
      await world.prepare("odd");
      for (const key of ODD) await store("odd", key, `this is ${key}`);
      for (const key of ODD) expect((await call(`GET ${contentOf("odd", key)}`)).body).toBe(`this is ${key}`);
      const { objects, folders } = (await call("GET /api/objects/buckets/odd/objects")).body;
      const flat = ODD.filter((key) => !key.includes("/"));
      expect(objects.map(({ key }: { key: string }) => key).sort()).toEqual(flat.sort());
      expect(folders.sort()).toEqual(["a/", "tail/", "x/", "ü/"]);
      for (const key of ODD) expect((await call(`DELETE ${contentOf("odd", key)}`)).status).toBe(204);
      const long = await call("POST /api/objects/buckets/odd/uploads", { key: "ü".repeat(600), type: "" });
      expect(long.body).toMatchObject({ code: "invalid_request", params: { field: "key" } });
      expect((await call(`GET ${contentOf("odd", "")}`)).body.code).toBe("objstore_object_not_found");
    });

    test("a large bucket comes page by page", async () => {
      await world.prepare("paged");
      const keys = Array.from({ length: 203 }, (_, index) => `n/${String(index).padStart(3, "0")}`);
      const put = async (key: string) => {
        const { place } = await send("paged", key, []);
        await call(`POST ${place}/finish`, { parts: [] });
      };
      await Promise.all(keys.map(put));
      const first = (await call("GET /api/objects/buckets/paged/objects?prefix=n/")).body;
      expect(first.objects).toHaveLength(200);
      const second = (await call(`GET /api/objects/buckets/paged/objects?prefix=n/&after=${first.next}`)).body;
      expect([...first.objects, ...second.objects].map(({ key }) => key)).toEqual(keys);
      expect(second.next).toBe(null);
    });

    test("a file without bytes is one, and what is given up leaves nothing", async () => {
      await world.prepare("empty");
      const { place } = await send("empty", "nothing", []);
      const done = await call(`POST ${place}/finish`, { parts: [] });
      expect([done.status, done.body.size_bytes]).toEqual([200, 0]);
      const other = await send("empty", "given up", ["half"]);
      expect((await call(`DELETE ${other.place}`)).status).toBe(204);
      for (const answer of [
        await call(`POST ${other.place}/finish`, { parts: other.parts }),
        await call(`DELETE ${other.place}`),
        await call("DELETE /api/objects/buckets/empty/uploads/upl_01"),
      ])
        expect([answer.status, answer.body.code]).toEqual([404, "objstore_upload_not_found"]);
      const { objects } = (await call("GET /api/objects/buckets/empty/objects")).body;
      expect(objects.map(({ key }: { key: string }) => key)).toEqual(["nothing"]);
    });

    test("parts that are others than were sent make no object", async () => {
      await world.prepare("given-up");
      const { place } = await send("given-up", "large", ["one"]);
      const refused = await call(`POST ${place}/finish`, { parts: [{ number: 1, etag: "0".repeat(32) }] });
      expect([refused.status, refused.body.code]).toEqual([409, "objstore_upload_incomplete"]);
      const body = "x".repeat(8 * 1024 * 1024 + 1);
      const headers = { "content-type": "application/octet-stream" };
      const large = await world.node.call(`PUT ${place}?number=1`, { as: "admin", body, headers });
      expect([large.status, large.body.code]).toEqual([413, "payload_too_large"]);
    });

    test("a bucket that is not there, and the Drive's, are told apart", async () => {
      for (const route of ["GET /api/objects/buckets/nobody/objects", `GET ${contentOf("nobody", "a")}`]) {
        const { status, body } = await call(route);
        // A store that hides what a key may not see says the same of both.
        if (kind === "s3") expect([404, 502]).toContain(status);
        else expect([status, body.code]).toEqual([404, "objstore_bucket_not_found"]);
      }
      for (const route of [
        "GET /api/objects/buckets/service-drive/objects",
        "DELETE /api/objects/buckets/service-drive",
      ])
        expect((await call(route)).body.code).toBe("objstore_bucket_reserved");
      const made = await call("POST /api/objects/buckets", { name: "service-drive" });
      expect([made.status, made.body.code]).toEqual([409, "objstore_bucket_reserved"]);
    });

    test("only an empty bucket is removed, and it is on record", async () => {
      await world.prepare("removed");
      await store("removed", "a");
      const full = await call("DELETE /api/objects/buckets/removed");
      expect([full.status, full.body.code]).toEqual([409, "objstore_bucket_not_empty"]);
      await call(`DELETE ${contentOf("removed", "a")}`);
      expect((await call("DELETE /api/objects/buckets/removed")).status).toBe(204);
      const { buckets } = (await call("GET /api/objects/buckets")).body;
      expect(buckets.map(({ name }: { name: string }) => name)).not.toContain("removed");
      await world.node.ctx.bus.idle();
      expect(world.node.events.map(({ name }) => name)).toContain("objects.bucket_removed");
    });

    test("who keeps the objects is said with the address", async () => {
      const { body } = await call("GET /api/objects/endpoint");
      expect(body).toMatchObject({
        kept: isS3(kind) ? "s3" : kind,
        path_style: true,
        signature: "v4",
        secure: false,
        problem: null,
      });
      if (kind !== "embedded")
        expect(body).toMatchObject({ status: "listening", internal: body.url, host: "127.0.0.1" });
    });

    if (isS3(kind)) {
      test("keys and settings are the store's own matter, and that is said", async () => {
        for (const [route, body] of [
          ["GET /api/objects/access-keys"],
          ["POST /api/objects/access-keys", { name: "a", grants: [] }],
          ["DELETE /api/objects/access-keys/AK"],
          ["POST /api/objects/access-keys/AK/test"],
        ] as const) {
          const answer = await call(route, body);
          expect([answer.status, answer.body.code]).toEqual([409, "objstore_keys_elsewhere"]);
          expect(answer.body.message).toContain("the S3 store 127.0.0.1");
        }
        const settings = await call("GET /api/objects/buckets/listed/settings");
        expect([settings.status, settings.body.code]).toEqual([409, "objstore_place_cannot"]);
        const open = await call("POST /api/objects/buckets", { name: "open", visibility: "public" });
        expect([open.status, open.body.code]).toEqual([409, "objstore_place_cannot"]);
        const made = await call("POST /api/objects/buckets", { name: "made-here" });
        if (kind === "peer") expect(made.status).toBe(201);
        else expect([made.status, made.body.code]).toEqual([502, "objstore_place_refused"]);
        if (kind === "s3") expect(made.body.message).toContain("AccessDenied");
      });
      return;
    }

    test("a bucket is made once", async () => {
      const made = await call("POST /api/objects/buckets", { name: "made" });
      expect([made.status, made.body.name, made.body.object_count]).toEqual([201, "made", 0]);
      const again = await call("POST /api/objects/buckets", { name: "made" });
      expect([again.status, again.body.code]).toEqual([409, "objstore_bucket_exists"]);
    });

    test("the secret of a key is said once, it is tested, and its grants end with their bucket", async () => {
      for (const name of ["keyed", "keyed-too"]) await makeThrough(world.node, name);
      const grant = { bucket: "keyed", read: true, write: false, owner: false };
      const grants = [grant, { ...grant, bucket: "keyed-too", write: true }, { ...grant, owner: true }];
      const made = await call("POST /api/objects/access-keys", { name: "  restic ", grants });
      const { secret_key, secret_is_one_shot, ...shown } = made.body;
      expect([made.status, shown, secret_is_one_shot]).toEqual([
        201,
        {
          access_key: expect.stringMatching(/^(OR|GK)/),
          name: "restic",
          status: "active",
          grants: [
            { ...grant, owner: true },
            { ...grant, bucket: "keyed-too", write: true },
          ],
        },
        true,
      ]);
      expect((await call("GET /api/objects/access-keys")).body).toEqual({ access_keys: [shown] });
      await world.node.ctx.objects.settled();
      const key = `/api/objects/access-keys/${shown.access_key}`;
      // The store of this server is asked as a program would, whose clock stands elsewhere: the compiled node shows that it works.
      const works = { ok: true, words: "It works: keyed was listed with it through S3.", next_step: null };
      expect((await call(`POST ${key}/test`)).body).toMatchObject(kind === "garage" ? works : { ok: false });
      await call("DELETE /api/objects/buckets/keyed");
      const { access_keys } = (await call("GET /api/objects/access-keys")).body;
      expect(access_keys[0].grants).toEqual([{ ...grant, bucket: "keyed-too", write: true }]);
      await world.node.ctx.bus.idle();
      const audit = (await call("GET /api/audit/logs")).body;
      expect(JSON.stringify([world.node.events, audit])).not.toContain(secret_key);
      expect((await call(`DELETE ${key}`)).status).toBe(204);
      expect((await call(`DELETE ${key}`)).body.code).toBe("objstore_key_not_found");
      expect((await call(`POST ${key}/test`)).body.code).toBe("objstore_key_not_found");
    });

    test("a key that cannot be made leaves nothing behind", async () => {
      await makeThrough(world.node, "granted");
      const grant = { read: true, write: true, owner: false };
      const make = (grants: unknown[], more: object = {}) =>
        call("POST /api/objects/access-keys", { name: "restic", grants, ...more });
      const refused = [
        await make([
          { ...grant, bucket: "granted" },
          { ...grant, bucket: "nothing" },
        ]),
        await make([{ ...grant, bucket: "service-drive" }]),
        await make([], { policy: { Statement: [] } }),
      ];
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
        [404, "objstore_bucket_not_found"],
        [409, "objstore_bucket_reserved"],
        [400, "objstore_policy_unsupported"],
      ]);
      expect((await call("GET /api/objects/access-keys")).body).toEqual({ access_keys: [] });
    });

    test("settings are replaced all at once", async () => {
      await makeThrough(world.node, "settled");
      const rule = { id: "old", enabled: true, prefix: "logs/", tags: [], larger_than: null, smaller_than: null };
      const rules = [{ ...rule, after_days: 30, on_date: null, upload_days: 7 }];
      const website = { index: "start.html", error: "error.html" };
      const quota = kind === "garage" ? { quota: { max_bytes: 1_000_000, max_objects: null } } : {};
      const route = "PUT /api/objects/buckets/settled/settings";
      const given = { visibility: "public", website, rules, ...quota };
      expect((await call(route, given)).body).toEqual(given);
      expect((await call("GET /api/objects/buckets/settled/settings")).body).toEqual(given);
      const plain = { visibility: "private", website: null, rules: [] };
      const none = kind === "garage" ? { quota: { max_bytes: null, max_objects: null } } : {};
      expect((await call(route, { ...plain, ...none })).body).toEqual({ ...plain, ...none });
      const wrong = await call(route, { ...plain, rules: [{ ...rules[0], after_days: null, upload_days: null }] });
      expect(wrong.body).toMatchObject({ code: "invalid_request", params: { field: "rules.0.after_days" } });
    });
  });
}
