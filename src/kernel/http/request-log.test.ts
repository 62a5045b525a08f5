import { afterAll, expect, test } from "bun:test";
import { t } from "elysia";
import { createHttpApp, guarded, jsonOf } from "../../../tests/kit/http-app.ts";
import { open } from "./access.ts";
import { sse } from "./sse.ts";

const access = open();
let streams = 0;

const http = createHttpApp((ctx) =>
  guarded(ctx)
    .get("/api/fine", () => ({ ok: true }), { access })
    .get(
      "/api/broken",
      () => {
        throw new Error("x");
      },
      { access },
    )
    .post("/api/echo", ({ body }) => ({ length: body.text.length }), { access, body: t.Object({ text: t.String() }) })
    .get(
      "/api/stream",
      ({ request, server }) =>
        sse(ctx, { request, server }, async function* (signal) {
          streams += 1;
          try {
            yield { event: "hello", data: {} };
            if (!signal.aborted)
              await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
          } finally {
            streams -= 1;
          }
        }),
      { access },
    ),
);
// A real server: body limits, aborts and headers of early answers exist only there.
http.app.listen({ hostname: "127.0.0.1", port: 0 });
const base = `http://127.0.0.1:${http.app.server?.port}`;
afterAll(async () => {
  http.stop();
  await http.app.server?.stop(true);
});

const json = { "content-type": "application/json" };
const body = (length: number) => JSON.stringify({ text: "x".repeat(length) });

/** A body that announces no length. */
function chunked(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      for (let at = 0; at < text.length; at += 65_536) {
        controller.enqueue(new TextEncoder().encode(text.slice(at, at + 65_536)));
        await Bun.sleep(0);
      }
      controller.close();
    },
  });
}

/** Waits, by turns of the event loop, for something that another connection causes. */
async function until(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; !isTrue() && turn < 2_000; turn++) await Bun.sleep(1);
  expect(isTrue()).toBe(true);
}

test.each([
  ["announced", 1_048_000, 200],
  ["announced", 1_049_000, 413],
  ["announced", 3_000_000, 413],
  ["chunked", 1_048_000, 200],
  ["chunked", 1_049_000, 413],
  ["chunked", 3_000_000, 413],
])("a %s body of %d bytes answers %d", async (kind, length, status) => {
  const text = body(length);
  const response = await fetch(`${base}/api/echo`, {
    method: "POST",
    headers: json,
    body: kind === "chunked" ? chunked(text) : text,
  });
  expect(response.status).toBe(status);
  const answer = await jsonOf(response);
  if (status === 413) expect([answer.code, answer.params]).toEqual(["payload_too_large", { limit_bytes: 1_048_576 }]);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
});

test.each([
  ["announced", "content-length: 100\r\n\r\n{"],
  ["chunked", 'transfer-encoding: chunked\r\n\r\n2\r\n{"\r\n'],
])("a client that leaves in the middle of a body, %s, leaves one line", async (_kind, rest) => {
  const before = http.lines.length;
  const { port } = new URL(base);
  const socket = await Bun.connect({ hostname: "127.0.0.1", port: Number(port), socket: { data: () => {} } });
  socket.write(`POST /api/echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${rest}`);
  socket.end();
  const refused = () => http.lines.slice(before).filter(({ path, status }) => path === "/api/echo" && status === 400);
  await until(() => refused().length > 0);
  expect(refused()).toHaveLength(1);
});

test("answers are counted, and those that nobody meant among them", async () => {
  const before = http.ctx.answerCounts.read();
  for (const path of ["fine", "broken", "missing", "fine"]) await (await fetch(`${base}/api/${path}`)).text();
  const since = () => http.ctx.answerCounts.read();
  await until(() => since().answers >= before.answers + 4);
  expect(since().failures - before.failures).toBe(1);
});

test("a body far beyond every limit is refused by the runtime without being kept", async () => {
  const response = await fetch(`${base}/api/echo`, { method: "POST", headers: json, body: body(20_000_000) }).catch(
    () => null,
  );
  expect(response?.status ?? 413).toBe(413);
});

test.each([
  ["GET", "/api/fine", 200],
  ["HEAD", "/api/fine", 200],
  ["GET", "/api/broken", 500],
  ["GET", "/api/nowhere", 404],
  ["DELETE", "/api/fine", 404],
  ["POST", "/api/echo", 400],
  ["OPTIONS", "/api/fine", 404],
])("%s %s carries every security header and one log line", async (method, path, status) => {
  const response = await fetch(base + path, { method });
  expect(response.status).toBe(status);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    "x-build": "1.2.3",
  });
  const id = response.headers.get("x-request-id");
  const linesOf = () => http.lines.filter((line) => line["request_id"] === id);
  await until(() => linesOf().length > 0);
  expect(linesOf()).toEqual([expect.objectContaining({ msg: "request", method, path, status })]);
});

test("plain http under a name brings no opener policy, a proxy with https does", async () => {
  const host = { host: "atlas.lan" };
  const plain = await fetch(`${base}/api/fine`, { headers: host });
  expect(plain.headers.get("cross-origin-opener-policy")).toBeNull();
  const proxied = await fetch(`${base}/api/fine`, { headers: { ...host, "x-forwarded-proto": "https" } });
  expect(proxied.headers.get("cross-origin-opener-policy")).toBe("same-origin");
});

test("the log line cuts what is longer than an id, because it may open something", async () => {
  const response = await fetch(`${base}/api/none/apr_${"s".repeat(32)}/app_01J8ZQ4Y3V5W7X9A1B2C3D4E5F`);
  const id = response.headers.get("x-request-id");
  await until(() => http.lines.some((line) => line["request_id"] === id));
  const line = http.lines.find((entry) => entry["request_id"] === id);
  expect(line?.["path"]).toBe("/api/none/apr_ssss…/app_01J8ZQ4Y3V5W7X9A1B2C3D4E5F");
});

test.each(["/~KEY//api/apps", "//~KEY/api/apps", "/%7eKEY/api/apps", "/api/auth/~KEY/refresh", "/~KEY%2fapi"])(
  "the log line of %s cuts the key of a page, which the path has only where it is written by hand",
  async (path) => {
    const key = "k".repeat(22);
    const response = await fetch(base + path.replace("KEY", key));
    const id = response.headers.get("x-request-id");
    await until(() => http.lines.some((line) => line["request_id"] === id));
    const line = http.lines.find((entry) => entry["request_id"] === id);
    expect(line?.["path"]).toContain("…");
    expect(line?.["path"]).not.toContain("k".repeat(8));
  },
);

test("the log line leaves out the query, which can carry codes", async () => {
  const response = await fetch(`${base}/api/fine?code=hunter2`);
  const id = response.headers.get("x-request-id");
  await until(() => http.lines.some((line) => line["request_id"] === id));
  expect(JSON.stringify(http.lines)).not.toContain("hunter2");
});

test("a stream that its client leaves is cleaned up and logged once", async () => {
  const client = new AbortController();
  const response = await fetch(`${base}/api/stream`, { signal: client.signal });
  const id = response.headers.get("x-request-id");
  await response.body?.getReader().read();
  expect(streams).toBe(1);
  client.abort();
  await until(() => streams === 0);
  await until(() => http.lines.some((line) => line["request_id"] === id));
  expect(http.lines.filter((line) => line["request_id"] === id)).toEqual([
    expect.objectContaining({ msg: "request", path: "/api/stream", status: 200 }),
  ]);
});
