import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { readdirSync } from "node:fs";
import { type ClientRequest, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { openS3Node, type S3Node } from "../../../../../tests/kit/s3-node.ts";
import { createSignedCalls, type SignedCalls } from "../../../../../tests/kit/signed-calls.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { seconds } from "../../../../lib/duration.ts";

let world: S3Node;
/** A key that is removed, and calls with it. */
let ending: { access_key: string; s3: SignedCalls };
beforeEach(async () => {
  world = await openS3Node(["docs"]);
  const grants = [{ bucket: "docs", read: true, write: true, owner: true }];
  const { body } = await world.node.call("POST /api/objects/access-keys", {
    as: "admin",
    body: { name: "ending", grants },
  });
  ending = { access_key: body.access_key, s3: createSignedCalls(world.url, body, world.node.clock.now) };
  await world.s3("PUT", "docs", { key: "kept", body: "good" });
});
afterEach(() => world.close());

const removeKey = () => world.node.call(`DELETE /api/objects/access-keys/${ending.access_key}`, { as: "admin" });
const kept = async () => (await world.s3("GET", "docs", { key: "kept" })).text;

interface Begun {
  request: ClientRequest;
  /** Status and code of the answer; null where the connection ended without one. */
  answer: Promise<[number, string | null] | null>;
}

/** Sends a head and a part of the body that it promises. */
function begin(method: string, path: string, headers: Record<string, string>, body: string, part: number): Begun {
  const { hostname, port } = new URL(world.url);
  const length = { "content-length": String(body.length) };
  const answered = Promise.withResolvers<[number, string | null] | null>();
  const request = httpRequest({ method, path, headers: { ...headers, ...length }, hostname, port }, (response) => {
    let text = "";
    response.on("data", (piece: Buffer) => {
      text += piece.toString();
    });
    response.on("close", () => answered.resolve([response.statusCode ?? 0, /<Code>(.*?)</.exec(text)?.[1] ?? null]));
  });
  request.on("error", () => answered.resolve(null));
  request.write(body.slice(0, part));
  return { request, answer: answered.promise };
}

/** The same once the port waits for the rest. */
async function beginSigned(
  method: string,
  about: { key?: string; query?: Record<string, string> },
  body: string,
  left = 3,
) {
  const { path, headers } = ending.s3.lasting(method, "docs", about);
  const asked = spyOn(world.node.ctx.ids, "token");
  const begun = begin(method, path, headers, body, body.length - left);
  await until(() => asked.mock.calls.length > 0, { everyMs: 1, what: "the request" });
  asked.mockRestore();
  return begun;
}

const LARGE = "E".repeat(200_000);
const wholeUpload = async () => {
  const begun = await ending.s3("POST", "docs", { key: "kept", query: { uploads: "" } });
  const uploadId = /<UploadId>(.*?)</.exec(begun.text)?.[1] ?? "";
  const part = await ending.s3("PUT", "docs", { key: "kept", query: { uploadId, partNumber: "1" }, body: "E" });
  return { uploadId, etag: part.headers.get("etag") ?? "" };
};

test.each([
  ["a large object", async () => await beginSigned("PUT", { key: "kept" }, LARGE)],
  ["a small one", async () => await beginSigned("PUT", { key: "kept" }, "EEEEEE")],
  [
    "a part",
    async () => {
      const { uploadId } = await wholeUpload();
      return await beginSigned("PUT", { key: "kept", query: { uploadId, partNumber: "2" } }, LARGE);
    },
  ],
  [
    "the end of an upload",
    async () => {
      const { uploadId, etag } = await wholeUpload();
      const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part></CompleteMultipartUpload>`;
      return await beginSigned("POST", { key: "kept", query: { uploadId } }, body);
    },
  ],
  [
    "many removals",
    async () =>
      await beginSigned("POST", { query: { delete: "" } }, "<Delete><Object><Key>kept</Key></Object></Delete>"),
  ],
  [
    "tags",
    async () =>
      await beginSigned(
        "PUT",
        { key: "kept", query: { tagging: "" } },
        "<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>",
      ),
  ],
  [
    "rules of the bucket",
    async () =>
      await beginSigned(
        "PUT",
        { query: { cors: "" } },
        "<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule></CORSConfiguration>",
      ),
  ],
])("%s that a key began is refused the moment the key is removed, before the rest of it comes", async (_, start) => {
  const { request, answer } = await start();
  expect((await removeKey()).status).toBe(204);
  expect(await answer).toEqual([403, "AccessDenied"]);
  request.destroy();
  expect(await kept()).toBe("good");
  expect((await world.s3("GET", "docs", { query: { cors: "" } })).status).toBe(404);
  expect((await world.s3("GET", "docs", { key: "kept", query: { tagging: "" } })).text).not.toContain("<Key>a</Key>");
  expect(readdirSync(join(world.node.ctx.objectStore.folder() ?? "", "incoming"))).toEqual([]);
});

test("the file of a form is refused the moment the key that signed it is removed", async () => {
  const asked = spyOn(world.node.ctx.objectStore, "receive");
  const fields = world.signForm([{ bucket: "docs" }, ["starts-with", "$key", ""]]);
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, key: "kept" })) form.append(name, value);
  form.append("file", new File([LARGE], "a.txt"));
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "";
  const body = await encoded.text();
  const { answer } = begin("POST", "/docs", { "content-type": type }, body, body.length - 100);
  await until(() => asked.mock.calls.length > 0, { everyMs: 1, what: "the file" });
  asked.mockRestore();
  const signer = fields["x-amz-credential"]?.split("/")[0];
  await world.node.call(`DELETE /api/objects/access-keys/${signer}`, { as: "admin" });
  expect(await answer).toEqual([403, "AccessDenied"]);
  expect((await ending.s3("GET", "docs", { key: "kept" })).text).toBe("good");
});

test("what came in whole is dropped where its key is removed before it is stored", async () => {
  const { objectStore } = world.node.ctx;
  const receive = objectStore.receive;
  const coming = spyOn(objectStore, "receive").mockImplementation(async () => {
    const incoming = await receive();
    return {
      ...incoming,
      finish: async () => {
        const blob = await incoming.finish();
        await removeKey();
        return blob;
      },
    };
  });
  const stored = await ending.s3("PUT", "docs", { key: "kept", body: LARGE });
  coming.mockRestore();
  expect([stored.status, stored.code]).toEqual([403, "AccessDenied"]);
  expect(await kept()).toBe("good");
  await objectStore.tidy();
  const files = readdirSync(join(objectStore.folder() ?? "", "blobs"), { recursive: true, withFileTypes: true });
  expect(files.filter((file) => file.isFile())).toEqual([]);
});

test("a body of which nothing comes for a minute is given up, and one of which something comes is not", async () => {
  const silent = await beginSigned("PUT", { key: "silent" }, LARGE);
  const slow = await beginSigned("PUT", { key: "slow" }, LARGE, 1_000);
  const ends: string[] = [];
  const silence = silent.answer.finally(() => ends.push("silent"));
  const slowness = slow.answer.finally(() => ends.push("slow"));
  let sent = 0;
  await until(
    async () => {
      slow.request.write("E");
      sent += 1;
      await world.node.clock.advance(seconds(5));
      return ends.length > 0;
    },
    { everyMs: 5, what: "the end of the silent body" },
  );
  expect([await silence, ends]).toEqual([[400, "RequestTimeout"], ["silent"]]);
  slow.request.end("E".repeat(1_000 - sent));
  expect(await slowness).toEqual([200, null]);
});

/** Begins to read an object, lets something happen, and reads on; how many bytes of it came. */
async function readThrough(
  path: string,
  headers: Record<string, string>,
  meanwhile: () => Promise<{ status: number }>,
) {
  const { hostname, port } = new URL(world.url);
  const lines = Object.entries({ connection: "close", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  let bytes = -1;
  const over = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  socket.on("data", (piece: Buffer) => {
    if (bytes === -1) {
      socket.pause();
      bytes = -(piece.indexOf("\r\n\r\n") + 4);
    }
    bytes += piece.length;
    begun.resolve();
  });
  socket.on("error", () => {}).on("close", over.resolve);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  await begun.promise;
  expect((await meanwhile()).status).toBeLessThan(300);
  socket.resume();
  await over.promise;
  return bytes;
}

/** More than connections hold. */
const HUGE = 32_000_000;

test("an object that is on its way goes no further once the key is removed or the bucket is for everybody no more", async () => {
  await world.s3("PUT", "docs", { key: "huge", body: "E".repeat(HUGE) });
  const { path, headers } = ending.s3.lasting("GET", "docs", { key: "huge" });
  const other = () => world.node.call("POST /api/objects/buckets", { as: "admin", body: { name: "other" } });
  expect(await readThrough(path, headers, other)).toBe(HUGE);
  expect(await readThrough(path, headers, removeKey)).toBeLessThan(HUGE);
  const settings = "/api/objects/buckets/docs/settings";
  const { body: now } = await world.node.call(`GET ${settings}`, { as: "admin" });
  const publish = (visibility: string) =>
    world.node.call(`PUT ${settings}`, { as: "admin", body: { ...now, visibility } });
  expect((await publish("public")).status).toBe(200);
  const host = { host: new URL(world.url).host };
  expect(await readThrough("/docs/huge", host, () => publish("private"))).toBeLessThan(HUGE);
});
