import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { openS3Suite } from "../../../../../tests/kit/s3-suite.ts";

let own: Awaited<ReturnType<typeof openS3Suite>>;
beforeAll(async () => {
  own = await openS3Suite();
  await own.s3("PUT", "open-suite", { key: "hidden", body: "the answer to a request that nobody sent" });
});
afterAll(() => own.close());

/** All that comes back on one connection until it is closed, or is quiet. */
function talk(request: string): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(own.url);
    let got = "";
    const socket = connect(Number(port), hostname, () => void socket.write(Buffer.from(request, "latin1")));
    socket.on("data", (bytes) => {
      got += bytes.toString("latin1");
    });
    // It waits for more of what it takes for the first.
    socket.setTimeout(300, () => socket.destroy());
    socket.on("error", () => {});
    socket.on("close", () => resolve(got));
  });
}

const INNER = "GET /open-suite/hidden HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
const start = (...headers: string[]) => `PUT /suite/a HTTP/1.1\r\nHost: x\r\n${headers.join("\r\n")}\r\n\r\n`;

test("a second request cannot be hidden in the first by heads that proxies read in two ways", async () => {
  const size = String(INNER.length + 5);
  // On its own it is answered, so silence below is a proof.
  expect(await talk(INNER)).toContain("nobody sent");
  for (const request of [
    `${start(`Content-Length: ${size}`, "Transfer-Encoding: chunked")}0\r\n\r\n${INNER}`,
    `${start("Transfer-Encoding: chunked", `Content-Length: ${size}`)}0\r\n\r\n${INNER}`,
    `${start("Content-Length: 0", `Content-Length: ${size}`)}${INNER}`,
    `${start(`Content-Length: 0, ${size}`)}${INNER}`,
    `${start("Transfer-Encoding: xchunked")}0\r\n\r\n${INNER}`,
    `${start("Transfer-Encoding: chunked, identity")}0\r\n\r\n${INNER}`,
    `${start("Transfer-Encoding : chunked")}0\r\n\r\n${INNER}`,
    `${start("Content-Length: +0")}${INNER}`,
    `${start("Content-Length: 0x0")}${INNER}`,
    `${start("Transfer-Encoding: chunked")}0x0\r\n\r\n${INNER}`,
    `${start("Transfer-Encoding: chunked")}-1\r\n\r\n${INNER}`,
  ])
    expect([request, (await talk(request)).includes("nobody sent")]).toEqual([request, false]);
});

test("no upload has more than 10,000 parts", async () => {
  const uploadId = await own.begin("large");
  for (const partNumber of ["0", "10001", "100000", "-1", "1e3"]) {
    const refused = await own.call("PUT", { key: "large", query: { uploadId, partNumber }, body: "x" });
    expect([partNumber, refused.status, refused.code]).toEqual([partNumber, 400, "InvalidArgument"]);
  }
  const etag = await own.part("large", uploadId, 10_000, "the last");
  const many = Array.from({ length: 10_001 }, (_, index): [number, string] => [index + 1, etag]);
  const refused = await own.complete("large", uploadId, many);
  expect([refused.status, refused.code]).toEqual([400, "MalformedXML"]);
  expect((await own.get("large")).status).toBe(404);
  // Nothing was spoilt by that.
  expect((await own.complete("large", uploadId, [[10_000, etag]])).status).toBe(200);
  expect((await own.get("large")).text).toBe("the last");
});
