import { expect, spyOn, test } from "bun:test";
import { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { openS3Node, type S3Node } from "../../../../../tests/kit/s3-node.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { seconds } from "../../../../lib/duration.ts";

/** Sends a head and the beginning of a body, and takes nothing of the answer. */
function begin({ url }: S3Node, head: string, body = ""): { socket: Socket; isClosed: () => boolean } {
  const { hostname, port } = new URL(url);
  let isClosed = false;
  const socket = connect(Number(port), hostname, () => void socket.write(`${head}\r\nHost: x\r\n\r\n${body}`));
  socket.on("close", () => {
    isClosed = true;
  });
  socket.on("error", () => {});
  socket.pause();
  return { socket, isClosed: () => isClosed };
}

/** Lets time pass by seconds until it is so. */
const turns = (s3: S3Node, isSo: () => boolean, what: string) =>
  until(
    async () => {
      await s3.node.clock.advance(seconds(1));
      return isSo();
    },
    { what },
  );

test("a form whose fields never end is cut off, however often a byte comes, and one that is sent in time is taken", async () => {
  const s3 = await openS3Node(["open-door"]);
  const head = "POST /open-door HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 60000";
  const { socket, isClosed } = begin(s3, head, '--b\r\nContent-Disposition: form-data; name="key"\r\n\r\n');
  socket.resume();
  await turns(
    s3,
    () => {
      if (!isClosed()) socket.write("x");
      return isClosed();
    },
    "the end of the form",
  );
  const form = new FormData();
  const fields = s3.signForm([{ bucket: "open-door" }, ["starts-with", "$key", ""]]);
  for (const [name, value] of Object.entries({ ...fields, key: "a.txt" })) form.append(name, value);
  form.append("file", new File(["x"], "a.txt"));
  expect((await fetch(`${s3.url}/open-door`, { method: "POST", body: form })).status).toBe(204);
  await s3.close();
});

test("a long name that a key says often is refused, not written out", async () => {
  const s3 = await openS3Node(["open-door"]);
  const form = new FormData();
  const fields = s3.signForm([{ bucket: "open-door" }, ["starts-with", "$key", ""]]);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: S3 writes it so.
  for (const [name, value] of Object.entries({ ...fields, key: "${filename}".repeat(2_000) })) form.append(name, value);
  form.append("file", new File(["x"], "n".repeat(20_000)));
  const encoded = spyOn(TextEncoder.prototype, "encode");
  const answer = await fetch(`${s3.url}/open-door`, { method: "POST", body: form });
  const longest = Math.max(0, ...encoded.mock.calls.map(([text = ""]) => text.length));
  encoded.mockRestore();
  expect(longest).toBeLessThan(1_000_000);
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("KeyTooLongError")]);
  await s3.close();
});

test("a reader that takes nothing for a minute is cut off", async () => {
  const s3 = await openS3Node(["open-door"]);
  const size = 40 * 1024 * 1024;
  expect((await s3.s3("PUT", "open-door", { key: "big", body: "x".repeat(size) })).status).toBe(200);
  const ended = spyOn(ServerResponse.prototype, "destroy");
  const { socket, isClosed } = begin(s3, "GET /open-door/big HTTP/1.1");
  await turns(s3, () => ended.mock.calls.length > 0, "the end of the answer");
  ended.mockRestore();
  socket.resume();
  await until(isClosed, { what: "the end of the connection" });
  expect(socket.bytesRead).toBeLessThan(size);
  await s3.close();
});
