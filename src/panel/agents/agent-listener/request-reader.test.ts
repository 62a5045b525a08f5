import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countCopied } from "../../../../tests/kit/count-copied.ts";
import { type AgentRequest, RequestReader } from "./request-reader.ts";

const LIMIT = 64;

/** Everything that a reader tells about these bytes, each request answered at once. */
function readAll(parts: readonly Buffer[]) {
  const requests: (Omit<AgentRequest, "body"> & { body: string | null })[] = [];
  let proceeded = 0;
  let failure = "";
  const reader = new RequestReader({
    begin: () => LIMIT,
    proceed: () => {
      proceeded += 1;
    },
    request: (request) => void requests.push({ ...request, body: request.body?.toString() ?? null }),
  });
  try {
    for (const part of parts) {
      reader.feed(part);
      for (let told = -1; told !== requests.length && requests.at(-1)?.body !== null; ) {
        told = requests.length;
        reader.next();
      }
    }
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  return { requests, proceeded, failure };
}
const read = (text: string) => readAll([Buffer.from(text)]);
const post = (headers: string, body = "") => `POST /a?b HTTP/1.1\r\nhost: x\r\n${headers}\r\n${body}`;

test("a request with a length, one in chunks, ones without a body, one that asks for another protocol", () => {
  const text =
    post("Content-Type: application/json\r\nContent-Length: 4\r\n", "abcd") +
    post("transfer-encoding: chunked\r\n", "3\r\nabc\r\n02;x=y\r\nde\r\n0\r\n\r\n") +
    post("connection: close\r\n") +
    "GET /a HTTP/1.1\r\nconnection: keep-alive, Upgrade\r\nupgrade: x/1\r\n\r\n" +
    "GET /a HTTP/1.1\r\nupgrade: x/1\r\n\r\n";
  const plain = { method: "POST", path: "/a", contentType: "", upgrade: "", body: "", keepsOpen: true };
  expect(read(text).requests).toEqual([
    { ...plain, contentType: "application/json", body: "abcd" },
    { ...plain, body: "abcde" },
    { ...plain, keepsOpen: false },
    { ...plain, method: "GET", upgrade: "x/1" },
    { ...plain, method: "GET" },
  ]);
});

test("however the bytes are cut, the requests are the same", () => {
  const one = fc.oneof(
    fc.string({ maxLength: 20 }).map((body) => post(`content-length: ${Buffer.byteLength(body)}\r\n`, body)),
    fc
      .array(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 4 })
      .map((chunks) => chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join(""))
      .map((chunks) => post("transfer-encoding: chunked\r\n", `${chunks}0\r\n\r\n`)),
  );
  fc.assert(
    fc.property(fc.array(one, { maxLength: 4 }), fc.array(fc.nat(200), { maxLength: 12 }), (texts, cuts) => {
      const bytes = Buffer.from(texts.join(""));
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const parts = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      const whole = readAll([bytes]);
      expect(whole.failure).toBe("");
      expect(whole.requests).toHaveLength(texts.length);
      expect(readAll(parts)).toEqual(whole);
    }),
  );
});

test("a body costs as much byte by byte as at once, in chunks too", () => {
  const size = 20_000;
  const bodies: number[] = [];
  const reader = new RequestReader({
    begin: () => size,
    proceed() {},
    request: ({ body }) => void bodies.push(body?.length ?? -1),
  });
  const feed = (text: string) => {
    const bytes = Buffer.from(text);
    return countCopied(() => {
      for (let at = 0; at < bytes.length; at++) reader.feed(bytes.subarray(at, at + 1));
    });
  };
  expect(feed(post(`content-length: ${size}\r\n`, "x".repeat(size)))).toBeLessThan(size * 8);
  reader.next();
  const chunks = post("transfer-encoding: chunked\r\n", `${"1\r\nx\r\n".repeat(size)}0\r\n\r\n`);
  expect(feed(chunks)).toBeLessThan(chunks.length * 8);
  expect(bodies).toEqual([size, size]);
  expect(reader.held()).toBe(0);
});

test("what came after a request that asks for another protocol is handed over as it is", () => {
  const reader = new RequestReader({ begin: () => 0, proceed() {}, request() {} });
  reader.feed(Buffer.from("GET / HTTP/1.1\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nab"));
  reader.feed(Buffer.from("c"));
  expect(reader.takeRest().toString()).toBe("abc");
  expect(reader.takeRest()).toHaveLength(0);
});

describe("limits", () => {
  test("a body that is too large is told at once, before it is read", () => {
    expect(read(post("content-length: 65\r\n")).requests).toMatchObject([{ body: null }]);
    expect(read(post("transfer-encoding: chunked\r\n", "41\r\n")).requests).toMatchObject([{ body: null }]);
    expect(read(post("content-length: 64\r\n", "x".repeat(64))).requests).toMatchObject([{ body: "x".repeat(64) }]);
  });

  test("a body is asked for only when it will be taken", () => {
    expect(read(post("expect: 100-continue\r\ncontent-length: 64\r\n")).proceeded).toBe(1);
    expect(read(post("expect: 100-continue\r\ncontent-length: 65\r\n")).proceeded).toBe(0);
  });

  test.each([
    ["a head without an end", `POST / HTTP/1.1\r\n${"x".repeat(9_000)}`],
    ["another protocol", "\u0016\u0003\u0001\r\n\r\n"],
    ["a request line without a version", "POST /\r\n\r\n"],
    ["two lengths", post("content-length: 1\r\ncontent-length: 2\r\n")],
    ["a length and chunks", post("content-length: 1\r\ntransfer-encoding: chunked\r\n")],
    ["a length below zero", post("content-length: -1\r\n")],
    ["another coding", post("transfer-encoding: gzip\r\n")],
    ["a header without a name", post(": x\r\n")],
    ["a chunk without a length", post("transfer-encoding: chunked\r\n", "z\r\n")],
    ["a chunk longer than it says", post("transfer-encoding: chunked\r\n", "1\r\nabc\r\n")],
  ])("%s ends the connection", (_, text) => {
    const { requests, failure } = read(text);
    expect(requests).toEqual([]);
    expect(failure).not.toBe("");
  });

  test("what comes ahead of its turn is bounded", () => {
    const reader = new RequestReader({ begin: () => LIMIT, proceed() {}, request() {} });
    reader.feed(Buffer.from(post("")));
    expect(() => {
      for (let part = 0; part < 20; part++) reader.feed(Buffer.alloc(8_192));
    }).toThrow("ahead");
  });

  test("whatever the bytes, it never hangs and fails with an error at most", () => {
    const noise = fc.oneof(fc.string(), fc.constantFrom("\r\n", "POST / HTTP/1.1", "content-length: 5", "0", ": "));
    fc.assert(fc.property(fc.array(noise), (parts) => void readAll(parts.map((part) => Buffer.from(part)))));
  });
});
