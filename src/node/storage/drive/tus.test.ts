import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { Upload } from "tus-js-client";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { closeStorageNode, openStorageNode, stopStorage } from "../../../../tests/kit/storage-node.ts";
import { days } from "../../../lib/duration.ts";
import type { Role } from "../../access.ts";
import { CHUNK_BYTES } from "./contract.ts";

let node: TestNode;
beforeEach(() => {
  node = openStorageNode();
});
afterEach(() => closeStorageNode(node));

/** Ends the node and starts another on what it left. */
async function restart(): Promise<void> {
  await stopStorage(node);
  node = openStorageNode({}, node);
}

const sumOf = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
/** A whole chunk and a bit. */
const FILE = new Uint8Array(CHUNK_BYTES + 50_000).map((_, at) => (at * 31 + Math.floor(at / CHUNK_BYTES)) % 251);
const named = (name: string): string => `filename ${Buffer.from(name).toString("base64")}`;

async function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body: Uint8Array<ArrayBuffer> | null = null,
  as: Role = "admin",
) {
  const token = { authorization: `Bearer ${await node.tokenOf(as)}`, host: "localhost", "tus-resumable": "1.0.0" };
  const request = new Request(`http://localhost${path}`, { method, headers: { ...token, ...headers }, body });
  const answer = await node.fetch(request);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, code: text === "" ? "" : JSON.parse(text).code };
}

const create = async (name: string, size: number, as: Role = "admin") =>
  await ask("POST", "/api/drive/upload", { "upload-length": String(size), "upload-metadata": named(name) }, null, as);
const append = async (path: string, offset: number, bytes: Uint8Array<ArrayBuffer>, more: object = {}) =>
  await ask(
    "PATCH",
    path,
    { "upload-offset": String(offset), "content-type": "application/offset+octet-stream", ...more },
    bytes,
  );
const files = async () => (await node.call("GET /api/drive/tree", { as: "admin" })).body.nodes;

test("a file comes by tus piece by piece, goes on after a restart from where it ended, and is what was sent", async () => {
  const made = await create("é.bin", FILE.length);
  const path = made.headers.get("location") ?? "";
  expect([made.status, made.headers.get("upload-offset")]).toEqual([201, "0"]);
  expect(Date.parse(made.headers.get("upload-expires") ?? "")).toBe(node.clock.now() + days(3));
  let offset = 0;
  for (const step of [1_000, 3_000_000, 700_000]) {
    const answer = await append(path, offset, FILE.slice(offset, offset + step));
    offset += step;
    expect([answer.status, answer.headers.get("upload-offset")]).toEqual([204, String(offset)]);
  }
  await restart();
  const head = await ask("HEAD", path);
  expect([head.headers.get("upload-offset"), head.headers.get("upload-length")]).toEqual([
    `${offset}`,
    `${FILE.length}`,
  ]);
  expect((await append(path, offset - 1, FILE.slice(offset - 1))).code).toBe("drive_upload_offset");
  expect(await files()).toEqual([]);
  expect((await append(path, offset, FILE.slice(offset))).headers.get("upload-offset")).toBe(String(FILE.length));
  expect(await files()).toMatchObject([{ name: "é.bin", size_bytes: FILE.length, sha256: sumOf(FILE) }]);
  expect((await ask("HEAD", path)).headers.get("upload-offset")).toBe(String(FILE.length));
});

test("what was cut off between its last byte and its end is a file as soon as anybody asks", async () => {
  const path = (await create("a", 5)).headers.get("location") ?? "";
  const put = new Request(`http://localhost${path}?number=1`, {
    method: "PUT",
    headers: { authorization: `Bearer ${await node.tokenOf("admin")}`, host: "localhost" },
    body: "hello",
  });
  expect((await node.fetch(put)).status).toBe(200);
  expect(await files()).toEqual([]);
  expect((await ask("HEAD", path)).headers.get("upload-offset")).toBe("5");
  expect(await files()).toMatchObject([{ name: "a", size_bytes: 5 }]);
});

test("bytes that are not what their sum says, too many, or of nobody's upload are refused and not kept", async () => {
  const path = (await create("a", 5)).headers.get("location") ?? "";
  const hello = new Uint8Array(Buffer.from("hello"));
  const sum = (text: string) => `sha1 ${new Bun.CryptoHasher("sha1").update(text).digest("base64")}`;
  expect(await append(path, 0, hello, { "upload-checksum": sum("other") })).toMatchObject({
    status: 460,
    code: "drive_upload_sum",
  });
  expect((await append(path, 0, hello, { "upload-checksum": "crc9 x" })).code).toBe("invalid_request");
  expect((await append(path, 0, new Uint8Array(6))).status).toBe(413);
  expect((await append(path, 0, hello, { "content-type": "text/plain" })).status).toBe(415);
  expect((await append(path, 0, hello, { "tus-resumable": "0.2.2" })).status).toBe(412);
  expect((await ask("HEAD", path, {}, null, "member")).status).toBe(404);
  expect((await ask("HEAD", path)).headers.get("upload-offset")).toBe("0");
  expect((await create("..", 5)).code).toBe("invalid_request");
  expect((await create("b", 10_000 * CHUNK_BYTES + 1)).status).toBe(413);
  expect((await append(path, 0, hello, { "upload-checksum": sum("hello") })).status).toBe(204);
  expect(await files()).toMatchObject([{ name: "a" }]);
  expect((await create("a", 5)).code).toBe("drive_name_taken");
});

test("what it can is said to whoever asks, and an upload that is given up is gone", async () => {
  const answer = await node.fetch(
    new Request("http://localhost/api/drive/upload", { method: "OPTIONS", headers: { host: "localhost" } }),
  );
  expect([answer.status, answer.headers.get("tus-extension")]).toEqual([
    204,
    "creation,termination,checksum,expiration",
  ]);
  const path = (await create("a", 5)).headers.get("location") ?? "";
  expect((await ask("DELETE", path)).status).toBe(204);
  expect((await ask("HEAD", path)).status).toBe(404);
  await create("empty", 0);
  expect(await files()).toMatchObject([{ name: "empty", size_bytes: 0 }]);
});

/** Counts the bytes that are read and written for uploads from here on. */
function countBytes() {
  const { objectStore } = node.ctx;
  const { open, receive } = { open: objectStore.open, receive: objectStore.receive };
  const count = { read: 0, written: 0, atOnce: 0, most: 0 };
  spyOn(objectStore, "open").mockImplementation((object, range) => {
    count.read += range.length;
    return open(object, range);
  });
  spyOn(objectStore, "receive").mockImplementation(async () => {
    count.atOnce += 1;
    count.most = Math.max(count.most, count.atOnce);
    const incoming = await receive();
    return {
      ...incoming,
      add(bytes) {
        count.written += bytes.length;
        return incoming.add(bytes);
      },
      finish: () =>
        incoming.finish().finally(() => {
          count.atOnce -= 1;
        }),
    };
  });
  return count;
}

test("a byte that is added costs about a byte, in few pieces, and what came little by little is the file that was sent", async () => {
  const path = (await create("a", FILE.length)).headers.get("location") ?? "";
  let offset = 2_000_000;
  await append(path, 0, FILE.slice(0, offset));
  const count = countBytes();
  for (const end = offset + 150; offset < end; offset += 1)
    expect((await append(path, offset, FILE.slice(offset, offset + 1))).status).toBe(204);
  expect(count.read + count.written).toBeLessThan(2_000);
  const id = path.split("/").at(-1) ?? "";
  const sum = (await node.call(`GET /api/drive/upload/${id}`, { as: "admin" })).body;
  expect(sum.received).toEqual([{ number: 1, size_bytes: offset, sha256: sumOf(FILE.slice(0, offset)) }]);
  const [part] = node.ctx.objectStore.listParts(id);
  expect(JSON.parse(part?.blobs ?? "").length).toBeLessThanOrEqual(64);
  await restart();
  const after = countBytes();
  for (const step of [1, 1, 2_000_000, 1, FILE.length]) {
    const answer = await append(path, offset, FILE.slice(offset, offset + step));
    offset = Math.min(FILE.length, offset + step);
    expect(answer.headers.get("upload-offset")).toBe(String(offset));
  }
  expect(after.written).toBeLessThan(CHUNK_BYTES + FILE.length);
  expect(await files()).toMatchObject([{ name: "a", size_bytes: FILE.length, sha256: sumOf(FILE) }]);
});

test("of one account two are written at a time, in the turn of each", async () => {
  const paths: string[] = [];
  for (const name of ["a", "b", "c", "d", "e"]) paths.push((await create(name, 9)).headers.get("location") ?? "");
  const count = countBytes();
  const answers = await Promise.all(paths.map((path) => append(path, 0, FILE.slice(0, 5))));
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
  expect(count.most).toBe(2);
});

test("a chunk that comes whole while its beginning comes by tus is not cut short", async () => {
  const path = (await create("a", 9)).headers.get("location") ?? "";
  await append(path, 0, FILE.slice(0, 3));
  const { objectStore } = node.ctx;
  const changing = spyOn(objectStore, "change");
  changing.mockImplementation(async (operation, whose) => {
    changing.mockRestore();
    const put = new Request(`http://localhost${path}?number=1`, {
      method: "PUT",
      headers: { authorization: `Bearer ${await node.tokenOf("admin")}`, host: "localhost" },
      body: FILE.slice(0, 9),
    });
    expect((await node.fetch(put)).status).toBe(200);
    return await objectStore.change(operation, whose);
  });
  expect((await append(path, 3, FILE.slice(3, 6))).code).toBe("drive_upload_busy");
  expect((await ask("HEAD", path)).headers.get("upload-offset")).toBe("9");
  expect(await files()).toMatchObject([{ name: "a", sha256: sumOf(FILE.slice(0, 9)) }]);
});

test("a client of others sends a file, breaks off, and goes on", async () => {
  const authorization = `Bearer ${await node.tokenOf("admin")}`;
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => node.fetch(request) });
  const sent: string[] = [];
  const upload = (url: string | null, until: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const going = new Upload(Buffer.from(FILE), {
        endpoint: `http://127.0.0.1:${server.port}/api/drive/upload`,
        uploadUrl: url,
        headers: { authorization },
        metadata: { filename: "by a client" },
        chunkSize: 1_500_000,
        retryDelays: null,
        onBeforeRequest: (request) => void sent.push(request.getMethod()),
        onError: reject,
        onSuccess: () => resolve(going.url ?? ""),
        onChunkComplete: (_, bytes) => {
          if (bytes >= until) void going.abort().then(() => resolve(going.url ?? ""));
        },
      });
      going.start();
    });
  try {
    const url = await upload(null, 3_000_000);
    await upload(url, Number.POSITIVE_INFINITY);
  } finally {
    await server.stop(true);
  }
  expect(sent).toEqual(["POST", "PATCH", "PATCH", "HEAD", "PATCH", "PATCH", "PATCH"]);
  expect(await files()).toMatchObject([{ name: "by a client", sha256: sumOf(FILE) }]);
});
