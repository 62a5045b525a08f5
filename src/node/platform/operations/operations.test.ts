import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { scenarios } from "../../../../tests/kit/scenario.ts";
import type { ServerEvent } from "../../../kernel/http/sse.ts";
import type { OperationHandle } from "./index.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode({ anonymous_rate: "100000" });
});
afterEach(() => node.close());
const scenario = scenarios(() => node);

const STEPS = [
  { step: "pull", title: "Pull images" },
  { step: "start", title: "Start" },
];
const start = (on = node): OperationHandle =>
  on.ctx.operations.begin({
    kind: "app.install",
    subject_id: "app_1",
    title: "Install whoami",
    steps: STEPS,
    by: { user_id: "usr_1", ip: "10.0.0.7", purpose: "a backup" },
  });

test("who asked for it is known to the worker, also after a crash, and to nobody else", () => {
  const work = start();
  expect(work.by).toEqual({ user_id: "usr_1", ip: "10.0.0.7", purpose: "a backup" });
  const again = createTestNode({}, node);
  expect(again.ctx.operations.resume(work.id)?.by).toEqual({ user_id: "usr_1", ip: "10.0.0.7", purpose: "a backup" });
  expect(JSON.stringify(again.ctx.operations.get(work.id))).not.toContain("10.0.0.7");
  const alone = node.ctx.operations.begin({ kind: "x", subject_id: "y", title: "Z", steps: STEPS, by: null });
  expect(alone.by).toBeNull();
  again.close();
});

/** The events of a stream as far as they have come: "number type". */
function follow(on: TestNode, id: string, from = 1, signal = new AbortController().signal) {
  const seen: string[] = [];
  const events: ServerEvent[] = [];
  const ended = (async () => {
    for await (const event of on.ctx.operations.read(id, from, signal)) {
      events.push(event);
      seen.push(`${event.id} ${event.event}`);
    }
  })();
  return { seen, events, ended };
}

const settle = () => Bun.sleep(0);

/** Parses what the wire carried. */
function parseStream(text: string): { id: number; event: string; data: { seq: number } }[] {
  return text
    .split("\n\n")
    .filter((block) => block.startsWith("id: "))
    .map((block) => {
      const [id = "", event = "", data = ""] = block.split("\n").map((line) => line.slice(line.indexOf(": ") + 2));
      return { id: Number(id), event, data: JSON.parse(data) };
    });
}

test("an operation goes from its plan over steps to its end, each change told to the node", async () => {
  const work = start();
  work.step("pull", "running");
  work.progress("pull", { percent: 40, bytes_done: 4, bytes_total: 10 });
  work.log("layer 1");
  expect(node.ctx.operations.get(work.id)).toMatchObject({ status: "running", step: "pull", percent: 40, error: null });
  work.step("pull", "done");
  work.done();
  expect(node.ctx.operations.get(work.id)).toMatchObject({
    status: "done",
    kind: "app.install",
    subject_id: "app_1",
    finished_at: "2026-01-01T00:00:00.000Z",
  });
  await node.ctx.bus.idle();
  expect(node.events.map(({ name }) => name)).toEqual(Array.from({ length: 5 }, () => "operation.changed"));
  const { seen, events, ended } = follow(node, work.id);
  await ended;
  expect(seen).toEqual(["1 plan", "2 step", "3 step", "4 log", "5 step", "6 done"]);
  expect(events[0]?.data).toMatchObject({ seq: 1, type: "plan", steps: STEPS, time: "2026-01-01T00:00:00.000Z" });
  expect(events[2]?.data).toMatchObject({
    step: "pull",
    percent: 40,
    bytes_done: 4,
    bytes_total: 10,
    status: "running",
  });
});

test("a failure carries cause and next step", async () => {
  const work = start();
  const error = { code: "pull_failed", message: "No such image.", next_step: "Check the name." };
  work.fail(error);
  expect(node.ctx.operations.get(work.id)).toMatchObject({ status: "failed", error });
  const { events, ended } = follow(node, work.id);
  await ended;
  expect(events.at(-1)).toMatchObject({ event: "error", data: { error, text: "No such image." } });
});

test("once it is over, nothing more is added", async () => {
  const work = start();
  work.done();
  work.fail({ code: "x", message: "late", next_step: null });
  work.step("start", "running");
  work.progress("start", { percent: 1, bytes_done: null, bytes_total: null });
  work.log("late");
  work.done();
  await node.clock.advance(1_000);
  const { seen, ended } = follow(node, work.id);
  await ended;
  expect(seen).toEqual(["1 plan", "2 done"]);
  expect(node.ctx.operations.get(work.id).status).toBe("done");
});

test("readers that come at any time see every event once, in order, and end with the operation", async () => {
  const work = start();
  const early = follow(node, work.id);
  await settle();
  work.step("pull", "running");
  work.log("one");
  await settle();
  const late = follow(node, work.id);
  const partial = follow(node, work.id, 3);
  const future = follow(node, work.id, 5);
  await settle();
  work.log("two");
  await node.clock.advance(300);
  work.done();
  await Promise.all([early.ended, late.ended, partial.ended, future.ended]);
  const all = ["1 plan", "2 step", "3 log", "4 log", "5 done"];
  expect([early.seen, late.seen, partial.seen, future.seen]).toEqual([all, all, all.slice(2), all.slice(4)]);
});

test("a reader too slow for its queue goes back to what is stored and misses nothing", async () => {
  const work = start();
  const reader = node.ctx.operations.read(work.id, 1, new AbortController().signal)[Symbol.asyncIterator]();
  expect((await reader.next()).value?.id).toBe(1);
  const total = 10_500;
  for (let line = 0; line < total; line++) work.log("x");
  work.done();
  for (let expected = 2; expected <= total + 2; expected++) expect((await reader.next()).value?.id).toBe(expected);
  expect((await reader.next()).done).toBe(true);
});

test("progress is told to everybody by whole percents, to the operation's own readers always", async () => {
  const work = start();
  await node.ctx.bus.idle();
  node.events.length = 0;
  const { seen, ended } = follow(node, work.id, 2);
  for (let bytes = 0; bytes < 1_000; bytes++) {
    work.progress("pull", { percent: bytes / 1_000, bytes_done: bytes, bytes_total: 100_000 });
  }
  await node.ctx.bus.idle();
  expect(node.events).toHaveLength(1);
  work.done();
  await ended;
  expect(seen).toHaveLength(1_001);
});

test("log lines are written together, steps at once", async () => {
  const stored = () => node.ctx.db.raw.query("SELECT seq FROM operation_events ORDER BY seq").values().flat();
  const work = start();
  work.log("a");
  work.log("b");
  expect(stored()).toEqual([1]);
  await node.clock.advance(300);
  expect(stored()).toEqual([1, 2, 3]);
  work.log("c");
  work.step("pull", "running");
  expect(stored()).toEqual([1, 2, 3, 4, 5]);
});

test("a database that cannot write ends neither the program nor the work, and what waits is written later", async () => {
  const work = start();
  const { seen, ended } = follow(node, work.id);
  await settle();
  node.ctx.db.raw.run("PRAGMA query_only = ON");
  work.log("kept in memory");
  await node.clock.advance(5_000);
  expect(() => work.step("pull", "running")).toThrow();
  expect(() => work.done()).toThrow();
  expect(node.ctx.operations.get(work.id).status).toBe("running");
  node.ctx.db.raw.run("PRAGMA query_only = OFF");
  await node.clock.advance(300);
  work.done();
  await ended;
  expect(seen).toEqual(["1 plan", "2 log", "3 done"]);
  const again = follow(node, work.id);
  await again.ended;
  expect(again.seen).toEqual(seen);
});

test("after a restart a resumed operation goes on in the same stream, far beyond what anybody saw", async () => {
  const work = start();
  work.step("pull", "running");
  work.log("lost with the process");
  const restarted = createTestNode({ anonymous_rate: "100000" }, node);
  const resumed = restarted.ctx.operations.resume(work.id);
  expect(resumed?.id).toBe(work.id);
  expect(restarted.ctx.operations.resume(work.id)?.id).toBe(work.id);
  const client = follow(restarted, work.id, 4);
  const fresh = follow(restarted, work.id);
  await settle();
  resumed?.step("start", "running");
  resumed?.done();
  await Promise.all([client.ended, fresh.ended]);
  expect(client.seen).toEqual(["10003 step", "10004 done"]);
  expect(fresh.seen).toEqual(["1 plan", "2 step", "10003 step", "10004 done"]);
  expect(restarted.ctx.operations.resume(work.id)).toBeNull();
  expect(restarted.ctx.operations.resume("op_none")).toBeNull();
  restarted.close();
});

test("over HTTP a client that was cut off by a restart resumes with Last-Event-ID or from", async () => {
  const work = start();
  work.step("pull", "running");
  const restarted = createTestNode({ anonymous_rate: "100000" }, node);
  const path = `GET /api/operations/${work.id}/events`;
  const streams = [
    restarted.call(path, { as: "admin", headers: { "last-event-id": "2" } }),
    restarted.call(`${path}?from=2`, { as: "admin" }),
    restarted.call(path, { as: "admin" }),
  ];
  const resumed = restarted.ctx.operations.resume(work.id);
  for (let turn = 0; turn < 20; turn++) await settle();
  resumed?.done();
  const texts = await Promise.all(streams);
  expect(texts[0]?.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const seen = texts.map(({ body }) => parseStream(body).map(({ id, event, data }) => `${id} ${event} ${data.seq}`));
  expect(seen).toEqual([
    ["10003 done 10003"],
    ["2 step 2", "10003 done 10003"],
    ["1 plan 1", "2 step 2", "10003 done 10003"],
  ]);
  restarted.close();
});

test("what nobody goes on with after a restart is failed, what runs is left alone", async () => {
  const lost = start();
  const restarted = createTestNode({ anonymous_rate: "100000" }, node);
  const taken = start(restarted);
  await restarted.ctx.jobs.run("operations.abandoned");
  expect(restarted.ctx.operations.get(lost.id)).toMatchObject({
    status: "failed",
    error: { code: "interrupted", next_step: "Start it once more." },
  });
  expect(restarted.ctx.operations.get(taken.id).status).toBe("running");
  const { seen, ended } = follow(restarted, lost.id);
  await ended;
  expect(seen).toEqual(["1 plan", "10002 error"]);
  restarted.close();
});

test("the list shows what runs and what ended within the hour, newest first; a week later all is forgotten", async () => {
  const old = start();
  old.done();
  await node.clock.advance(3_600_000);
  const running = start();
  await node.clock.advance(1_000);
  const recent = start();
  recent.done();
  const { body } = await node.call("GET /api/operations", { as: "viewer" });
  expect(body.map(({ id }: { id: string }) => id)).toEqual([recent.id, running.id]);
  await node.clock.advance(7 * 86_400_000 + 1);
  await node.ctx.jobs.run("operations.forget");
  expect(() => node.ctx.operations.get(recent.id)).toThrow("There is no operation");
  expect(node.ctx.operations.get(running.id).status).toBe("running");
  expect(node.ctx.db.raw.query("SELECT DISTINCT operation_id FROM operation_events").values().flat()).toEqual([
    running.id,
  ]);
});

scenario("an unknown operation", "GET /api/operations/op_none", {
  as: "viewer",
  status: 404,
  code: "operation_not_found",
});
scenario("the stream of an unknown operation", "GET /api/operations/op_none/events", {
  as: "admin",
  status: 404,
  code: "operation_not_found",
});
scenario("the log of an operation is for admins", "GET /api/operations/op_none/events", {
  as: "viewer",
  status: 403,
  code: "forbidden",
});
for (const from of ["-1", "x", "1.5"]) {
  scenario(`from=${from}`, `GET /api/operations/op_none/events?from=${from}`, {
    as: "admin",
    status: 400,
    code: "invalid_request",
    field: "from",
  });
}
scenario("an unknown parameter", "GET /api/operations/op_none/events?form=1", {
  as: "admin",
  status: 400,
  code: "invalid_request",
  field: "form",
});

test("steps say their title and the part they are about, and a stream tells that the program was started anew", async () => {
  const steps = [{ step: "a", title: "Install one", component: "one" }];
  const work = node.ctx.operations.begin({ kind: "x", subject_id: "y", title: "Z", steps, by: null });
  work.step("a", "running", { text: "waits" });
  const again = createTestNode({}, node);
  const resumed = again.ctx.operations.resume(work.id);
  resumed?.restarted("It goes on.");
  resumed?.step("a", "done");
  resumed?.step("undo", "done", { title: "Undo" });
  resumed?.done();
  const { events, ended } = follow(again, work.id);
  await ended;
  expect(events.map(({ data }) => data)).toMatchObject([
    { type: "plan", component: null, steps },
    { type: "step", component: "one", title: "Install one", status: "running", text: "waits" },
    { type: "restart", text: "It goes on." },
    { type: "step", component: "one", title: "Install one", status: "done" },
    { type: "step", component: null, title: "Undo", status: "done" },
    { type: "done" },
  ]);
  again.close();
});
