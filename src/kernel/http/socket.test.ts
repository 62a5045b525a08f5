import { afterEach, expect, test } from "bun:test";
import { connect as connectTo } from "node:net";
import { createHttpApp, guarded, jsonOf, type TestRule, trusted } from "../../../tests/kit/http-app.ts";
import { createTestLog } from "../../../tests/kit/test-log.ts";
import { until } from "../../../tests/kit/until.ts";
import type { Authorize } from "./access.ts";
import { kernelFail } from "./errors.ts";
import { FRAME_COST_BYTES, SOCKET_LIMITS, type SocketSession, socket, WINDOW_BYTES } from "./socket.ts";

interface Context {
  actor: string;
  request: Request;
}

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const banned = new Set<string>();

const authorize: Authorize<string, TestRule> = async ({ request }) => {
  const who = request.headers.get("who");
  if (who === null || banned.has(who)) throw kernelFail("unauthorized");
  return who;
};

/** A real server with one socket route. */
function listen(run: (session: SocketSession, context: Context) => Promise<void>) {
  const { log, lines } = createTestLog();
  let opened = 0;
  const http = createHttpApp(
    (ctx) =>
      guarded(ctx).ws("/ws/echo", {
        access: trusted(),
        ...socket<Context>({ clock: ctx.clock, log, signal: ctx.signal }, (session, context) => {
          opened += 1;
          return run(session, context);
        }),
      }),
    { authorize },
  );
  http.app.listen({ hostname: "127.0.0.1", port: 0 });
  cleanups.push(() => http.app.server?.stop(true));
  return { url: `127.0.0.1:${http.app.server?.port}/ws/echo`, lines, http, opened: () => opened };
}

/** A client that keeps what it gets; `next` waits for the next frame. */
async function connect(url: string) {
  const client = new WebSocket(`ws://${url}`, { headers: { who: "ada" } });
  client.binaryType = "arraybuffer";
  const frames: (string | Uint8Array)[] = [];
  let wake = () => {};
  client.onmessage = ({ data }) => {
    frames.push(typeof data === "string" ? data : new Uint8Array(data));
    wake();
  };
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    client.onclose = ({ code, reason }) => resolve({ code, reason });
  });
  await new Promise((resolve) => {
    client.onopen = resolve;
  });
  async function next(): Promise<string | Uint8Array> {
    while (true) {
      const frame = frames.shift();
      if (frame !== undefined) return frame;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return { client, closed, next, frames };
}

/** The raw answer to an upgrade request with extra header lines. */
async function upgrade(url: string, extra: string[]): Promise<string> {
  const [host = "", path] = url.split("/ws/");
  const [hostname = "", port] = host.split(":");
  const lines = [`GET /ws/${path} HTTP/1.1`, `host: ${host}`, "upgrade: websocket", "connection: Upgrade"];
  lines.push("sec-websocket-version: 13", "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==", ...extra, "", "");
  const first = Promise.withResolvers<string>();
  const connection = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_socket, bytes) => first.resolve(bytes.toString()) },
  });
  connection.write(lines.join("\r\n"));
  const answer = await first.promise;
  connection.end();
  return answer;
}

/** Sends everything back. */
async function echo(session: SocketSession, { actor }: Context): Promise<void> {
  session.sendJson({ type: "hello", actor });
  for await (const message of session.messages) {
    if (message.kind === "bytes") await session.sendBytes(message.bytes);
    if (message.kind === "json") session.sendJson(message.value);
    if (message.kind === "json" && message.value["type"] === "bye") return;
  }
}

test("without credentials the upgrade is refused and no handler starts", async () => {
  const { url, opened } = listen(echo);
  const answer = await upgrade(url, []);
  expect(answer).toStartWith("HTTP/1.1 401");
  expect(await upgrade(url, ["who: ada"])).toStartWith("HTTP/1.1 101");
  expect(opened()).toBe(1);
});

test("bytes stay bytes and JSON stays JSON, also where text looks like a number", async () => {
  const { url } = listen(echo);
  const { client, next, closed } = await connect(url);
  expect(await next()).toBe('{"type":"hello","actor":"ada"}');
  client.send(new Uint8Array([0, 255, 123, 34]));
  expect(await next()).toEqual(new Uint8Array([0, 255, 123, 34]));
  client.send('{"type":"resize","columns":"12"}');
  expect(await next()).toBe('{"type":"resize","columns":"12"}');
  client.send('{"type":"bye"}');
  expect(await next()).toBe('{"type":"bye"}');
  expect(await closed).toEqual({ code: 1000, reason: "done" });
});

test.each(["12", "null", "[1]", "{", "", '"x"'])("the text frame %p is no message: 1007", async (text) => {
  const { url } = listen(echo);
  const { client, closed } = await connect(url);
  client.send(text);
  expect((await closed).code).toBe(1007);
});

test("a frame above the size limit ends the connection", async () => {
  const { url } = listen(echo);
  const { client, closed } = await connect(url);
  client.send(new Uint8Array(SOCKET_LIMITS.maxPayloadLength + 1));
  expect([1006, 1009]).toContain((await closed).code);
});

test("a client that sends more than its credit is cut off", async () => {
  const { url } = listen(async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });
  const { client, closed } = await connect(url);
  for (let sent = 0; sent <= WINDOW_BYTES; sent += 60_000) client.send(new Uint8Array(60_000));
  expect((await closed).code).toBe(1008);
});

test("a flood of empty frames is cut off as well", async () => {
  const { url } = listen(async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });
  const { client, closed } = await connect(url);
  for (let frame = 0; frame <= WINDOW_BYTES / FRAME_COST_BYTES; frame++) client.send(new Uint8Array(0));
  expect((await closed).code).toBe(1008);
});

test("reading gives credit back, so a well-behaved client can send without end", async () => {
  let received = 0;
  const { url } = listen(async (session) => {
    for await (const message of session.messages) {
      if (message.kind === "bytes") received += message.bytes.byteLength;
      if (received === 1_000_000) return session.sendJson({ type: "all" });
    }
  });
  const { client, next, closed } = await connect(url);
  let credit = WINDOW_BYTES;
  for (let sent = 0; sent < 1_000_000; sent += 50_000) {
    while (credit < 50_000 + FRAME_COST_BYTES) {
      const frame = JSON.parse(String(await next()));
      expect(frame.type).toBe("credit");
      credit += frame.bytes;
    }
    client.send(new Uint8Array(50_000));
    credit -= 50_000 + FRAME_COST_BYTES;
  }
  expect((await closed).code).toBe(1000);
});

test("the server sends no more than the client gave credit for", async () => {
  const all = new Uint8Array(WINDOW_BYTES + 100_000).fill(7);
  let isSent = false;
  const { url } = listen(async (session) => {
    await session.sendBytes(all);
    isSent = true;
  });
  const { client, next, closed } = await connect(url);
  let got = 0;
  while (got < WINDOW_BYTES) got += (await next()).length;
  expect([got, isSent]).toEqual([WINDOW_BYTES, false]);
  client.send('{"type":"credit","bytes":-5}');
  client.send('{"type":"credit","bytes":"x"}');
  client.send('{"type":"credit","bytes":40000}');
  while (got < WINDOW_BYTES + 40_000) got += (await next()).length;
  expect(isSent).toBe(false);
  client.send('{"type":"credit","bytes":60000}');
  while (got < all.length) got += (await next()).length;
  expect((await closed).code).toBe(1000);
  expect(got).toBe(all.length);
});

test("who sends in turn waits for a client that does not read, and goes on when it does", async () => {
  let sent = 0;
  const { url } = listen(async (session) => {
    for (const text = "x".repeat(10_000); sent < 10_000 && !session.signal.aborted; sent += 1)
      await session.sendJsonInTurn({ text });
  });
  const [host = "", path] = url.split("/ws/");
  const [hostname = "", port] = host.split(":");
  const client = connectTo({ host: hostname, port: Number(port) });
  cleanups.push(() => client.destroy());
  const lines = [`GET /ws/${path} HTTP/1.1`, `host: ${host}`, "upgrade: websocket", "connection: Upgrade", "who: ada"];
  lines.push("sec-websocket-version: 13", "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==", "", "");
  client.pause();
  client.write(lines.join("\r\n"));
  let before = -1;
  const isStill = () => {
    const is = sent > 0 && sent === before;
    before = sent;
    return is;
  };
  await until(isStill, { everyMs: 100, what: "the stall" });
  // The system's own buffers between two sockets take some megabytes; a hundred would be all.
  expect(sent).toBeLessThan(2_000);
  client.on("data", () => {}).resume();
  await until(() => sent === 10_000, { everyMs: 20, what: "the rest" });
});

test("when the client leaves, readers and senders end and the signal aborts", async () => {
  let seen: unknown;
  const ended = Promise.withResolvers<void>();
  const { url } = listen(async (session) => {
    const messages: string[] = [];
    const reading = (async () => {
      for await (const message of session.messages) messages.push(message.kind);
    })();
    await session.sendBytes(new Uint8Array(WINDOW_BYTES * 2));
    await reading;
    seen = [messages, session.signal.aborted];
    ended.resolve();
  });
  const { client, next } = await connect(url);
  await next();
  client.close();
  await ended.promise;
  expect(seen).toEqual([[], true]);
});

test("when the program stops, every connection is told so", async () => {
  const { url, http } = listen(echo);
  const clients = [await connect(url), await connect(url)];
  http.stop();
  for (const { closed } of clients) expect(await closed).toEqual({ code: 1001, reason: "the program stops" });
});

test("an error in the handler is logged and told without its text", async () => {
  const { url, lines } = listen(async () => {
    await Promise.resolve();
    throw new Error("secret");
  });
  const { closed } = await connect(url);
  expect(await closed).toEqual({ code: 1011, reason: "internal" });
  expect(lines).toEqual([expect.objectContaining({ level: "error", msg: "socket failed" })]);
});

test("the route table knows the rule of a socket, OpenAPI leaves it out", async () => {
  const { http } = listen(echo);
  expect(http.routes.find(({ path }) => path === "/ws/echo")?.rule).toEqual(trusted());
  const document = await http.fetch("GET", "/api/openapi.json", { headers: { who: "ada" } });
  expect((await jsonOf(document)).paths["/ws/echo"]).toBeUndefined();
});

test("a connection ends soon after its caller lost the right to it", async () => {
  const { url, http } = listen(echo);
  const { closed, next } = await connect(url);
  await next();
  banned.add("ada");
  cleanups.push(() => banned.clear());
  await http.ctx.clock.advance(15_000);
  expect(await closed).toEqual({ code: 1008, reason: "access has ended" });
});
