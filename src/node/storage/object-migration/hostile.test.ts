/** A previous store that lies, stalls and never ends: the node says so, stays itself, and can be told to give up. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { writeMinioEnv } from "../../../../tests/kit/fake-minio.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { until } from "../../../../tests/kit/until.ts";
import { seconds } from "../../../lib/duration.ts";

/** The MD5 of `a`. */
const ETAG = "0cc175b9c0f1b6a831c399e269772661";

let node: TestNode;
let server: Server | null = null;
beforeEach(() => {
  node = createTestNode({ s3_listen: "127.0.0.1:0" });
  mkdirSync(join(node.dataDir, "minio", "data", ".minio.sys"), { recursive: true });
});
afterEach(async () => {
  await node.ctx.objectMigration.stop?.();
  await node.ctx.objects.stop();
  await node.ctx.objectStore.stop();
  node.close();
  server?.closeAllConnections();
  server?.close();
});

const bucketsOf = (...names: string[]): string =>
  `<ListAllMyBucketsResult><Buckets>${names.map((name) => `<Bucket><Name>${name}</Name></Bucket>`).join("")}</Buckets></ListAllMyBucketsResult>`;
const listOf = (...keys: [key: string, size: number | string][]): string =>
  `<ListBucketResult>${keys
    .map(([key, size]) => `<Contents><Key>${key}</Key><Size>${size}</Size><ETag>"${ETAG}"</ETag></Contents>`)
    .join("")}</ListBucketResult>`;

interface Hand {
  buckets?: string;
  /** A page after that key. */
  list?(after: string): string;
  object?(response: ServerResponse, key: string): void;
}

/** Starts bringing objects over from a store that answers so; tells how often it was asked. */
async function meet({ buckets = bucketsOf("photos"), list = () => listOf(), object }: Hand): Promise<() => number> {
  let asked = 0;
  const answer = (request: IncomingMessage, response: ServerResponse): unknown => {
    asked += 1;
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (pathname === "/") return response.end(buckets);
    if (searchParams.has("list-type")) return response.end(list(searchParams.get("start-after") ?? ""));
    if (searchParams.size > 0) return response.writeHead(404).end();
    if (object) return object(response, pathname.split("/").at(-1) ?? "");
    return response.writeHead(200, { "content-length": 1, etag: `"${ETAG}"` }).end("a");
  };
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  writeMinioEnv(node.dataDir, { user: "backup-admin", password: "a-long-secret-of-minio" }, port);
  node.ctx.objectMigration.start?.();
  return () => asked;
}

const report = async () => (await node.call("GET /api/objects/migration", { as: "admin" })).body;
const giveUp = () => node.call("POST /api/objects/migration/give-up", { as: "admin" });

test.each([
  ["goes round", { list: (after: string) => (after === "b" ? listOf(["a", 1]) : listOf(["b", 1])) }, /not in order/],
  ["has sizes below nothing", { list: () => listOf(["a", -5]) }, /not in order/],
  ["has sizes beyond all", { list: () => listOf(["a", "1e999"]) }, /not in order/],
  ["has keys that are no text", { list: () => listOf(["%FF%FE", 1]) }, /no text/],
  ["names buckets that are none", { buckets: bucketsOf("photos", "../../etc") }, /whose name is none/],
  ["has a bucket without a name", { buckets: bucketsOf("") }, /whose name is none/],
] as const)("a list that %s is refused at once, in words", async (_, hand, words) => {
  const asked = await meet(hand as Hand);
  await node.ctx.objectMigration.settled();
  const { migration, buckets } = await report();
  expect(migration).toMatchObject({ phase: "failed", error_code: "objstore_legacy_unavailable" });
  expect(migration.error).toMatch(words);
  expect(asked()).toBeLessThan(10);
  expect(buckets.length).toBeLessThanOrEqual(1);
});

test("a list without an end and an object that drips are given up as soon as somebody says so", async () => {
  const next = (after: string): string => `k${Number(after.slice(1) || 100_000) + 1}`;
  const asked = await meet({ list: (after) => listOf([next(after), 1]) });
  await until(() => asked() > 20, { what: "some pages" });
  expect((await giveUp()).status).toBe(200);

  server?.closeAllConnections();
  server?.close();
  let dripping = 0;
  const drip = (response: ServerResponse) => {
    response.writeHead(200, { "content-length": 1_000, etag: '"x"' });
    response.write("a");
    dripping += 1;
  };
  await meet({ list: (after) => (after === "" ? listOf(["a", 1_000]) : listOf()), object: drip });
  await node.call("POST /api/objects/migration/retry", { as: "admin", body: {} });
  await until(() => dripping > 0, { what: "the object" });
  expect((await giveUp()).body.migration).toMatchObject({ error_code: "objstore_migration_given_up" });
});

test("an object that comes too slowly to ever end is one that cannot be brought over", async () => {
  const drips = new Set<ServerResponse>();
  await meet({
    list: (after) => (after === "" ? listOf(["a", 1_000_000]) : listOf()),
    object(response) {
      response.writeHead(200, { "content-length": 1_000_000, etag: '"x"' });
      drips.add(response);
    },
  });
  await until(async () => {
    for (const response of drips) response.write("a");
    const { migration } = await report();
    if (migration?.phase === "copying" && drips.size > 0) await node.clock.advance(seconds(20));
    return migration?.phase === "failed";
  });
  expect((await report()).problems).toMatchObject([
    { object: "a", reason: expect.stringContaining("too little came") },
  ]);
});

test("an object with more headers than are read is named, and the others come over", async () => {
  const tooMany = Array.from({ length: 40 }, (_, at) => [`x-amz-meta-${at}`, "v".repeat(1_000)]);
  await meet({
    list: (after) =>
      listOf(...(["a", "b", "c"] as const).filter((key) => key > after).map((key) => [key, 1] as [string, number])),
    object: (response, key) =>
      response
        .writeHead(200, { "content-length": 1, etag: `"${ETAG}"`, ...(key === "b" ? Object.fromEntries(tooMany) : {}) })
        .end("a"),
  });
  await node.ctx.objectMigration.settled();
  const told = await report();
  expect(told.migration).toMatchObject({ phase: "failed", error_code: "objstore_migration_objects_failed", copied: 2 });
  expect(told.problems).toEqual([{ bucket: "photos", object: "b", reason: "The headers of the reply are too large." }]);
  await node.call("POST /api/objects/migration/retry", { as: "admin", body: { leave_out: true } });
  await until(async () => {
    if ((await report()).migration?.phase === "catching_up") await node.clock.advance(seconds(5));
    return (await report()).migration?.phase === "done";
  });
  expect(await report()).toMatchObject({ problem_count: 1, problems: [{ object: "b" }] });
});

test("a store that answers nothing at all is given up as soon as somebody says so", async () => {
  let waiting = 0;
  await meet({
    list: (after) => (after === "" ? listOf(["a", 1]) : listOf()),
    object: () => {
      waiting += 1;
    },
  });
  await until(() => waiting > 0, { what: "the object" });
  expect((await giveUp()).body.migration).toMatchObject({ error_code: "objstore_migration_given_up" });
});
