import { afterEach, expect, test } from "bun:test";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { blockedUrls, trapDns } from "../../../tests/kit/blocked-urls.ts";
import { startDnsServer } from "../../../tests/kit/dns-server.ts";
import { TLS_FIXTURE } from "../../../tests/kit/tls-fixture.ts";
import { systemClock } from "../../lib/clock.ts";
import type { NameAsker } from "../names/index.ts";
import { createOutgoing, OutgoingError, type OutgoingOptions, type OutgoingRequest, parseCidr } from "./index.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const LOCAL = [parseCidr("127.0.0.0/8"), parseCidr("::1")];
const client = (options: Partial<OutgoingOptions> = {}) =>
  createOutgoing({ clock: systemClock, allowed: LOCAL, ownPorts: new Set(), ...options });

/** A server with a count of the connections it took. */
async function listen<S extends Server>(server: S, host = "127.0.0.1", port = 0) {
  const seen = { connections: 0, port: 0 };
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    seen.connections += 1;
    open.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((done, fail) => server.once("error", fail).listen(port, host, done));
  seen.port = (server.address() as AddressInfo).port;
  ends.push(() => {
    for (const socket of open) socket.destroy();
    return new Promise((done) => server.close(done));
  });
  return seen;
}

const serve = (answer: (request: IncomingMessage, reply: ServerResponse) => void, host?: string, port?: number) =>
  listen(createServer(answer), host, port);

/** A server that answers the first bytes it gets with bytes of its own. */
const serveRaw = (answer: (socket: Socket) => void) =>
  listen(createRawServer((socket) => void socket.once("data", () => answer(socket))));

async function failure(request: Promise<unknown>): Promise<OutgoingError> {
  const error = await request.then(
    (reply) => new Error(`there was a reply: ${JSON.stringify(reply)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutgoingError)) throw error;
  return error;
}

const post = (url: string, extra: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: "POST",
  url,
  ...extra,
});

test("what is sent arrives, and what is answered comes back", async () => {
  let seen: unknown;
  const { port } = await serve(async (request, reply) => {
    const body = await Array.fromAsync(request);
    seen = { url: request.url, method: request.method, headers: request.headers, body: Buffer.concat(body).toString() };
    reply.writeHead(202, [
      ["X-One", "1"],
      ["Set-Cookie", "a=1"],
      ["Set-Cookie", "b=2"],
    ]);
    reply.end("thanks – ü");
  });
  const url = `http://hooks.example:${port}/in?a=b#part`;
  const out = client({ resolve: async () => ["127.0.0.1"] });
  const reply = await out.request(post(url, { headers: { "content-type": "text/plain" }, body: "héllo" }));
  expect(reply).toMatchObject({ status: 202, body: "thanks – ü", headers: { "x-one": "1", "set-cookie": "a=1, b=2" } });
  expect(seen).toEqual({
    url: "/in?a=b",
    method: "POST",
    body: "héllo",
    headers: {
      "user-agent": "Orrery",
      "content-type": "text/plain",
      host: `hooks.example:${port}`,
      "accept-encoding": "identity",
      "content-length": "6",
      connection: "close",
    },
  });
  await out.request(post(url, { body: new Uint8Array([0xff, 0x00]) }));
  expect((seen as { headers: Record<string, string> }).headers).not.toHaveProperty("cookie");
});

test("no spelling of an address that is off limits leads to a connection", async () => {
  const v4 = await listen(createRawServer(), "127.0.0.1");
  const any = await listen(createRawServer(), "0.0.0.0");
  const v6 = await listen(createRawServer(), "::1");
  const out = client({ allowed: [], resolve: trapDns });
  const urls = [v4, any, v6].flatMap(({ port }) => blockedUrls(port));
  expect(blockedUrls(1).length).toBeGreaterThanOrEqual(150);
  for (const url of urls) {
    const { reason } = await failure(out.request(post(url, { timeoutMs: 2_000 })));
    expect([url, ["blocked_address", "bad_url", "dns"].includes(reason)]).toEqual([url, true]);
  }
  expect([v4.connections, any.connections, v6.connections]).toEqual([0, 0, 0]);
});

test("the same spellings do connect where they are allowed, so the listener would have seen them", async () => {
  const { port } = await serve((_request, reply) => void reply.end());
  const out = client({ resolve: trapDns });
  for (const host of [
    "127.1",
    "0x7f000001",
    "①②⑦.⓪.⓪.①",
    "[::ffff:7f00:1]",
    "a.localhost.",
    "loop.example",
    "mapped.example",
  ])
    expect([host, (await out.request(post(`http://${host}:${port}/`))).status]).toEqual([host, 200]);
});

test("checkUrl refuses literal addresses without asking anybody, and lets names be", () => {
  const out = client({
    allowed: [],
    resolve: async () => {
      throw new Error("asked");
    },
  });
  const reasonOf = (url: string): string => {
    try {
      out.checkUrl(url);
      return "fine";
    } catch (error) {
      return error instanceof OutgoingError ? error.reason : "other";
    }
  };
  expect(["https://example.com/x", "http://10.0.0.1/", "http://localhost/", "https://8.8.8.8/"].map(reasonOf)).toEqual([
    ...["fine", "blocked_address", "blocked_address", "fine"],
  ]);
  expect(["nonsense", "ftp://example.com/", "https://a:b@example.com/"].map(reasonOf)).toEqual([
    ...["bad_url", "bad_url", "bad_url"],
  ]);
  expect(() => out.checkUrl("http://10.0.0.1/")).toThrow("SERVICE_WEBHOOK_ALLOW_CIDRS");
  expect(() => out.checkUrl("http://169.254.169.254/")).not.toThrow("SERVICE_WEBHOOK_ALLOW_CIDRS");
});

test("a name server that changes its mind gets nobody inside", async () => {
  const inside = await serve((_request, reply) => void reply.end("secret"), "127.0.0.1");
  const outside = await serve((_request, reply) => void reply.end("fine"), "127.0.0.2", inside.port);
  let asked = 0;
  const answers = [
    ["127.0.0.2"],
    ["127.0.0.1"],
    ["127.0.0.2", "127.0.0.1"],
    ["127.0.0.2"],
    ["127.0.0.2"],
    ["127.0.0.1"],
  ];
  const dns = await startDnsServer((_name, type) => (type === "A" ? (answers[asked++ % answers.length] ?? []) : []));
  ends.push(dns.close);
  const out = client({ allowed: [parseCidr("127.0.0.2")], resolve: dns.resolve });
  const results: string[] = [];
  for (let turn = 0; turn < 60; turn++) {
    const sent = out.request(post(`http://rebind.example:${inside.port}/`, { reuse: turn % 2 === 0 }));
    results.push(await sent.then(({ body }) => body).catch(({ reason }) => reason));
  }
  expect(new Set(results)).toEqual(new Set(["fine", "blocked_address"]));
  expect(results.filter((result) => result === "fine").length).toBe(30);
  // One question per request: what was vetted is what was connected to.
  expect(dns.asked.filter((question) => question.endsWith(" A")).length).toBe(60);
  expect(inside.connections).toBe(0);
  expect(outside.connections).toBeGreaterThan(0);
});

test("a bad IPv6 address beside a good IPv4 one refuses the name, and the other way round", async () => {
  const dns = await startDnsServer((name, type) => {
    if (name === "six.example") return type === "A" ? ["127.0.0.2"] : ["0:0:0:0:0:0:0:1"];
    return type === "A" ? ["10.0.0.1"] : ["2606:4700:0:0:0:0:0:1111"];
  });
  ends.push(dns.close);
  const out = client({ allowed: [parseCidr("127.0.0.2")], resolve: dns.resolve });
  for (const name of ["six.example", "four.example"])
    expect((await failure(out.request(post(`http://${name}:1/`)))).reason).toBe("blocked_address");
});

test("this program's own port is off limits on this machine, however it is written", async () => {
  const own = await serve((_request, reply) => void reply.end("own"));
  const other = await serve((_request, reply) => void reply.end("other"));
  const out = client({
    allowed: [parseCidr("0.0.0.0/0"), parseCidr("::/0")],
    ownPorts: new Set([own.port]),
    resolve: async (host) => (host === "own.example" ? ["127.0.0.1"] : ["::ffff:127.0.0.1"]),
  });
  for (const host of [
    "127.0.0.1",
    "127.9.9.9",
    "localhost",
    "[::1]",
    "0.0.0.0",
    "own.example",
    "mapped.example",
    "[::ffff:7f00:1]",
  ])
    expect([host, (await failure(out.request(post(`http://${host}:${own.port}/`)))).reason]).toEqual([
      host,
      "blocked_address",
    ]);
  expect(own.connections).toBe(0);
  expect((await out.request(post(`http://127.0.0.1:${other.port}/`))).body).toBe("other");
});

test("of this machine's own addresses on the public internet only ports of the web are called, and what is allowed", async () => {
  const options: Partial<OutgoingOptions> = {
    ownPorts: new Set([443]),
    isOwn: ({ value }) => value === parseCidr("45.45.45.45").value,
    resolve: async () => ["45.45.45.45"],
  };
  const out = client(options);
  for (const port of [1, 5432, 8080]) {
    expect(() => out.checkUrl(`http://45.45.45.45:${port}/`)).toThrow("a port of this machine");
    expect((await failure(out.request(post(`http://own.example:${port}/`)))).reason).toBe("blocked_address");
    out.checkUrl(`http://45.45.45.46:${port}/`);
    client({ ...options, allowed: [parseCidr("45.45.45.45")] }).checkUrl(`http://45.45.45.45:${port}/`);
  }
  out.checkUrl("http://45.45.45.45/");
  expect(() => out.checkUrl("https://45.45.45.45/")).toThrow("this program itself");
  client({ ...options, ownPorts: new Set() }).checkUrl("https://45.45.45.45/");
});

test.each([301, 302, 303, 307, 308, 304])("a redirect (%d) is a failure and is not followed", async (status) => {
  const inside = await listen(createRawServer());
  const { port } = await serve((_request, reply) => {
    reply.writeHead(status, { location: `http://127.0.0.1:${inside.port}/` }).end();
  });
  expect(await failure(client().request(post(`http://127.0.0.1:${port}/`)))).toMatchObject({
    reason: "redirect",
    status,
  });
  expect(inside.connections).toBe(0);
});

test("proxies named in the environment are not used", async () => {
  const proxy = await listen(createRawServer());
  const { port } = await serve((_request, reply) => void reply.end("direct"));
  const before = { ...process.env };
  for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"])
    process.env[name] = `http://127.0.0.1:${proxy.port}`;
  ends.push(() => {
    for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"]) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });
  expect((await client().request(post(`http://127.0.0.1:${port}/`))).body).toBe("direct");
  expect(proxy.connections).toBe(0);
});

test("the certificate must be that of the name, also where a connection to the same address is kept", async () => {
  const server = createTlsServer(TLS_FIXTURE, (request, reply) => void reply.end(request.headers.host));
  const { port } = await listen(server);
  const resolve = async () => ["127.0.0.1"];
  const trusting = client({ resolve, ca: TLS_FIXTURE.cert });
  const good = `https://hooks.example:${port}/`;
  expect((await trusting.request(post(good, { reuse: true }))).body).toBe(`hooks.example:${port}`);
  for (const reuse of [true, false])
    for (const host of ["other.example", "127.0.0.1"])
      expect((await failure(trusting.request(post(`https://${host}:${port}/`, { reuse })))).reason).toBe("tls");
  expect((await failure(client({ resolve }).request(post(good, { reuse: true })))).reason).toBe("tls");
  expect((await trusting.request(post(good, { reuse: true }))).status).toBe(200);
});

test("what is no TLS, or no HTTP, or ends early, says so", async () => {
  const ask = async (scheme: string, answer: (socket: Socket) => void) => {
    const { port } = await serveRaw(answer);
    return (await failure(client().request(post(`${scheme}://127.0.0.1:${port}/`, { timeoutMs: 3_000 })))).reason;
  };
  expect(await ask("https", (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"))).toBe("tls");
  for (const text of [
    ...["", "nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort", "HTTP/1.1 200 OK\r\n"],
    ...["HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
  ])
    expect([text.slice(0, 60), await ask("http", (socket) => socket.end(text))]).toEqual([text.slice(0, 60), "reset"]);
  const headers = `HTTP/1.1 200 OK\r\n${`x: ${"y".repeat(9_000)}\r\n`.repeat(40)}\r\n`;
  expect(await ask("http", (socket) => socket.end(headers))).toBe("too_large");
});

test.each(["100 Continue", "103 Early Hints"])("%s without end is no reply", async (line) => {
  const { port } = await serveRaw((socket) => socket.write(`HTTP/1.1 ${line}\r\n\r\n`.repeat(100)));
  expect(await failure(client().request(post(`http://127.0.0.1:${port}/`, { timeoutMs: 3_000 })))).toMatchObject({
    reason: "reset",
  });
});

test("nobody listens there", async () => {
  const free = createRawServer();
  const { port } = await listen(free);
  await new Promise((done) => free.close(done));
  expect((await failure(client().request(post(`http://127.0.0.1:${port}/`)))).reason).toBe("connect");
});

test("the next address of a name is tried when one does not answer", async () => {
  const { port } = await serve((_request, reply) => void reply.end("second"), "127.0.0.3");
  const out = client({ resolve: async () => ["127.0.0.4", "127.0.0.3"] });
  expect((await out.request(post(`http://two.example:${port}/`))).body).toBe("second");
});

test("a name without an address, or a resolver that fails", async () => {
  const fail = client({ resolve: () => Promise.reject(new Error("NXDOMAIN")) });
  expect(await failure(fail.request(post("http://gone.example/")))).toMatchObject({ reason: "dns" });
  const none = client({ resolve: async () => [] });
  expect(await failure(none.request(post("http://gone.example/")))).toMatchObject({ reason: "dns" });
});

test("whoever looks the name up is told for whom, and when nobody waits any more", async () => {
  const asked: NameAsker[] = [];
  const resolve = (_host: string, asker: NameAsker = {}) => {
    asked.push(asker);
    return new Promise<string[]>(() => {});
  };
  const request = { ...post("http://slow.example/", { timeoutMs: 20 }), asker: "ten_1" };
  expect((await failure(client({ resolve }).request(request))).reason).toBe("timeout");
  expect(asked.map(({ of, signal }) => [of, signal?.aborted])).toEqual([["ten_1", true]]);
});

test("the time limit holds from the question to DNS until the last byte", async () => {
  const silent = await serveRaw(() => {});
  const drip = (first: string) => (socket: Socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write("x"), 20);
    socket.on("close", () => clearInterval(timer));
  };
  const slowHead = await serveRaw(drip("HTTP/1.1 200 OK\r\nx-slow: "));
  const slowBody = await serveRaw(drip("HTTP/1.1 200 OK\r\ncontent-length: 10000\r\n\r\n"));
  const begun = performance.now();
  const reasons = await Promise.all([
    ...[silent, slowHead, slowBody].map(({ port }) =>
      failure(client().request(post(`http://127.0.0.1:${port}/`, { timeoutMs: 200 }))),
    ),
    failure(client({ resolve: () => new Promise(() => {}) }).request(post("http://slow.example/", { timeoutMs: 200 }))),
  ]);
  expect(reasons.map(({ reason }) => reason)).toEqual(["timeout", "timeout", "timeout", "timeout"]);
  expect(performance.now() - begun).toBeLessThan(2_000);
});

test("a reply beyond the limit fails, or is cut where that is asked for; the rest is not read", async () => {
  const { port } = await serve((_request, reply) => {
    const write = () => {
      while (!reply.destroyed && reply.write("y".repeat(16_384)));
      reply.once("drain", write);
    };
    write();
  });
  const url = `http://127.0.0.1:${port}/`;
  expect(await failure(client().request(post(url)))).toMatchObject({ reason: "too_large", status: 200 });
  const cut = await client().request(post(url, { cutReply: true, maxReplyBytes: 1_000 }));
  expect([cut.status, cut.body]).toEqual([200, "y".repeat(1_000)]);
  const exact = await serve((_request, reply) => void reply.end("z".repeat(1_000)));
  const whole = await client().request(post(`http://127.0.0.1:${exact.port}/`, { maxReplyBytes: 1_000 }));
  expect(whole.body.length).toBe(1_000);
});

test("a compressed reply stays as it came", async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000));
  const { port } = await serve((_request, reply) => void reply.setHeader("content-encoding", "gzip").end(bomb));
  const { body, headers } = await client().request(post(`http://127.0.0.1:${port}/`));
  expect(body.length).toBeLessThan(20_000);
  expect(headers["content-encoding"]).toBe("gzip");
});

test("connections are kept only where asked for, and one that was closed meanwhile is replaced", async () => {
  let replies = 0;
  const { port } = await listen(
    createRawServer((socket) =>
      socket.on("data", () => {
        // Promises to keep the connection, and breaks it after every second reply.
        replies += 1;
        if (replies % 3 === 0) return void socket.destroy();
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
      }),
    ),
  );
  const out = client();
  for (let turn = 0; turn < 9; turn++)
    expect((await out.request(post(`http://127.0.0.1:${port}/`, { reuse: true }))).status).toBe(200);

  const kept = await serve((_request, reply) => void reply.end());
  for (let turn = 0; turn < 5; turn++) await out.request(post(`http://127.0.0.1:${kept.port}/`, { reuse: true }));
  expect(kept.connections).toBe(1);
  for (let turn = 0; turn < 5; turn++) await out.request(post(`http://127.0.0.1:${kept.port}/`));
  expect(kept.connections).toBe(6);
});
