import { afterEach, beforeEach, expect, test } from "bun:test";
import { type AgentConnection, connectAgent, makeNodeKey } from "../../../tests/kit/agent-client.ts";
import { createAgentPanel, heartbeatBody, registerBody } from "../../../tests/kit/agent-panel.ts";
import { until } from "../../../tests/kit/until.ts";
import { systemClock } from "../../lib/clock.ts";
import { days, minutes } from "../../lib/duration.ts";
import { createAgentClient } from "../../shared/agent-client/index.ts";
import { AGENT_PATHS } from "../../shared/agent-protocol/index.ts";

let panel: Awaited<ReturnType<typeof createAgentPanel>>;
beforeEach(async () => {
  panel = await createAgentPanel();
});
afterEach(() => panel.listener.stop());

const ca = () => panel.authority.bundle().pem;

async function enrol(instance_id: string) {
  const { keyPem, csr } = makeNodeKey();
  const stranger = await connectAgent({ port: panel.port, ca: ca() });
  const body = registerBody(panel.fleet.addToken("ten_a"), csr, { instance_id });
  const reply = await stranger.call(AGENT_PATHS.register, body);
  stranger.socket.destroy();
  return { cert: String(reply?.body.signed_certificate), key: keyPem };
}

/** A stream as bytes; resolves once the panel has begun it. */
async function openStream(credential: { cert: string; key: string }): Promise<AgentConnection> {
  const stream = await connectAgent({ port: panel.port, ca: ca(), ...credential });
  stream.raw(
    `POST ${AGENT_PATHS.control} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`,
  );
  await until(() => stream.received().includes("\r\n\r\n"), { everyMs: 5 });
  return stream;
}
const wakesIn = (stream: AgentConnection): number => stream.received().split('{"wake":true}').length - 1;

test("the node's own client hears that something waits", async () => {
  const { cert, key } = await enrol("node-1");
  const lines: unknown[] = [];
  const client = createAgentClient(
    systemClock,
    { host: "127.0.0.1", port: panel.port },
    { ca: ca(), credential: { certificate: cert, key } },
  );
  const ended = client.control((line) => lines.push(line)).catch(({ kind }) => kind);
  await until(() => panel.listener.count() === 1, { everyMs: 5 });
  await until(
    () => {
      panel.wake("another-node");
      panel.wake("node-1");
      return lines.length > 0;
    },
    { everyMs: 10 },
  );
  expect(lines[0]).toEqual({ wake: true });
  panel.fleet.deleteNode("node-1");
  expect(["dropped", "unreachable"]).toContain(await ended);
});

test("a stream stays for as long as its certificate, a newer one takes its place", async () => {
  const credential = await enrol("node-1");
  const stream = await openStream(credential);
  expect(stream.received()).toContain("application/x-ndjson");
  for (let minute = 0; minute < 5; minute++) await panel.clock.advance(minutes(1));
  // Fifteen seconds apart, in time for a client that gives up after fifty.
  await until(
    () =>
      stream
        .received()
        .split("\r\n\r\n")[1]
        ?.match(/\n\r\n/g)?.length === 21,
    { everyMs: 10 },
  );
  panel.wake("node-1");
  await until(() => wakesIn(stream) === 1, { everyMs: 5 });
  const second = await openStream(credential);
  await stream.closed;
  panel.wake("node-1");
  await until(() => wakesIn(second) === 1, { everyMs: 5 });
  panel.clock.jump(days(91));
  await panel.clock.advance(minutes(1));
  await second.closed;
});

test("what waits already is told at once, and nobody without a certificate gets a stream", async () => {
  const stream = await openStream(await enrol("busy-node"));
  await until(() => wakesIn(stream) === 1, { everyMs: 5 });
  const stranger = await connectAgent({ port: panel.port, ca: ca() });
  expect(await stranger.call(AGENT_PATHS.control, {})).toMatchObject({ status: 401 });
  const node = await connectAgent({ port: panel.port, ca: ca(), ...(await enrol("node-2")) });
  expect((await node.call(AGENT_PATHS.heartbeat, heartbeatBody()))?.status).toBe(200);
  expect(await node.call(AGENT_PATHS.control, "not json")).toMatchObject({ status: 400 });
});
