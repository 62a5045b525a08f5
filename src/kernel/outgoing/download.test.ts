import { afterEach, expect, test } from "bun:test";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { TLS_FIXTURE } from "../../../tests/kit/tls-fixture.ts";
import { systemClock } from "../../lib/clock.ts";
import { createDownloads, type DownloadRequest, type DownloadsOptions } from "./download.ts";
import { OutgoingError, parseCidr } from "./index.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}
const serve = async (answer: RequestListener) => `http://127.0.0.1:${await listen(createServer(answer))}`;

const client = (options: Partial<DownloadsOptions> = {}) =>
  createDownloads({
    clock: systemClock,
    allowed: [parseCidr("127.0.0.0/8")],
    allowedBy: "RANGES",
    ownPorts: new Set(),
    ...options,
  });

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "nothing failed",
    (error: unknown) => error,
  );

/** The bytes that came until it ended or failed, and how it failed. */
async function fetchAll(
  url: string,
  more: Partial<DownloadRequest> = {},
  downloads = client(),
): Promise<{ text: string; offset: number; etag: string | null; failure: OutgoingError | null }> {
  const parts: Uint8Array[] = [];
  const answer = { offset: -1, etag: null as string | null };
  const run = async () => {
    const { body, ...facts } = await downloads.open({
      url,
      maxBytes: 1_000,
      signal: new AbortController().signal,
      ...more,
    });
    Object.assign(answer, facts);
    for await (const part of body) parts.push(part);
  };
  const failure = await run().then(
    () => null,
    (error: unknown) => error,
  );
  if (failure !== null && !(failure instanceof OutgoingError)) throw failure;
  return { ...answer, text: Buffer.concat(parts).toString(), failure };
}

test("a file comes in parts, and goes on where it was cut as long as it is the same", async () => {
  const ranges: unknown[] = [];
  const url = await serve((request, reply) => {
    const { range } = request.headers;
    ranges.push(range, request.headers["if-range"]);
    const isSame = request.headers["if-range"] === '"a"';
    if (range && isSame) reply.writeHead(206, { etag: '"a"', "content-range": "bytes 5-9/10" }).end("56789");
    else reply.writeHead(200, { etag: '"a"', "content-length": 10 }).end("0123456789");
  });
  expect(await fetchAll(url)).toMatchObject({ text: "0123456789", offset: 0, etag: '"a"', failure: null });
  const from = { bytes: 5, etag: '"a"' };
  expect(await fetchAll(url, { from })).toMatchObject({ text: "56789", offset: 5, failure: null });
  expect(await fetchAll(url, { from: { bytes: 5, etag: '"b"' } })).toMatchObject({ text: "0123456789", offset: 0 });
  expect(ranges).toEqual([undefined, undefined, "bytes=5-", '"a"', "bytes=5-", '"b"']);
});

test("what ends before its end is a failure, and what came is there", async () => {
  const url = await serve((_request, reply) => {
    reply.writeHead(200, { "content-length": 100 });
    reply.write("beginning", () => reply.socket?.destroy());
  });
  const { text, failure } = await fetchAll(url);
  expect(text).toBe("beginning");
  expect(failure?.reason).toBe("reset");
});

test("a part that begins elsewhere than asked is not taken", async () => {
  const url = await serve((_request, reply) => reply.writeHead(206, { "content-range": "bytes 7-9/10" }).end("789"));
  expect((await fetchAll(url, { from: { bytes: 5, etag: '"a"' } })).failure?.reason).toBe("status");
});

test("what is too large is refused by its length, or as soon as it is seen", async () => {
  const told = await serve((_request, reply) =>
    reply.writeHead(200, { "content-length": 2_000 }).end("x".repeat(2_000)),
  );
  expect(await fetchAll(told)).toMatchObject({ text: "", failure: { reason: "too_large" } });
  const silent = await serve((_request, reply) => {
    reply.write("x".repeat(900));
    reply.end("x".repeat(900));
  });
  const { text, failure } = await fetchAll(silent);
  expect(failure?.reason).toBe("too_large");
  expect(text.length).toBeLessThanOrEqual(1_000);
});

test("silence before the beginning ends it", async () => {
  const clock = createFakeClock();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const url = await serve(() => resolve());
  const waiting = fetchAll(url, {}, client({ clock }));
  await asked;
  await clock.advance(30_000);
  const { failure } = await waiting;
  expect(failure).toMatchObject({ reason: "timeout", message: expect.stringContaining("within 30 seconds") });
});

test("silence in the middle ends it", async () => {
  const clock = createFakeClock();
  const url = await serve((_request, reply) => void reply.writeHead(200, { "content-length": 10 }).write("01234"));
  const { body } = await client({ clock }).open({ url, maxBytes: 10, signal: new AbortController().signal });
  const reading = body[Symbol.asyncIterator]();
  expect(Buffer.from((await reading.next()).value).toString()).toBe("01234");
  const rest = failureOf(reading.next());
  await clock.advance(30_000);
  expect(await rest).toMatchObject({ reason: "timeout" });
});

test("a stop ends it at once, before and in the middle", async () => {
  const stop = new AbortController();
  const url = await serve((_request, reply) => {
    reply.writeHead(200, { "content-length": 10 }).write("01234", () => setTimeout(() => stop.abort(), 20));
  });
  expect((await fetchAll(url, { signal: stop.signal })).failure?.reason).toBe("reset");
  expect(await failureOf(client().open({ url, maxBytes: 10, signal: stop.signal }))).toBeInstanceOf(Error);
});

test("redirects are followed, each vetted anew, a few times, and never away from https", async () => {
  const file = await serve((_request, reply) => reply.end("here"));
  const moved = await serve((request, reply) =>
    reply
      .writeHead(302, {
        location: request.url === "/on" ? file : request.url === "/meta" ? "http://169.254.169.254/" : "/again",
      })
      .end(),
  );
  expect((await fetchAll(`${moved}/on`)).text).toBe("here");
  expect((await fetchAll(`${moved}/meta`)).failure?.reason).toBe("blocked_address");
  expect((await fetchAll(`${moved}/loop`)).failure?.reason).toBe("redirect");
  const secure = createTlsServer(TLS_FIXTURE, (_request, reply) => reply.writeHead(302, { location: file }).end());
  const port = await listen(secure);
  const downloads = client({ ca: TLS_FIXTURE.cert, resolve: async () => ["127.0.0.1"] });
  const { failure } = await fetchAll(`https://hooks.example:${port}/`, {}, downloads);
  expect(failure).toMatchObject({ reason: "redirect", message: expect.stringContaining("away from https") });
});

test("places nobody allowed are not asked, and http is not spoken to the public internet", async () => {
  const url = await serve((_request, reply) => reply.end("secret"));
  const { failure } = await fetchAll(url, {}, client({ allowed: [] }));
  expect(failure).toMatchObject({ reason: "blocked_address", message: expect.stringContaining("with RANGES") });
  const open = client({ resolve: async () => ["192.0.43.8"] });
  expect((await fetchAll("http://releases.example/", {}, open)).failure?.message).toContain("https:// is needed");
});

test("nothing there is said with its status", async () => {
  const url = await serve((_request, reply) => reply.writeHead(404).end("no"));
  expect((await fetchAll(url)).failure).toMatchObject({ reason: "status", status: 404 });
});

test("a slow reader holds the sender back", async () => {
  const parts = 100;
  async function serveMany() {
    const seen = { sent: 0, url: "" };
    seen.url = await serve((_request, reply) => {
      const more = () => {
        while (seen.sent < parts) {
          seen.sent += 1;
          if (!reply.write(Buffer.alloc(1 << 20))) return void reply.once("drain", more);
        }
        reply.end();
      };
      more();
    });
    return seen;
  }
  const [slow, fast] = [await serveMany(), await serveMany()];
  const open = async (url: string) => {
    const { body } = await client().open({ url, maxBytes: 1 << 30, signal: new AbortController().signal });
    return body[Symbol.asyncIterator]();
  };
  const slowly = await open(slow.url);
  await slowly.next();
  const quickly = await open(fast.url);
  while (!(await quickly.next()).done);
  expect(fast.sent).toBe(parts);
  expect(slow.sent).toBeLessThan(parts / 2);
  await slowly.return?.();
});
