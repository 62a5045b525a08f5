import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createPublicKey } from "node:crypto";
import { createServer as createPlainServer } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { makeNodeKey } from "../../../tests/kit/agent-client.ts";
import { createAgentPanel, heartbeatBody, registerBody } from "../../../tests/kit/agent-panel.ts";
import { createTestAuthority } from "../../../tests/kit/authority.ts";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { until } from "../../../tests/kit/until.ts";
import { systemClock } from "../../lib/clock.ts";
import { days } from "../../lib/duration.ts";
import type { HeartbeatInput } from "../agent-protocol/index.ts";
import { AgentCallError, type ClientOptions, createAgentClient, fetchPinnedRoot, judgeFailure } from "./index.ts";
import type { ServeStream } from "./serve-streams.ts";

let panel: Awaited<ReturnType<typeof createAgentPanel>>;
const stops: (() => unknown)[] = [];
beforeEach(async () => {
  panel = await createAgentPanel();
  stops.push(() => panel.listener.stop());
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const at = (port: number) => ({ host: "127.0.0.1", port });
const beat: HeartbeatInput = { ...heartbeatBody(), status: "ok" };
const failure = (promise: Promise<unknown>): Promise<AgentCallError> =>
  promise.then(
    () => {
      throw new Error("no failure");
    },
    (error) => error,
  );

function connect(
  ca: string,
  credential: { certificate: string; key: string } | null = null,
  port = panel.port,
  options: ClientOptions = {},
) {
  const client = createAgentClient(systemClock, at(port), { ca, credential }, { connectMs: 2_000, ...options });
  stops.push(() => client.close());
  return client;
}

async function enrol() {
  const { keyPem, csr } = makeNodeKey();
  const ca = await fetchPinnedRoot(systemClock, at(panel.port), panel.authority.pin(), 2_000);
  const stranger = connect(ca);
  const reply = await stranger.register(registerBody(panel.fleet.addToken("ten_a"), csr));
  stranger.close();
  return { reply, credential: { certificate: reply.signed_certificate, key: keyPem }, ca: reply.ca_certificate };
}

/** A TLS server with a certificate of the panel's own authority that does what it likes. */
async function odd(onSocket: (socket: TLSSocket) => void, cert = panel.authority.issueServer(["x"])) {
  const server = createTlsServer({ cert: cert.chain, key: cert.key, minVersion: "TLSv1.3" }, (socket) => {
    socket.on("error", () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => server.close());
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

/** A node that takes any word for signed, or none. */
const knows = (isSigned: boolean) => ({ now: 0, certificateEnd: 1, isSigned: () => isSigned });

test("finds the root by its pin, enrols, beats on one connection, renews", async () => {
  const { credential, ca } = await enrol();
  const client = connect(ca, credential);
  for (let i = 0; i < 3; i++) expect((await client.heartbeat(beat)).next_heartbeat_sec).toBe(20);
  expect(panel.listener.count()).toBe(1);
  const { keyPem, csr } = makeNodeKey();
  const fresh = await client.renew({ csr });
  client.use({ ca: fresh.ca_certificate, credential: { certificate: fresh.signed_certificate, key: keyPem } });
  await client.heartbeat(beat);
  const refused = await failure(connect(ca, credential).heartbeat(beat));
  expect(refused).toMatchObject({ kind: "refused", refusal: { status: 401, code: "certificate_superseded" } });
  expect(judgeFailure(refused, knows(true))).toBe("certificate_refused");
  expect(judgeFailure(refused, knows(false))).toBe("retry");
});

test("a stranger's pin gets not even a request", async () => {
  const other = await createTestAuthority(createFakeClock(Date.now()));
  const refused = await failure(fetchPinnedRoot(systemClock, at(panel.port), other.pin(), 2_000));
  expect(refused).toMatchObject({ kind: "pin_mismatch" });
  expect(refused.message).toContain("does not carry the pin");
});

test("a panel of another authority is not trusted, and neither is a node that plays panel", async () => {
  const { ca } = await enrol();
  const other = await createTestAuthority(createFakeClock(Date.now()));
  const foreign = await odd(() => {}, other.issueServer(["127.0.0.1"]));
  expect(await failure(connect(ca, null, foreign).heartbeat(beat))).toMatchObject({ kind: "untrusted" });
  const { key, keyPem } = makeNodeKey();
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
  const issued = panel.authority.issueClient({ tenantId: "t", nodeId: "n", publicKey });
  const node = await odd(() => {}, { ...panel.authority.issueServer(["x"]), chain: issued.chain, key: keyPem });
  expect(await failure(connect(ca, null, node).heartbeat(beat))).toMatchObject({ kind: "untrusted" });
});

test("a deleted node is told so, and an expired one ends without a word", async () => {
  const { credential, ca } = await enrol();
  const client = connect(ca, credential);
  await client.heartbeat(beat);
  panel.fleet.deleteNode("node-1");
  const refused = await failure(client.heartbeat(beat));
  expect(refused.refusal?.code).toBe("node_deleted");
  expect(judgeFailure(refused, knows(true))).toBe("deleted");
  // Whoever says so without the panel's signature, or with one about something else, is asked again.
  expect(judgeFailure(refused, knows(false))).toBe("retry");
  const bare = new AgentCallError("refused", "Gone.", {
    status: 403,
    code: "node_deleted",
    retryAfterS: null,
    word: null,
  });
  expect(judgeFailure(bare, knows(true))).toBe("retry");
  const early = new AgentCallError("refused", "x", {
    status: 401,
    code: "certificate_expired",
    retryAfterS: null,
    word: null,
  });
  expect(judgeFailure(early, { ...knows(true), certificateEnd: 1 })).toBe("retry");
  expect(judgeFailure(early, { ...knows(true), now: 1, certificateEnd: 1 })).toBe("certificate_expired");
  expect((await failure(client.heartbeat(beat))).refusal?.code).toBe("node_deleted");
});

test("a session that ends while nobody waits is told, and the next heartbeat begins another one", async () => {
  const { credential, ca } = await enrol();
  const ends: AgentCallError[] = [];
  const client = connect(ca, credential, panel.port, { onEnd: (error) => void ends.push(error) });
  await client.heartbeat(beat);
  panel.fleet.deps.revoke("node-1");
  await until(() => ends.length === 1, { everyMs: 2 });
  expect(ends[0]).toMatchObject({ kind: "unreachable", refusal: null });
  await client.heartbeat(beat);
  expect(panel.seen).toEqual(["node-1", "node-1"]);
  panel.fleet.deleteNode("node-1");
  await until(() => ends.length === 2, { everyMs: 2 });
  expect(ends[1]).toMatchObject({ kind: "refused", refusal: { status: 403, code: "node_deleted" } });
  client.close();
  expect(ends).toHaveLength(2);
});

test("the panel's call is handed on", async () => {
  const { credential, ca } = await enrol();
  let wakes = 0;
  const onWake = () => {
    wakes += 1;
  };
  const client = connect(ca, credential, panel.port, { onWake });
  await client.heartbeat(beat);
  panel.wake("node-1");
  await until(() => wakes === 1, { everyMs: 2 });
  await client.heartbeat(beat);
});

describe("what goes wrong on the way", () => {
  const ok = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const trusted = () => panel.authority.bundle().pem;

  test("nobody listens", async () => {
    expect(await failure(connect(trusted(), null, 1).heartbeat(beat))).toMatchObject({ kind: "unreachable" });
  });

  test("something without TLS listens", async () => {
    const server = createPlainServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    stops.push(() => server.close());
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const refused = await failure(connect(trusted(), null, port).heartbeat(beat));
    expect(refused).toMatchObject({ kind: "unreachable" });
    expect(refused.message).toContain("does not speak TLS");
  });

  test("the handshake does not end", async () => {
    const server = createPlainServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    stops.push(() => server.close());
    const address = server.address();
    const clock = createFakeClock();
    const port = typeof address === "object" && address ? address.port : 0;
    const client = createAgentClient(clock, at(port), { ca: trusted(), credential: null });
    const failed = failure(client.heartbeat(beat));
    await clock.advance(60_000);
    expect(await failed).toMatchObject({ kind: "unreachable" });
  });

  test("no answer comes", async () => {
    const clock = createFakeClock();
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const port = await odd((socket) => void socket.once("data", () => isAsked()));
    const client = createAgentClient(clock, at(port), { ca: trusted(), credential: null });
    const failed = failure(client.heartbeat(beat));
    await asked;
    await clock.advance(30_000);
    expect(await failed).toMatchObject({ kind: "unreachable", message: expect.stringContaining("does not answer") });
  });

  test("the panel closes without a word: over for an expired certificate, else worth another try", async () => {
    const port = await odd((socket) => void socket.once("data", () => socket.destroy()));
    const dropped = await failure(connect(trusted(), null, port).heartbeat(beat));
    expect(dropped).toMatchObject({ kind: "dropped" });
    expect(judgeFailure(dropped, { ...knows(true), now: days(90), certificateEnd: days(90) })).toBe(
      "certificate_expired",
    );
    expect(judgeFailure(dropped, { ...knows(true), now: days(90) - 1, certificateEnd: days(90) })).toBe("retry");
  });

  test.each([
    ["no HTTP", "hello\r\n\r\n"],
    ["no JSON", ok("hello")],
    ["another shape", ok("{}")],
    ["too much", `HTTP/1.1 200 OK\r\ncontent-length: 3000000\r\n\r\n${"x".repeat(2_200_000)}`],
    ["an error without a code", "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 2\r\n\r\n{}"],
  ])("%s is answered", async (_, text) => {
    const port = await odd((socket) => void socket.once("data", () => socket.write(text)));
    expect(await failure(connect(trusted(), null, port).heartbeat(beat))).toMatchObject({ kind: "garbled" });
  });

  test("a refusal carries code, text and waiting time", async () => {
    const body = '{"code":"too_many_requests","message":"Wait."}';
    const head = `HTTP/1.1 429 x\r\nretry-after: 7\r\ncontent-length: ${body.length}\r\n\r\n`;
    const port = await odd((socket) => void socket.once("data", () => socket.write(head + body)));
    const refused = await failure(connect(trusted(), null, port).heartbeat(beat));
    expect(refused).toMatchObject({ kind: "refused", message: "Wait.", refusal: { status: 429, retryAfterS: 7 } });
    expect(judgeFailure(refused, knows(true))).toBe("retry");
  });
});

describe("a session", () => {
  const trusted = () => panel.authority.bundle().pem;
  const SWITCH = "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: orrery-agent/1\r\n\r\n";
  const answer = (id: number) =>
    `${JSON.stringify({ kind: "answer", id, answer: { commands: [], next_heartbeat_sec: 20, server_time: "x" } })}\n`;

  /** A panel that begins a session and says `text` to the first heartbeat, all at once or byte by byte. */
  const saying = (text: string, step = text.length) =>
    odd((socket) => {
      socket.once("data", () => {
        socket.write(SWITCH);
        socket.once("data", () => {
          const bytes = Buffer.from(text);
          for (let from = 0; from < bytes.length; from += step) socket.write(bytes.subarray(from, from + step));
        });
      });
    });

  test("ends when the panel does not read what it asks for", async () => {
    const open = (stream: number) => ({ kind: "open", stream, service: "wide", params: {}, credit: 2_000_000 });
    const opens = Array.from({ length: 400 }, (_, stream) => `${JSON.stringify(open(stream))}\n`).join("");
    const wide: ServeStream = async ({ send }) => {
      for (let turn = 0; turn < 30; turn += 1) await send("x".repeat(60_000));
    };
    const port = await odd((socket) => void socket.once("data", () => socket.pause().write(SWITCH + opens)));
    const refused = await failure(connect(trusted(), null, port, { services: { wide } }).heartbeat(beat));
    expect(refused).toMatchObject({ kind: "garbled", message: "The panel does not read what it asks for." });
  });

  test("is asked for as the protocol says", async () => {
    let asked = "";
    const port = await odd((socket) =>
      socket.on("data", (bytes) => {
        asked += bytes;
      }),
    );
    const client = connect(trusted(), null, port);
    const failed = failure(client.heartbeat(beat));
    await until(() => asked.endsWith("\r\n\r\n"), { everyMs: 2 });
    expect(asked.split("\r\n")).toEqual([
      "GET /api/agent/v1/control HTTP/1.1",
      "connection: Upgrade",
      "upgrade: orrery-agent/1",
      `host: 127.0.0.1:${port}`,
      "",
      "",
    ]);
    client.close();
    await failed;
  });

  test("is not asked for by a client that was closed while it connected", async () => {
    let asked = "";
    const port = await odd((socket) =>
      socket.on("data", (bytes) => {
        asked += bytes;
      }),
    );
    const closed = connect(trusted(), null, port);
    const failed = failure(closed.heartbeat(beat));
    closed.close();
    expect(await failed).toMatchObject({ kind: "unreachable" });
    const next = connect(trusted(), null, port);
    const other = failure(next.heartbeat(beat));
    await until(() => asked.endsWith("\r\n\r\n"), { everyMs: 2 });
    expect(asked.split("GET ")).toHaveLength(2);
    next.close();
    await other;
  });

  test("may begin with frames, come in any pieces, and carry what this node does not know", async () => {
    let wakes = 0;
    const onWake = () => {
      wakes += 1;
    };
    const wake = '{"kind":"wake"}\n';
    const early = await odd((socket) => void socket.once("data", () => socket.write(SWITCH + wake)));
    const client = connect(trusted(), null, early, { onWake });
    void client.heartbeat(beat).catch(() => null);
    await until(() => wakes === 1, { everyMs: 2 });
    const odds = `\n${wake}{"kind":"newer","id":5}\n\r\n`;
    const pieces = connect(trusted(), null, await saying(odds + answer(1), 1), { onWake });
    expect((await pieces.heartbeat(beat)).next_heartbeat_sec).toBe(20);
    expect(wakes).toBe(2);
  });

  test("carries a refusal with its waiting time and what people can read of its words, and goes on after it", async () => {
    const message = "Wait. ".repeat(10_000);
    const refusal = { status: 429, code: "too_many_requests", message, params: {}, retry_after_s: 7 };
    const port = await saying(`${JSON.stringify({ kind: "refusal", id: 1, refusal })}\n`);
    const refused = await failure(connect(trusted(), null, port).heartbeat(beat));
    expect(refused).toMatchObject({ kind: "refused", refusal: { status: 429, retryAfterS: 7 } });
    expect(refused.message).toBe(message.slice(0, 500));
  });

  test.each([
    ["no JSON", "hello\n"],
    ["an answer to something else", answer(2)],
    ["an answer of another shape", '{"kind":"answer","id":1,"answer":{}}\n'],
    ["a refusal without a code", '{"kind":"refusal","id":1,"refusal":{"status":400}}\n'],
    ["too much", "x".repeat(2_200_000)],
    ["more than anybody would say", "\n".repeat(100_001)],
  ])("with %s is garbled", async (_, text) => {
    const refused = await failure(connect(trusted(), null, await saying(text)).heartbeat(beat));
    expect(refused).toMatchObject({ kind: "garbled" });
  });

  test("without an answer, or without any word for 50 seconds, is over", async () => {
    const ends: string[] = [];
    for (const text of ["", answer(1)]) {
      const clock = createFakeClock();
      const port = await saying(text);
      const options = { onEnd: ({ message }: AgentCallError) => void ends.push(message) };
      const client = createAgentClient(clock, at(port), { ca: trusted(), credential: null }, options);
      const call = client.heartbeat(beat).catch((error) => error);
      if (text === "") {
        await until(
          async () => {
            await clock.advance(5_000);
            return clock.monotonic() > 60_000;
          },
          { everyMs: 10 },
        );
        expect(await call).toMatchObject({ kind: "unreachable", message: expect.stringContaining("does not answer") });
      } else {
        await call;
        await clock.advance(45_000);
        expect(ends).toEqual([]);
        await clock.advance(10_000);
        expect(ends).toEqual([expect.stringContaining("does not answer")]);
      }
      client.close();
    }
  });
});

test.each([
  ["on the same connection", 404, "not_found", ""],
  ["on another one", 426, "session_required", "connection: close\r\n"],
])("an older panel gets plain heartbeats, %s", async (_, status, code, more) => {
  const json = (body: object, line: string, head = "") => {
    const text = JSON.stringify(body);
    return `HTTP/1.1 ${line}\r\n${head}content-length: ${text.length}\r\n\r\n${text}`;
  };
  const asked: string[] = [];
  let connections = 0;
  const port = await odd((socket) => {
    connections += 1;
    socket.on("data", (bytes) => {
      const line = bytes.toString().split(" HTTP")[0] ?? "";
      asked.push(line);
      if (line.startsWith("GET")) socket.write(json({ code, message: "no" }, `${status} No`, more));
      else socket.write(json({ commands: [], next_heartbeat_sec: 20, server_time: "x" }, "200 OK"));
    });
  });
  const client = connect(panel.authority.bundle().pem, null, port);
  for (let i = 0; i < 3; i++) await client.heartbeat(beat);
  const plain = "POST /api/agent/v1/heartbeat";
  expect(asked).toEqual(["GET /api/agent/v1/control", plain, plain, plain]);
  expect(connections).toBe(more === "" ? 1 : 2);
});
