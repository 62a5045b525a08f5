import { afterEach, beforeEach, expect, test } from "bun:test";
import { createAgentPanel, heartbeatBody } from "../../../../tests/kit/agent-panel.ts";
import { openRawSession } from "../../../../tests/kit/agent-session.ts";
import { until } from "../../../../tests/kit/until.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { systemClock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { createAgentClient, type ServeStream, type StreamServices } from "../../../shared/agent-client/index.ts";
import { STREAM_FRAME_BYTES, STREAM_WINDOW } from "../../../shared/agent-protocol/index.ts";
import { StreamEnded } from "./index.ts";
import type { StreamRequest } from "./session-streams.ts";

let panel: Awaited<ReturnType<typeof createAgentPanel>>;
const closers: (() => void)[] = [];
beforeEach(async () => {
  panel = await createAgentPanel();
});
afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await panel.listener.stop();
});

const beat = { ...heartbeatBody(), status: "ok" as const };

/** A node that serves streams, with its session begun. */
async function begin(services: StreamServices, id = "node-1", tenant = "ten_a") {
  const { cert, key } = await panel.enrol({ instance_id: id }, tenant);
  const client = createAgentClient(
    systemClock,
    { host: "127.0.0.1", port: panel.port },
    { ca: panel.ca(), credential: { certificate: cert, key } },
    { services },
  );
  closers.push(() => client.close());
  await client.heartbeat(beat);
  return client;
}

function open(
  service = "numbers",
  params: Record<string, unknown> = {},
  id = "node-1",
  more: Partial<StreamRequest> = {},
) {
  const stream = panel.listener.openStream(id, "ten_a", { service, params, use: "logs", reader: "ada", ...more });
  if (!stream) throw new Error("there is no stream");
  return stream;
}

/** Lets time pass until it is stopped: what nodes send is charged by the second. */
function passTime(): () => Promise<void> {
  let isOver = false;
  const passing = (async () => {
    for (; !isOver; await Bun.sleep(1)) await panel.clock.advance(20);
  })();
  return () => {
    isOver = true;
    return passing;
  };
}

async function all(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const failureOf = async (items: AsyncIterable<unknown>) => {
  try {
    await all(items);
  } catch (error) {
    return error instanceof StreamEnded ? error.failure.code : error;
  }
  return null;
};

test("brings what the node sends, in order, beside heartbeats and other streams", async () => {
  const client = await begin({
    async numbers({ params, send }) {
      for (let no = 0; no < Number(params["count"]); no++) await send({ no });
    },
  });
  const [few, many] = [open("numbers", { count: 3 }), open("numbers", { count: 5_000 })];
  const [found, rest] = await Promise.all([all(few.items), all(many.items), client.heartbeat(beat)]);
  expect(found).toEqual([{ no: 0 }, { no: 1 }, { no: 2 }]);
  expect(rest).toHaveLength(5_000);
  expect(rest.at(-1)).toEqual({ no: 4_999 });
});

test("a reader that stalls stops the node's source, and a hundred megabytes cost less than one", async () => {
  let sent = 0;
  const piece = "x".repeat(10_000);
  await begin({
    async numbers({ send, signal }) {
      for (let no = 0; no < 10_000 && !signal.aborted; no++) {
        await send(piece);
        sent += piece.length;
      }
    },
  });
  const stream = open();
  const reader = stream.items[Symbol.asyncIterator]();
  await until(() => sent >= STREAM_WINDOW - piece.length, { everyMs: 5 });
  await until(async () => {
    const before = sent;
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    return sent === before;
  });
  expect(sent).toBeLessThan(STREAM_WINDOW + 2 * piece.length);
  let taken = 0;
  const stopTime = passTime();
  for (let next = await reader.next(); !next.done; next = await reader.next()) taken += String(next.value).length;
  expect(taken).toBe(100_000_000);
  await stopTime();
}, 60_000);

test("what is sent to the node arrives in order, and waits while the node does not take it", async () => {
  const taken: unknown[] = [];
  const gate = Promise.withResolvers<void>();
  await begin({
    async numbers({ input, send }) {
      await gate.promise;
      for await (const item of input) {
        taken.push(item);
        if (item === "last") return void (await send({ taken: taken.length }));
      }
    },
  });
  const stream = open();
  let sent = 0;
  const sending = (async () => {
    for (; sent < 500; sent++) await stream.send(`${sent}`.padEnd(100, "."));
    await stream.send("last");
  })();
  await until(() => sent > 10, { everyMs: 5 });
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toBeLessThan(50);
  gate.resolve();
  await sending;
  expect(await all(stream.items)).toEqual([{ taken: 501 }]);
  expect(taken.map((item) => Number.parseInt(String(item), 10)).slice(0, -1)).toEqual(
    Array.from({ length: 500 }, (_, no) => no),
  );
  // It is over: nobody waits for what nobody takes.
  await stream.send("more");
});

test("each end is told that the other has left", async () => {
  const ended: string[] = [];
  const client = await begin({
    async numbers({ send, signal }) {
      await send("first");
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      ended.push("numbers");
    },
  });
  const stream = open();
  for await (const item of stream.items) {
    expect(item).toBe("first");
    stream.close();
  }
  await until(() => ended.length === 1, { everyMs: 5 });
  const another = open();
  const reader = another.items[Symbol.asyncIterator]();
  expect((await reader.next()).value).toBe("first");
  const failure = failureOf({ [Symbol.asyncIterator]: () => reader });
  client.close();
  expect(await failure).toBe("agent_offline");
  await until(() => ended.length === 2, { everyMs: 5 });
  expect(panel.listener.streamState("node-1", "ten_a", "numbers")).toBe("offline");
});

test("a source that fails says why, and nothing of what went wrong inside", async () => {
  await begin({
    refuses: () => Promise.reject(kernelFail("invalid_request", { field: "app", reason: "is none" })),
    breaks: () => Promise.reject(new Error("secret words")),
    async grows({ send }) {
      await send("x".repeat(STREAM_FRAME_BYTES));
    },
  });
  expect(await failureOf(open("refuses").items)).toBe("invalid_request");
  expect(await failureOf(open("breaks").items)).toBe("internal");
  expect(await failureOf(open("grows").items)).toBe("internal");
});

test("only the workspace of the node gets one, and only of what the node has", async () => {
  const numbers = () => Promise.resolve();
  await begin({ numbers });
  await begin({ numbers }, "node-2", "ten_b");
  const state = (...asked: [string, string, string]) => panel.listener.streamState(...asked);
  expect(state("node-1", "ten_a", "numbers")).toBe("ready");
  expect(state("node-1", "ten_b", "numbers")).toBe("offline");
  expect(state("node-2", "ten_a", "numbers")).toBe("offline");
  expect(state("nobody", "ten_a", "numbers")).toBe("offline");
  expect(state("node-1", "ten_a", "shell")).toBe("unsupported");
  const asked = { service: "numbers", params: {}, use: "logs", reader: "ada" } as const;
  expect(panel.listener.openStream("node-2", "ten_a", asked)).toBeNull();
  // One of before, that says no hello.
  await (
    await openRawSession({ port: panel.port, ca: panel.ca(), ...(await panel.enrol({ instance_id: "node-3" })) })
  ).beat(1, heartbeatBody());
  expect(state("node-3", "ten_a", "numbers")).toBe("unsupported");
});

test("a session has room for so many, and again when one ended", async () => {
  await begin({ numbers: ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())) });
  const opened = [];
  while (panel.listener.streamState("node-1", "ten_a", "numbers") === "ready") opened.push(open());
  expect(panel.listener.streamState("node-1", "ten_a", "numbers")).toBe("full");
  expect(opened).toHaveLength(32);
  opened[0]?.close();
  await until(() => panel.listener.streamState("node-1", "ten_a", "numbers") === "ready", { everyMs: 5 });
});

test.each([
  ["more than it was asked for", (stream: number) => ({ kind: "data", stream, data: "x".repeat(60_000) }), 10],
  ["a frame that is too long", (stream: number) => ({ kind: "data", stream, data: "x".repeat(STREAM_FRAME_BYTES) }), 1],
  [
    "many small values",
    (stream: number) => ({ kind: "data", stream, data: Array.from({ length: 2_000 }, () => []) }),
    1,
  ],
  ["frames without a number", () => ({ kind: "data", data: "x" }), 1],
  ["an end without a code", (stream: number) => ({ kind: "close", stream, failure: { code: "NO!" } }), 1],
])("a node loses its session that sends %s", async (_, frameOf, times) => {
  const raw = await openRawSession({ port: panel.port, ca: panel.ca(), ...(await panel.enrol()) });
  raw.raw('{"kind":"hello","services":["numbers"]}\n');
  await until(() => panel.listener.streamState("node-1", "ten_a", "numbers") === "ready", { everyMs: 5 });
  const stream = open();
  const { stream: no } = await raw.frame(({ kind }) => kind === "open");
  for (let at = 0; at < times; at++) raw.raw(`${JSON.stringify(frameOf(no))}\n`);
  await raw.closed;
  expect(raw.frames().at(-1)).toMatchObject({ id: null, refusal: { code: "invalid_request" } });
  expect(await failureOf(stream.items)).toBe("agent_offline");
});

test("credit for what was never sent is counted as what means nothing, also on a stream", async () => {
  const raw = await openRawSession({ port: panel.port, ca: panel.ca(), ...(await panel.enrol()) });
  raw.raw('{"kind":"hello","services":["numbers"]}\n');
  await until(() => panel.listener.streamState("node-1", "ten_a", "numbers") === "ready", { everyMs: 5 });
  const stream = open();
  const { stream: no } = await raw.frame(({ kind }) => kind === "open");
  await stream.send("x");
  for (let at = 0; at < 500; at++) raw.raw(`{"kind":"credit","stream":${no},"bytes":200}\n`);
  await raw.closed;
  expect(raw.frames().at(-1)).toMatchObject({ id: null, refusal: { code: "too_many_requests" } });
});

test("frames of a stream that nobody opened are counted as what means nothing", async () => {
  const raw = await openRawSession({ port: panel.port, ca: panel.ca(), ...(await panel.enrol()) });
  for (let no = 0; no < 500; no++) raw.raw('{"kind":"data","stream":7,"data":"x"}\n');
  await raw.closed;
  expect(raw.frames().at(-1)).toMatchObject({ id: null, refusal: { code: "too_many_requests" } });
});

test("a flood of logs is slowed down to its workspace's share, and neither its session nor who types notices", async () => {
  const flood: ServeStream = async ({ send, signal }) => {
    const piece = "x".repeat(50_000);
    while (!signal.aborted) await send(piece);
  };
  const echo: ServeStream = async ({ input, send }) => {
    for await (const item of input) await send(item);
  };
  const client = await begin({ flood, echo });
  await begin({ flood }, "node-2", "ten_b");
  let taken = 0;
  const floods = Array.from({ length: 20 }, () => open("flood"));
  for (const { items } of floods)
    void (async () => {
      for await (const item of items) taken += String(item).length;
    })();
  await isStill(() => taken);
  // What may come at once, and the windows of all streams.
  expect(taken).toBeLessThan(8_400_000 + 20 * 180_000);
  const before = taken;
  await panel.clock.advance(seconds(10));
  await isStill(() => taken);
  expect(taken - before).toBeGreaterThan(1_000_000);
  expect(taken - before).toBeLessThan(20 * 180_000 + 10 * 4_300_000);
  await client.heartbeat(beat);
  const shell = open("echo", {}, "node-1", { use: "terminals" });
  const answers = shell.items[Symbol.asyncIterator]();
  for (let no = 0; no < 100; no++) {
    await shell.send({ no });
    expect((await answers.next()).value).toEqual({ no });
  }
  const other = panel.listener.openStream("node-2", "ten_b", {
    ...{ service: "flood", params: {} },
    ...{ use: "logs", reader: "eve" },
  });
  let theirs = 0;
  void (async () => {
    for await (const item of other?.items ?? []) theirs += String(item).length;
  })();
  await until(() => theirs > 2_000_000, { everyMs: 5 });
  for (const stream of [...floods, shell, other]) stream?.close();
  expect(panel.listener.hasSession("node-1")).toBe(true);
});

test("a stream that begins while its workspace has no time left has credit once there is some", async () => {
  const raw = await openRawSession({ port: panel.port, ca: panel.ca(), ...(await panel.enrol()) });
  raw.raw('{"kind":"hello","services":["numbers"]}\n');
  await until(() => panel.listener.streamState("node-1", "ten_a", "numbers") === "ready", { everyMs: 5 });
  // Streams that end at once are charged, too, for many small values more than for one text.
  const wide = `{"kind":"data","stream":NO,"data":[${Array.from({ length: 12_000 }, () => 1_234_567)}]}\n`;
  let no = 0;
  for (; ; no++) {
    const stream = open();
    const { stream: id, credit } = await raw.frame(({ kind, stream }) => kind === "open" && stream === no + 1);
    if (credit === 0) break;
    expect(credit).toBe(STREAM_WINDOW);
    raw.raw(wide.replace("NO", String(id)));
    raw.raw(`{"kind":"close","stream":${id},"failure":null}\n`);
    await all(stream.items);
  }
  expect(no).toBeLessThan(12);
  await panel.clock.advance(seconds(1));
  expect(await raw.frame(({ kind, stream }) => kind === "credit" && stream === no + 1)).toMatchObject({
    bytes: STREAM_WINDOW,
  });
});

/** Resolves when a number has stopped to rise. */
async function isStill(count: () => number): Promise<void> {
  let last = -1;
  const hasStopped = (): boolean => {
    const isSame = count() === last;
    last = count();
    return isSame && last > 0;
  };
  await until(hasStopped, { everyMs: 100 });
}
