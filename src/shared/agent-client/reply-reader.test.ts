import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createReplyReader } from "./reply-reader.ts";

interface Seen {
  status: number;
  body: string;
  isReusable: boolean;
}

/** Feeds `text` cut at `cuts` and tells every answer that came out. */
function readAll(text: string, cuts: readonly number[] = [], isClosed = false) {
  const seen: Seen[] = [];
  let status = 0;
  let body = "";
  let after: string | null = null;
  const reader = createReplyReader({
    head: (head) => {
      status = head.status;
      body = "";
    },
    body: (chunk) => {
      body += Buffer.from(chunk).toString("latin1");
    },
    end: (isReusable) => void seen.push({ status, body, isReusable }),
    switched: (rest) => {
      after = rest.toString("latin1");
    },
  });
  const bytes = Buffer.from(text, "latin1");
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (const [index, edge] of edges.slice(1).entries()) reader.feed(bytes.subarray(edges[index], edge));
  return { seen, isCut: isClosed ? reader.close() : false, after };
}

const withLength = (body: string, head = "") =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${head}\r\n${body}`;
const chunked = (parts: readonly string[]) =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${parts
    .map((part) => `${part.length.toString(16)};x=1\r\n${part}\r\n`)
    .join("")}0\r\nx-sum: 1\r\n\r\n`;

describe("answers", () => {
  const anyText = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) });
  const anyReply = fc.oneof(
    anyText.map((body) => ({ text: withLength(body), body })),
    fc.array(anyText.filter((part) => part !== "")).map((parts) => ({ text: chunked(parts), body: parts.join("") })),
  );

  test("are the same however the bytes are cut", () => {
    fc.assert(
      fc.property(fc.array(anyReply, { maxLength: 4 }), fc.array(fc.nat(2_000), { maxLength: 12 }), (replies, cuts) => {
        const { seen } = readAll(replies.map(({ text }) => text).join(""), cuts);
        expect(seen).toEqual(replies.map(({ body }) => ({ status: 200, body, isReusable: true })));
      }),
    );
  });

  test("byte by byte", () => {
    const text = `HTTP/1.1 100 Continue\r\n\r\n${chunked(["ab", "c"])}${withLength("")}`;
    const cuts = [...text].map((_, index) => index);
    expect(readAll(text, cuts).seen.map(({ body }) => body)).toEqual(["abc", ""]);
  });

  test("say when the connection ends with them", () => {
    expect(readAll(withLength("x", "connection: Close\r\n")).seen[0]?.isReusable).toBe(false);
    const open = "HTTP/1.1 200 OK\r\n\r\nall of it";
    expect(readAll(open).seen).toEqual([]);
    expect(readAll(open, [], true)).toMatchObject({
      seen: [{ status: 200, body: "all of it", isReusable: false }],
      isCut: false,
    });
  });

  test("end with a change of protocol, whose bytes are not theirs", () => {
    const text = "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n";
    expect(readAll(`${text}{"a":1}\n`)).toMatchObject({ seen: [], after: '{"a":1}\n' });
    expect(readAll(text, [3, 20])).toMatchObject({ seen: [], after: "" });
  });

  test("are known to be cut short", () => {
    for (const text of ["HTTP/1.1 200", withLength("abc").slice(0, -1), chunked(["abc"]).slice(0, -2)]) {
      expect(readAll(text, [], true).isCut).toBe(true);
    }
    expect(readAll(withLength("abc"), [], true).isCut).toBe(false);
  });
});

test.each([
  ["another protocol", "SSH-2.0-x\r\n\r\n"],
  ["an old one", "HTTP/1.0 200 OK\r\n\r\n"],
  ["a head without an end", `HTTP/1.1 200 OK\r\n${"x".repeat(17_000)}`],
  ["a header without a name", "HTTP/1.1 200 OK\r\n: x\r\n\r\n"],
  ["a length that is no number", "HTTP/1.1 200 OK\r\ncontent-length: 1e3\r\n\r\n"],
  ["an unknown coding", "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n"],
  ["a chunk without a length", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n"],
  ["a chunk longer than it says", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc"],
])("%s is refused", (_, text) => {
  expect(() => readAll(text)).toThrow();
});
