import { afterAll, afterEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import {
  startHttpReceiver,
  startSyslogReceiver,
  startUdpReceiver,
  takeCounted,
} from "../../../../../tests/kit/log-receivers.ts";
import { openSsl, withFiles } from "../../../../../tests/kit/openssl.ts";
import { TLS_FIXTURE } from "../../../../../tests/kit/tls-fixture.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { systemClock } from "../../../../lib/clock.ts";
import { readUnconfirmed } from "../../../machine/index.ts";
import type { ForwarderKind } from "../contract.ts";
import type { WaitingLine } from "../pump/followed.ts";
import { asChecked, createSender, type Sender } from "./index.ts";
import { createLabels, lokiBody, nanoseconds, pushUrl } from "./loki.ts";
import { parseRetryAfter } from "./post-lines.ts";
import { countOctets, syslogMessage } from "./syslog-message.ts";

const ports = { clock: systemClock, ownPorts: new Set([1]), server: () => "home" };
const LINE: WaitingLine = { at: "2026-01-02T03:04:05.678901234Z", source: "web", level: "warn", text: "wärm 🔥" };

const open: Sender[] = [];
const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const sender of open.splice(0)) sender.close();
});
afterAll(async () => {
  for (const close of closing) await close();
});

function senderOf(kind: ForwarderKind, config: unknown, secret: string | null = null): Sender {
  const checked = asChecked(kind, config);
  if (!checked) throw new Error("the configuration does not fit");
  const sender = createSender(ports, checked, secret);
  open.push(sender);
  return sender;
}

test("a line is what RFC 5424 says: priority, version, time of six digits, names without spaces", () => {
  expect(syslogMessage(LINE, "home", 8_192).toString()).toBe(
    "<12>1 2026-01-02T03:04:05.678901Z home web - - - wärm 🔥",
  );
  const odd = { ...LINE, source: "my app\nx", level: null, text: "one\r\ntwo" };
  expect(syslogMessage(odd, "", 8_192).toString()).toBe("<13>1 2026-01-02T03:04:05.678901Z - my_app_x - - - one two");
});

test("a message that is too long ends where a character ends, and its length counts bytes", () => {
  for (const most of [60, 61, 62, 63, 64]) {
    const message = syslogMessage({ ...LINE, text: "🔥".repeat(50) }, "home", most);
    expect(message.length).toBeLessThanOrEqual(most);
    expect(message.toString("utf8")).not.toContain("�");
  }
  const got: string[] = [];
  const counted = Buffer.concat([countOctets(Buffer.from("wärm")), countOctets(Buffer.from("2"))]);
  expect(counted.toString()).toBe("5 wärm1 2");
  takeCounted(counted, (message) => got.push(message));
  expect(got).toEqual(["wärm", "2"]);
});

/** A certificate that signs itself, for a name that is this machine. */
function makeCertificate(name: string): { key: string; cert: string } {
  return withFiles({}, (folder) => {
    const [key, cert] = [join(folder, "key"), join(folder, "cert")];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const names = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
    openSsl(["req", "-x509", ...curve, "-keyout", key, "-out", cert, "-days", "2", ...names]);
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  });
}

test("over TLS the other side proves its name, to an authority of one's own too", async () => {
  const certificate = makeCertificate("collector.localhost");
  const tls = await startSyslogReceiver("tls", 0, certificate);
  closing.push(tls.close);
  const config = { host: "collector.localhost", port: tls.port, transport: "tls", ca: certificate.cert };
  expect(await senderOf("syslog", config).send([LINE], "x")).toMatchObject({ status: "taken" });
  await until(() => tls.got.length === 1, { everyMs: 5 });
});

test("syslog over TCP arrives message by message; over TLS nobody is believed who cannot prove a name", async () => {
  const tcp = await startSyslogReceiver("tcp");
  const tls = await startSyslogReceiver("tls");
  closing.push(tcp.close, tls.close);
  const overTcp = senderOf("syslog", { host: "127.0.0.1", port: tcp.port, transport: "tcp" });
  expect(await overTcp.send([LINE, { ...LINE, text: "two" }], "x")).toMatchObject({ status: "taken" });
  await until(() => tcp.got.length === 2, { everyMs: 5 });
  expect(tcp.got[1]).toEndWith(" web - - - two");

  const named = { host: "hooks.localhost", port: tls.port, transport: "tls" };
  const stranger = await senderOf("syslog", { ...named, host: "127.0.0.1" }).send([LINE], "x");
  expect(stranger.status).toBe("failed");
  expect(stranger.words).toContain("nobody this server trusts has signed its certificate");
  const misnamed = await senderOf("syslog", { ...named, ca: TLS_FIXTURE.cert }).send([LINE], "x");
  expect(misnamed.words).toContain("its certificate is for another name");
  expect(tls.got).toEqual([]);
});

test("a datagram arrives; a closed port is heard of; what never answers is said to be so", async () => {
  const udp = await startUdpReceiver();
  const sender = senderOf("syslog", { host: "127.0.0.1", port: udp.port, transport: "udp" });
  const result = await sender.send([LINE], "x");
  expect(result).toMatchObject({ status: "taken", code: null });
  expect(result.words).toContain("UDP has no answer");
  await until(() => udp.got.length === 1, { everyMs: 5 });
  expect(udp.got[0]).toStartWith("<12>1 2026-");
  udp.close();
  await sender.send([LINE], "x");
  await until(() => !sender.isStanding(), { everyMs: 5 });
});

test("nobody there, and somebody who does not speak TLS: both are said in plain words", async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const plain = await senderOf("syslog", { host: "127.0.0.1", port, transport: "tls" }).send([LINE], "x");
  expect(plain.words).toContain("it does not speak TLS on this port");
  await new Promise((done) => server.close(done));
  const gone = await senderOf("syslog", { host: "127.0.0.1", port, transport: "tcp" }).send([LINE], "x");
  const words = "nothing listens on that port, or nothing leads to that address";
  expect(gone.words).toBe(`No connection to 127.0.0.1:${port}: ${words}.`);
  const heard = await senderOf("syslog", { host: "127.0.0.1", port, transport: "udp" }).send(
    Array(200).fill(LINE),
    "x",
  );
  expect(heard.words).toBe(`No connection to 127.0.0.1:${port}: ${words}.`);
  const posted = await senderOf("http", { url: `http://127.0.0.1:${port}/` }).send([LINE], "x");
  expect(posted.words).toBe(`No connection to 127.0.0.1:${port}: nothing listens there, or nothing leads to it.`);
});

test("lines are taken when the machine of the receiver has confirmed them, not when ours holds them for it", async () => {
  const tcp = await startSyslogReceiver("tcp");
  closing.push(tcp.close);
  let ends: Socket | null = null;
  tcp.onConnection = (socket) => {
    socket.pause();
    ends = socket;
  };
  const sender = senderOf("syslog", { host: "127.0.0.1", port: tcp.port, transport: "tcp" });
  const lines = Array(40).fill({ ...LINE, text: "x".repeat(6_000) });
  const held: (number | null)[] = [];
  const leftOver = () =>
    readUnconfirmed({ localPort: ends?.remotePort, remoteAddress: ends?.localAddress, remotePort: ends?.localPort });
  const sending = (async () => {
    for (let round = 0; round < 60; round += 1) {
      expect(await sender.send(lines, "x")).toMatchObject({ status: "taken" });
      held.push(await leftOver());
    }
  })();
  // Its machine takes some megabytes for a program that reads nothing, then no more.
  await until(async () => Number(await leftOver()) > 0, { everyMs: 5 });
  const before = held.length;
  expect(before).toBeLessThan(60);
  (ends as Socket | null)?.resume();
  await sending;
  expect(held).toEqual(Array(60).fill(0));
  await until(() => tcp.got.length === 60 * lines.length, { everyMs: 5 });
});

test("a receiver of syslog that says something is borne with; one that talks without end is hung up on", async () => {
  let isEndless = false;
  let hungUp = 0;
  const words = Buffer.alloc(1024, "x");
  const server = createServer((socket) => {
    const talk = () => {
      while (!socket.destroyed && socket.write(words) && isEndless);
    };
    socket.on("drain", talk);
    socket.on("error", () => {});
    socket.on("close", () => {
      hungUp += 1;
    });
    socket.resume();
    talk();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(() => server.close());
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const config = { host: "127.0.0.1", port, transport: "tcp" };
  const fair = senderOf("syslog", config);
  for (let round = 0; round < 3; round += 1) expect((await fair.send([LINE], "x")).status).toBe("taken");
  expect([fair.isStanding?.(), hungUp]).toEqual([true, 0]);
  isEndless = true;
  const talker = senderOf("syslog", config);
  await talker.send([LINE], "x");
  await until(() => hungUp === 1 && talker.isStanding?.() === false, { everyMs: 5 });
});

test.each(["169.254.169.254", "fe80::1", "224.0.0.1", "::ffff:169.254.1.1"])(
  "%s is never connected to",
  async (host) => {
    for (const transport of ["tcp", "udp", "tls"]) {
      const { status, words } = await senderOf("syslog", { host, port: 514, transport }).send([LINE], "x");
      expect(status).toBe("failed");
      expect(words).toContain("which is not called");
    }
    const url = `http://${host.includes(":") ? `[${host}]` : host}/`;
    for (const kind of ["loki", "http"] as const) {
      expect((await senderOf(kind, { url }).send([LINE], "x")).words).toContain("which is not called");
    }
  },
);

test("this program itself is never sent to", async () => {
  const { words } = await senderOf("http", { url: "http://127.0.0.1:1/" }).send([LINE], "x");
  expect(words).toContain("is this program itself");
});

test("Loki gets streams by label with nanoseconds, its tenant and its password", async () => {
  const loki = startHttpReceiver();
  closing.push(loki.stop);
  const sender = senderOf("loki", { url: loki.url, user: "me", tenant: "team-1" }, "hunter2");
  const second = { ...LINE, text: "two" };
  expect(await sender.send([LINE, second, { ...LINE, level: null }], "x")).toMatchObject({
    status: "taken",
    code: 200,
  });
  const [got] = loki.got;
  expect(got?.path).toBe("/loki/api/v1/push");
  expect(got?.headers.get("x-scope-orgid")).toBe("team-1");
  expect(got?.headers.get("authorization")).toBe(`Basic ${btoa("me:hunter2")}`);
  const at = "1767323045678901234";
  expect(got?.json).toEqual({
    streams: [
      {
        stream: { job: "orrery", host: "home", source: "web", level: "warn" },
        values: [
          [at, "wärm 🔥"],
          [at, "two"],
        ],
      },
      { stream: { job: "orrery", host: "home", source: "web", level: "unknown" }, values: [[at, "wärm 🔥"]] },
    ],
  });
});

test("labels are bounded: from the hundred and first source on, the name stands in the line", () => {
  const lines = Array.from({ length: 150 }, (_, index) => ({ ...LINE, source: `unit-${index}` }));
  const { streams } = JSON.parse(lokiBody(lines, "home", createLabels()));
  expect(streams).toHaveLength(101);
  expect(streams.at(-1).stream.source).toBe("other");
  expect(streams.at(-1).values).toHaveLength(50);
  expect(streams.at(-1).values[0][1]).toBe("unit-100: wärm 🔥");
  expect(pushUrl("https://logs.example/")).toBe("https://logs.example/loki/api/v1/push");
  expect(pushUrl("https://logs.example/other/push")).toBe("https://logs.example/other/push");
  expect(["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.5Z"].map(nanoseconds)).toEqual([
    "1767323045000000000",
    "1767323045500000000",
  ]);
});

test("HTTP gets JSON with its own header; the same lines have the same id", async () => {
  const http = startHttpReceiver();
  closing.push(http.stop);
  const sender = senderOf("http", { url: `${http.url}/in`, header: "X-Api-Key" }, "k3y");
  await sender.send([LINE], "lfw_1-0-1");
  expect(http.got[0]?.json).toEqual({ server: "home", lines: [LINE] });
  expect(http.got[0]?.headers.get("x-api-key")).toBe("k3y");
  expect(http.got[0]?.headers.get("x-orrery-batch")).toBe("lfw_1-0-1");
});

test.each([
  [400, "refused", "does not take these lines"],
  [401, "failed", "does not accept the secret (401)"],
  [404, "failed", "Check the path"],
  [413, "too_large", "wants less"],
  [429, "failed", "asks us to slow down"],
  [503, "failed", "trouble of its own (503)"],
  [302, "failed", "is a redirect"],
])("an answer of %d is %s and said in words, never with the secret or the path", async (code, status, words) => {
  const http = startHttpReceiver(
    () =>
      new Response("no: sup3r-secret\n\u0007 at /t0ken-path", {
        status: code,
        headers: { "retry-after": "7", location: "/" },
      }),
  );
  const result = await senderOf("http", { url: `${http.url}/t0ken-path` }, "sup3r-secret").send([LINE], "x");
  await http.stop();
  expect(result).toMatchObject({ status, code });
  expect(result.words).toContain(words);
  for (const secret of ["sup3r-secret", "t0ken-path"]) expect(result.words).not.toContain(secret);
  if (code === 429) expect(result.retry_after_ms).toBe(7_000);
});

test("what a receiver asks for is heard in both forms, and never for longer than an hour", () => {
  const now = Date.UTC(2026, 0, 1);
  expect(parseRetryAfter("90", now)).toBe(90_000);
  expect(parseRetryAfter("Thu, 01 Jan 2026 00:01:00 GMT", now)).toBe(60_000);
  expect(parseRetryAfter("999999", now)).toBe(3_600_000);
  expect(parseRetryAfter("soon", now)).toBeNull();
  expect(parseRetryAfter(undefined, now)).toBeNull();
});
