import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeMinioEnv } from "../../../../tests/kit/fake-minio.ts";
import { madeBytes } from "../../../../tests/kit/made-bytes.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { textsIn } from "../../../../tests/kit/s3-suite.ts";
import { createSignedCalls } from "../../../../tests/kit/signed-calls.ts";

/** A store of another maker in the place of a MinIO, by hand: `S3_PEER="http://127.0.0.1:7480 ACCESS SECRET"`. */
const [PEER = "", user = "", password = ""] = (process.env["S3_PEER"] ?? "").split(" ");

const ODD = [
  "a b+c.txt",
  'é & ü/"quoted"',
  "100%",
  "a",
  "a/b",
  "a//b",
  "//",
  '&+-é"/',
  "..",
  "a/../b",
  "k".repeat(1_000),
];
const PART = "p".repeat(6 * 1024 * 1024);
const SENT = {
  "content-type": "text/plain",
  "cache-control": "max-age=60",
  "x-amz-meta-camera": "Leica",
  "x-amz-tagging": "year=2024",
};

let node: TestNode;
beforeAll(() => {
  node = createTestNode({ s3_listen: "127.0.0.1:0" });
  // Others look at their own clock.
  node.clock.jump(Date.now() - node.clock.now());
});
afterAll(async () => {
  await node.ctx.objectMigration.stop?.();
  await node.ctx.objects.stop();
  await node.ctx.objectStore.stop();
  node.close();
});

async function bringOver(): Promise<void> {
  const bucket = `photos-${Date.now()}`;
  const peer = createSignedCalls(PEER, { access_key: user, secret_key: password }, Date.now);
  const ok = async (method: string, options: Parameters<typeof peer>[2] = {}) => {
    const answer = await peer(method, bucket, options);
    expect([options.key, answer.status < 300, answer.text]).toEqual([options.key, true, expect.any(String)]);
    return answer;
  };
  await ok("PUT");
  for (const key of ODD) await ok("PUT", { key, body: `this is ${key}`, headers: SENT });
  const many = Array.from({ length: 1_010 }, (_, index) => `many/${index}`);
  for (const key of many) await ok("PUT", { key, body: Buffer.from(madeBytes(key.length, 900)).toString("hex") });
  const { text } = await ok("POST", { key: "parts", query: { uploads: "" } });
  const uploadId = textsIn(text, /<UploadId>(.*?)</g)[0] ?? "";
  const lines = [];
  for (const [index, body] of [PART, "the end"].entries()) {
    const query = { uploadId, partNumber: String(index + 1) };
    const etag = (await ok("PUT", { key: "parts", query, body })).headers.get("etag");
    lines.push(`<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
  }
  const body = `<CompleteMultipartUpload>${lines.join("")}</CompleteMultipartUpload>`;
  await ok("POST", { key: "parts", query: { uploadId }, body });

  const data = join(node.dataDir, "minio", "data");
  mkdirSync(join(data, ".minio.sys"), { recursive: true });
  writeFileSync(join(data, ".minio.sys", "format.json"), "{}");
  writeMinioEnv(node.dataDir, { user, password }, Number(new URL(PEER).port));
  node.ctx.objectMigration.start?.();
  await node.ctx.objectMigration.settled();
  const { phase } = (await node.call("GET /api/components", { as: "admin" })).body.objstore;
  const report = (await node.call("GET /api/objects/migration", { as: "admin" })).body;
  expect([phase, report.problems]).toEqual(["done", []]);

  await node.ctx.objects.settled();
  const { url } = (await node.call("GET /api/objects/endpoint", { as: "admin" })).body;
  const here = createSignedCalls(url, { access_key: user, secret_key: password }, node.clock.now);
  for (const key of [...ODD, ...many, "parts"]) {
    const [there, mine] = [await peer("GET", bucket, { key }), await here("GET", bucket, { key })];
    expect([key, mine.text === there.text]).toEqual([key, true]);
    for (const name of ["etag", "content-type", "cache-control", "x-amz-meta-camera", "last-modified"])
      expect([key, name, mine.headers.get(name)]).toEqual([key, name, there.headers.get(name)]);
  }
  expect((await here("GET", bucket, { key: "a", query: { tagging: "" } })).text).toContain("<Value>2024</Value>");
}

if (PEER !== "") test("what another store has comes over with its keys, etags, notes and tags", bringOver, 120_000);
