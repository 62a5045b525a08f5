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
import { type AgentCallError, createAgentClient, fetchPinnedRoot, judgeFailure } from "./index.ts";

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

function connect(ca: string, credential: { certificate: string; key: string } | null = null, port = panel.port) {
  const client = createAgentClient(systemClock, at(port), { ca, credential }, 2_000);
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
  expect(judgeFailure(refused, 0, 1)).toBe("certificate_refused");
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
  expect(judgeFailure(refused, 0, 1)).toBe("deleted");
  expect((await failure(client.heartbeat(beat))).refusal?.code).toBe("node_deleted");
});

test("a connection that the panel closed while it waited is opened again for the next call", async () => {
  const { credential, ca } = await enrol();
  const client = connect(ca, credential);
  await client.heartbeat(beat);
  panel.fleet.deps.revoke("node-1");
  await client.heartbeat(beat);
  expect(panel.seen).toEqual(["node-1", "node-1"]);
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
    await clock.advance(10_000);
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
    expect(judgeFailure(dropped, days(90), days(90))).toBe("certificate_expired");
    expect(judgeFailure(dropped, days(90) - 1, days(90))).toBe("retry");
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
    expect(judgeFailure(refused, 0, 1)).toBe("retry");
  });
});

test("a control stream hands over its lines, however they are cut, until it ends", async () => {
  const lines: unknown[] = [];
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const port = await odd((socket) => {
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      socket.write(chunk('{"wake":true}\n\n{"wa'));
      socket.write(`${chunk('ke":1}\n')}0\r\n\r\n`);
    });
  });
  await connect(panel.authority.bundle().pem, null, port).control((line) => void lines.push(line));
  expect(lines).toEqual([{ wake: true }, { wake: 1 }]);
});

test("the panel's own stream calls this node, and ends with the node's place in the fleet", async () => {
  const { credential, ca } = await enrol();
  const client = connect(ca, credential);
  const lines: unknown[] = [];
  const ended = failure(client.control((line) => void lines.push(line)));
  // On a connection of its own: a heartbeat does not wait for it.
  await client.heartbeat(beat);
  await until(() => {
    panel.wake("node-1");
    return lines.length > 0;
  });
  expect(lines[0]).toEqual({ wake: true });
  panel.fleet.deleteNode("node-1");
  expect(["dropped", "unreachable"]).toContain((await ended).kind);
});

test("a panel without a control stream refuses it by code", async () => {
  const body = '{"code":"not_found","message":"There is nothing."}';
  const head = `HTTP/1.1 404 Not Found\r\ncontent-length: ${body.length}\r\n\r\n`;
  const port = await odd((socket) => void socket.once("data", () => socket.write(head + body)));
  const refused = await failure(connect(panel.authority.bundle().pem, null, port).control(() => {}));
  expect(refused).toMatchObject({ kind: "refused", refusal: { status: 404, code: "not_found" } });
});
