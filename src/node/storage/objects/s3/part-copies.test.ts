import { expect, spyOn, test } from "bun:test";
import { ServerResponse } from "node:http";
import { connect } from "node:net";
import { openS3Node, type S3Node } from "../../../../../tests/kit/s3-node.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { kernelFail } from "../../../../kernel/http/errors.ts";

const MIB = 1024 * 1024;

/** A node with an object of so many bytes, and an upload that parts can be copied to. */
async function openWith(size: number): Promise<S3Node & { uploadId: string }> {
  const s3 = await openS3Node(["box"]);
  expect((await s3.s3("PUT", "box", { key: "big", body: "x".repeat(size) })).status).toBe(200);
  const { text } = await s3.s3("POST", "box", { key: "made", query: { uploads: "" } });
  return { ...s3, uploadId: /<UploadId>(.*?)</.exec(text)?.[1] ?? "" };
}

test("of one key two parts are copied at a time, and all of them are", async () => {
  const s3 = await openWith(MIB);
  const { objectStore } = s3.node.ctx;
  const receive = objectStore.receive.bind(objectStore);
  let [open, most] = [0, 0];
  const watched = spyOn(objectStore, "receive").mockImplementation(async () => {
    open += 1;
    most = Math.max(most, open);
    const incoming = await receive();
    return {
      ...incoming,
      async finish() {
        // Each has begun that may, before one ends.
        await new Promise((done) => setImmediate(done));
        const blob = await incoming.finish();
        open -= 1;
        return blob;
      },
    };
  });
  const copy = (_: unknown, index: number) => {
    const query = { uploadId: s3.uploadId, partNumber: String(index + 1) };
    return s3.s3("PUT", "box", { key: "made", query, headers: { "x-amz-copy-source": "/box/big" } });
  };
  const answers = await Promise.all(Array.from({ length: 8 }, copy));
  expect([answers.map(({ status }) => status), most]).toEqual([Array(8).fill(200), 2]);
  watched.mockRestore();
  await s3.close();
});

test("a part is not copied any further when nobody is there who asked for it", async () => {
  const s3 = await openWith(8 * MIB);
  const { objectStore } = s3.node.ctx;
  const receive = objectStore.receive.bind(objectStore);
  const emitted = spyOn(ServerResponse.prototype, "emit");
  const { path, headers } = s3.s3.lasting("PUT", "box", {
    key: "made",
    query: { uploadId: s3.uploadId, partNumber: "1" },
    headers: { "x-amz-copy-source": "/box/big" },
  });
  const { hostname, port } = new URL(s3.url);
  const lines = Object.entries({ ...headers, "content-length": "0" });
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  let pieces = 0;
  const ended = Promise.withResolvers<string>();
  const watched = spyOn(objectStore, "receive").mockImplementation(async () => {
    const incoming = await receive();
    return {
      async add(bytes) {
        pieces += 1;
        if (pieces === 3) {
          socket.destroy();
          await until(() => emitted.mock.calls.some(([name]) => name === "close"), { everyMs: 1 });
        }
        await incoming.add(bytes);
      },
      async finish() {
        ended.resolve("kept");
        return await incoming.finish();
      },
      async drop() {
        ended.resolve("dropped");
        await incoming.drop();
      },
    };
  });
  emitted.mockClear();
  socket.write(`PUT ${path} HTTP/1.1\r\n${lines.map(([name, text]) => `${name}: ${text}\r\n`).join("")}\r\n`);
  expect([await ended.promise, pieces]).toEqual(["dropped", 3]);
  watched.mockRestore();
  emitted.mockRestore();
  await s3.close();
});

test("a part for which there is no room lets go of what it was to be copied of", async () => {
  const s3 = await openWith(MIB);
  const { objectStore } = s3.node.ctx;
  const open = objectStore.open.bind(objectStore);
  let released = 0;
  const opened = spyOn(objectStore, "open").mockImplementation(async (...asked) => {
    const bytes = await open(...asked);
    const end = bytes.return.bind(bytes);
    bytes.return = async (value) => {
      released += 1;
      return await end(value);
    };
    return bytes;
  });
  const received = spyOn(objectStore, "receive").mockRejectedValue(kernelFail("disk_full"));
  const query = { uploadId: s3.uploadId, partNumber: "1" };
  const { status } = await s3.s3("PUT", "box", { key: "made", query, headers: { "x-amz-copy-source": "/box/big" } });
  expect([status, released]).toEqual([507, 1]);
  opened.mockRestore();
  received.mockRestore();
  await s3.close();
});
