import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createAgentPanel, heartbeatBody } from "../../../../tests/kit/agent-panel.ts";
import { openRawSession, UPGRADE } from "../../../../tests/kit/agent-session.ts";
import { until } from "../../../../tests/kit/until.ts";
import { days, minutes, seconds } from "../../../lib/duration.ts";
import { AGENT_PATHS, NODE_FRAME_BYTES } from "../../../shared/agent-protocol/index.ts";

let panel: Awaited<ReturnType<typeof createAgentPanel>>;
beforeEach(async () => {
  panel = await createAgentPanel();
});
afterEach(() => panel.listener.stop());

type AgentPanel = typeof panel;
const connect = (...more: Parameters<AgentPanel["connect"]>) => panel.connect(...more);
const enrol = (...more: Parameters<AgentPanel["enrol"]>) => panel.enrol(...more);
const openSession = ({ cert, key }: { cert: string; key: string }) =>
  openRawSession({ port: panel.port, ca: panel.ca(), cert, key });
const beatText = (id: number) => `${JSON.stringify({ kind: "heartbeat", id, heartbeat: heartbeatBody() })}\n`;

describe("a session", () => {
  test("begins with an upgrade and answers frame by frame, in order", async () => {
    const session = await openSession(await enrol());
    expect(session.received()).toStartWith("HTTP/1.1 101 Switching Protocols\r\n");
    expect(panel.listener.hasSession("node-1")).toBe(true);
    expect(await session.beat(1, heartbeatBody())).toEqual({
      kind: "answer",
      id: 1,
      answer: { commands: [], next_heartbeat_sec: 20, server_time: expect.any(String) },
    });
    session.raw([2, 3, 4].map(beatText).join(""));
    await session.frame(({ id }) => id === 4);
    expect(session.frames().map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(panel.seen).toHaveLength(4);
    expect(panel.listener.count()).toBe(1);
    session.socket.destroy();
    await until(() => !panel.listener.hasSession("node-1"), { everyMs: 5 });
  });

  test("takes frames that come with the upgrade, or split at every byte", async () => {
    const credential = await enrol();
    const early = await connect(credential);
    early.raw(UPGRADE + beatText(7));
    await until(() => early.received().includes('"id":7,"answer"'), { everyMs: 5 });
    const session = await openSession(credential);
    const bytes = Buffer.from(`\n${beatText(1)}\r\n${beatText(2)}`);
    for (const byte of bytes) session.socket.write(Buffer.from([byte]));
    await session.frame(({ id }) => id === 2);
    expect(session.frames().map(({ kind, id }) => `${kind} ${id}`)).toEqual(["answer 1", "answer 2"]);
  });

  test("refuses what a plain call refuses, with the same codes, and goes on", async () => {
    const session = await openSession(await enrol());
    expect(await session.beat(1, heartbeatBody({ status: "fine" }))).toMatchObject({
      kind: "refusal",
      refusal: { status: 400, code: "invalid_request", params: { field: "status" } },
    });
    expect(await session.beat(2, heartbeatBody({ version: "broken" }))).toMatchObject({
      refusal: { status: 500, code: "internal" },
    });
    session.raw('{"kind":"something newer","id":3}\n');
    expect(await session.beat(4, heartbeatBody())).toMatchObject({ kind: "answer" });
    expect(session.frames()).toHaveLength(3);
  });

  test("calls the node when something waits for it", async () => {
    const session = await openSession(await enrol());
    const other = await openSession(await enrol({ instance_id: "node-2" }));
    panel.wake("nobody");
    panel.wake("node-1");
    expect(await session.frame(({ kind }) => kind === "wake")).toEqual({ kind: "wake" });
    await other.beat(1, heartbeatBody());
    expect(other.frames()).toHaveLength(1);
  });
});

describe("who has one", () => {
  test("nobody without a certificate, and nobody whose node is deleted", async () => {
    const stranger = await connect();
    stranger.raw(UPGRADE);
    await stranger.closed;
    expect(stranger.received()).toContain("certificate_required");
    const mine = await enrol();
    panel.fleet.deleteNode("node-1");
    const node = await connect(mine);
    node.raw(UPGRADE);
    await node.closed;
    expect(node.received()).toContain("node_deleted");
  });

  test("it must be asked for", async () => {
    const mine = await enrol();
    for (const [was, is] of [
      ["GET", "POST"],
      ["orrery-agent/1", "orrery-agent/0"],
      ["connection: Upgrade", "connection: keep-alive"],
    ] as const) {
      const node = await connect(mine);
      node.raw(UPGRADE.replace(was, is));
      await node.closed;
      expect(node.received()).toContain("HTTP/1.1 426");
      expect(node.received()).toContain("upgrade: orrery-agent/1");
    }
  });

  test("the newer of two is right, and the other is told", async () => {
    const mine = await enrol();
    const first = await openSession(mine);
    await first.beat(1, heartbeatBody());
    const second = await openSession(mine);
    await first.closed;
    expect(first.frames().at(-1)).toMatchObject({ id: null, refusal: { status: 409, code: "session_replaced" } });
    expect(panel.listener.hasSession("node-1")).toBe(true);
    panel.wake("node-1");
    await second.frame(({ kind }) => kind === "wake");
    expect(await second.beat(2, heartbeatBody())).toMatchObject({ kind: "answer" });
  });
});

test("a workspace whose nodes take too long to read waits, loses nothing, and keeps nobody else waiting", async () => {
  const node = await openSession(await enrol());
  const neighbour = await openSession(await enrol({ instance_id: "node-2" }));
  const other = await openSession(await enrol({ instance_id: "node-3" }, "ten_b"));
  const plain = await connect(await enrol({ instance_id: "node-4" }));
  // Fewer frames than a node may send at once, and more than three seconds' worth of reading.
  const wide = `${JSON.stringify({ kind: "something newer", x: Array.from({ length: 16_000 }, () => 0) })}\n`;
  for (let times = 0; times < 25; times++) node.raw(wide);
  node.raw(beatText(1));
  const plainStatus = async () => (await plain.call(AGENT_PATHS.heartbeat, heartbeatBody()))?.status;
  await until(async () => (await plainStatus()) === 429, { everyMs: 10 });
  neighbour.raw(beatText(1));
  expect(await other.beat(1, heartbeatBody())).toMatchObject({ kind: "answer" });
  expect([...node.frames(), ...neighbour.frames()]).toEqual([]);
  const isAnswered = async () => {
    await panel.clock.advance(seconds(1));
    return node.frames().length > 0 && neighbour.frames().length > 0;
  };
  await until(isAnswered, { everyMs: 2 });
  expect([...node.frames(), ...neighbour.frames()]).toMatchObject([{ kind: "answer" }, { kind: "answer" }]);
});

describe("the end of a session", () => {
  test("comes with the node's deletion, within a second and with a word", async () => {
    const session = await openSession(await enrol());
    const other = await openSession(await enrol({ instance_id: "node-2" }));
    const start = performance.now();
    panel.fleet.deleteNode("node-1");
    await session.closed;
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(session.frames().at(-1)).toMatchObject({ id: null, refusal: { status: 403, code: "node_deleted" } });
    expect(panel.listener.hasSession("node-1")).toBe(false);
    expect(await other.beat(1, heartbeatBody())).toMatchObject({ kind: "answer" });
  });

  test("comes with another certificate of the same node", async () => {
    const session = await openSession(await enrol());
    await enrol();
    await session.closed;
    expect(session.frames().at(-1)).toMatchObject({ refusal: { status: 401, code: "certificate_superseded" } });
  });

  test("comes with the end of its certificate, whether or not the node speaks", async () => {
    const mine = await enrol();
    const speaking = await openSession(mine);
    panel.clock.jump(days(90));
    expect(await speaking.beat(1, heartbeatBody())).toMatchObject({ refusal: { code: "certificate_expired" } });
    await speaking.closed;
    panel.clock.jump(-days(90));
    const silent = await openSession(mine);
    panel.clock.jump(days(90));
    await panel.clock.advance(seconds(16));
    await silent.closed;
    expect(silent.frames()).toMatchObject([{ id: null, refusal: { code: "certificate_expired" } }]);
  });

  test("comes when nothing was heard for two minutes; until then the node hears something every 15 seconds", async () => {
    const session = await openSession(await enrol());
    for (let quarter = 0; quarter < 7; quarter++) await panel.clock.advance(seconds(15));
    await until(() => session.keepAlives() === 7, { everyMs: 5 });
    await session.beat(1, heartbeatBody());
    await panel.clock.advance(minutes(1));
    expect(await session.beat(2, heartbeatBody())).toMatchObject({ kind: "answer" });
    await panel.clock.advance(minutes(2) + seconds(2));
    await session.closed;
    expect(panel.listener.count()).toBe(0);
  });

  test.each([
    ["a line that is no JSON", "no json\n", "invalid_request"],
    ["a heartbeat without a number", '{"kind":"heartbeat","heartbeat":{}}\n', "invalid_request"],
    ["a frame that is too long", "x".repeat(NODE_FRAME_BYTES + 1), "payload_too_large"],
    ["more than may come ahead", [1, 2, 3, 4, 5, 6, 7].map(beatText).join(""), "invalid_request"],
  ])("comes with %s", async (_, text, code) => {
    const session = await openSession(await enrol());
    session.raw(text);
    await session.closed;
    expect(session.frames().at(-1)).toMatchObject({ kind: "refusal", id: null, refusal: { code } });
    expect(panel.lines.some(({ msg }) => msg === "agent request failed inside")).toBe(false);
  });

  test("comes for who says more than anybody has to say", async () => {
    const node = await openSession(await enrol());
    for (let id = 1; id < 60; id++) await node.beat(id, heartbeatBody());
    node.raw(beatText(60));
    await node.closed;
    const last = node.frames().at(-1);
    expect(last).toMatchObject({ id: null, refusal: { code: "too_many_requests", retry_after_s: expect.any(Number) } });
    expect(panel.seen).toHaveLength(59);
    const other = await openSession(await enrol({ instance_id: "node-2" }));
    expect(await other.beat(1, heartbeatBody())).toMatchObject({ kind: "answer" });
    // What is passed over is counted as well.
    for (let id = 0; id < 500; id++) other.raw('{"kind":"something newer"}\n');
    await other.closed;
    const third = await openSession(await enrol({ instance_id: "node-3" }));
    third.raw(`${JSON.stringify({ kind: "something newer", text: "x".repeat(100_000) })}\n`.repeat(43));
    await third.closed;
    expect(third.frames().at(-1)).toMatchObject({ id: null, refusal: { code: "too_many_requests" } });
  });

  test("comes for the nodes of a workspace that together begin more than they end", async () => {
    const sessions = [];
    for (let no = 1; no <= 8; no++) {
      const session = await openSession(await enrol({ instance_id: `node-${no}` }));
      session.raw(`{"kind":"heartbeat","id":1,"heartbeat":"${"x".repeat(900_000)}`);
      sessions.push(session);
    }
    await Promise.any(sessions.map(({ closed }) => closed));
    const told = sessions.flatMap((session) => session.frames());
    expect(told.every(({ refusal }) => refusal.code === "too_many_requests")).toBe(true);
    expect(told.length).toBeGreaterThan(0);
    const other = await openSession(await enrol({ instance_id: "node-9" }, "ten_b"));
    expect(await other.beat(1, heartbeatBody())).toMatchObject({ kind: "answer" });
  });

  test("comes for a frame of more values than a node has, whatever its kind, and the same for a plain heartbeat", async () => {
    const mine = await enrol();
    const session = await openSession(mine);
    const many = Array.from({ length: 20_000 }, (_, no) => ({ [no]: 0 }));
    session.raw(`${JSON.stringify({ kind: "nothing", x: many })}\n`);
    await session.closed;
    expect(session.frames()).toMatchObject([{ id: null, refusal: { code: "invalid_request" } }]);
    const plain = await connect(mine);
    const reply = await plain.call(AGENT_PATHS.heartbeat, heartbeatBody({ x: many }));
    expect(reply).toMatchObject({ status: 400, body: { params: { field: "body" } } });
  });

  test("comes for a frame that is nested deeply, before anybody walks it", async () => {
    const session = await openSession(await enrol());
    const inventory = `${'{"x":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    session.raw(`{"kind":"heartbeat","id":1,"heartbeat":{"status":"ok","inventory":${inventory}}}\n`);
    await session.closed;
    expect(session.frames().at(-1)).toMatchObject({ id: null, refusal: { code: "invalid_request" } });
    expect(panel.lines.some(({ msg }) => msg === "agent request failed inside")).toBe(false);
  });

  test("comes for a frame that does not get whole", async () => {
    const session = await openSession(await enrol());
    session.raw(beatText(1) + beatText(2).slice(0, -5));
    await session.frame(({ id }) => id === 1);
    await panel.clock.advance(seconds(32));
    await session.closed;
  });

  test("comes for a node that asks and does not read", async () => {
    const session = await openSession(await enrol());
    session.socket.pause();
    const wide = { kind: "heartbeat", heartbeat: { status: `${"x".repeat(200)}` } };
    for (let id = 0; session.socket.writable && id < 200_000; id++) {
      session.raw(`${JSON.stringify({ ...wide, id })}\n`);
      if (id % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
      if (!panel.listener.hasSession("node-1")) break;
    }
    expect(panel.listener.hasSession("node-1")).toBe(false);
  });
});
