import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { openS3Node, type S3Node } from "../../../../../tests/kit/s3-node.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { seconds } from "../../../../lib/duration.ts";

const LARGE_BYTES = 2 * 1024 * 1024 - 64;

interface Sending {
  socket: Socket;
  answer(): string;
  end(): Promise<void>;
}

/** Begins to send a list of what to delete, with a signature that is right, and sends no more of it than that. */
async function begin({ url, s3 }: S3Node, length: number, part: string): Promise<Sending> {
  const { path, headers } = s3.lasting("POST", "open-door", { query: { delete: "" } });
  const { hostname, port } = new URL(url);
  let answer = "";
  const socket = connect(Number(port), hostname);
  const closed = new Promise<void>((done) => socket.on("close", () => done()));
  socket.on("error", () => {});
  socket.on("data", (bytes) => {
    answer += bytes.toString("latin1");
  });
  const lines = Object.entries({ ...headers, "content-length": String(length) }).map(
    ([name, text]) => `${name}: ${text}`,
  );
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  await new Promise<void>((done) => void socket.write(part, () => done()));
  return {
    socket,
    answer: () => answer,
    async end() {
      socket.destroy();
      await closed;
    },
  };
}

test("of the documents that one key sends at a time only so many are held, and the next are told to come again", async () => {
  const s3 = await openS3Node(["open-door"]);
  const part = " ".repeat(LARGE_BYTES - 1_000);
  const sent = await Promise.all(Array.from({ length: 12 }, () => begin(s3, LARGE_BYTES, part)));
  const refused = () => sent.filter(({ answer }) => answer().includes("<Code>SlowDown</Code>"));
  await until(() => refused().length >= 4, { what: "the refusal of what is too much" });
  expect(refused().length).toBe(4);
  expect(refused()[0]?.answer()).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1/i);
  const small = "<Delete><Object><Key>a</Key></Object></Delete>";
  await Promise.all(sent.map(({ end }) => end()));
  await until(async () => (await s3.s3("POST", "open-door", { query: { delete: "" }, body: small })).status === 200);
  await s3.close();
});

test("a document that comes a byte at a time is given up, however often one comes", async () => {
  const s3 = await openS3Node(["open-door"]);
  const { socket, answer, end } = await begin(s3, 1_000, "<Delete>");
  await until(
    async () => {
      if (!socket.destroyed) socket.write(" ");
      await s3.node.clock.advance(seconds(1));
      return answer() !== "";
    },
    { what: "the end of the document" },
  );
  expect(answer()).toMatch(/^HTTP\/1\.1 400 [\s\S]*<Code>RequestTimeout<\/Code>/);
  await end();
  await s3.close();
});
