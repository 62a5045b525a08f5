import { afterEach, expect, test } from "bun:test";
import { createFakeOutgoing } from "../../../../tests/kit/fake-outgoing.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";

const SWEEP_MS = 10_000;
const STEP_MS = 1_000;
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A node with one channel whose jobs run by the clock, measured every ten seconds; `offset` shifts what happens against both. */
async function start(rule: object) {
  const world = createFakeOutgoing();
  const node = createTestNode({ session_rate: "1000000" }, undefined, { outgoing: world });
  const stop = new AbortController();
  stops.push(async () => {
    stop.abort();
    await node.ctx.jobs.drained();
    node.close();
  });
  const call = async (route: string, body: unknown) => (await node.call(route, { as: "admin", body })).body;
  await call("POST /api/alerting/channels", { name: "hook", type: "webhook", config: { url: "https://c.example/in" } });
  for (const { id } of await call("GET /api/alerting/rules", undefined))
    await call(`DELETE /api/alerting/rules/${id}`, undefined);
  await call("POST /api/alerting/rules", rule);
  node.ctx.jobs.start(stop.signal);
  let cpu = 10;
  const live = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await node.clock.advance(STEP_MS);
      if (node.clock.now() % SWEEP_MS === 0) node.ctx.metrics.recorder.add(new Map([["host", { cpu_percent: cpu }]]));
      await node.ctx.bus.idle();
    }
  };
  const heard = (kind: string): number =>
    world.requests.filter(({ body }) => String(body).includes(`"kind":"${kind}"`)).length;
  /** Milliseconds until the channel hears another notice of a kind. */
  const untilHeard = async (kind: string): Promise<number> => {
    const before = heard(kind);
    const began = node.clock.now();
    while (heard(kind) === before && node.clock.now() - began < 600_000) await live(STEP_MS);
    return node.clock.now() - began;
  };
  const measure = (value: number): void => {
    cpu = value;
  };
  return { node, live, untilHeard, measure };
}

const offsets = [0, 3_000, 11_000, 27_000, 44_000, 58_000];

test.each(offsets)("a crash is at the channel within 10 s, %d ms into the minute", async (offset) => {
  const { node, live, untilHeard } = await start({ type: "state", metric: "app_crashed" });
  await live(120_000 + offset);
  const app = { app_id: "app_1", name: "Wiki", template: "wiki" };
  node.ctx.bus.emit("app.crashed", { ...app, status: "error", cause: "exit code 1", service: "web", next_step: null });
  expect(await untilHeard("fired")).toBeLessThanOrEqual(10_000);
  await live(60_000);
  node.ctx.bus.emit("app.started", { ...app, status: "running" });
  expect(await untilHeard("resolved")).toBeLessThanOrEqual(60_000);
});

test.each(offsets)(
  "a rule without a duration is told within 30 s and its end within 60 s, %d ms into the minute",
  async (offset) => {
    const rule = { type: "threshold", metric: "cpu_percent", threshold: 90, for: 0, cooldown: 0 };
    const { live, untilHeard, measure } = await start(rule);
    await live(180_000 + offset);
    measure(97);
    expect(await untilHeard("fired")).toBeLessThanOrEqual(30_000);
    await live(45_000);
    measure(20);
    expect(await untilHeard("resolved")).toBeLessThanOrEqual(60_000);
  },
);

test.each(offsets)(
  "a usual rule's end is told within 60 s of its clear time, %d ms into the minute",
  async (offset) => {
    const { live, untilHeard, measure } = await start({
      type: "threshold",
      metric: "cpu_percent",
      threshold: 90,
      for: 300,
    });
    await live(180_000 + offset);
    measure(97);
    expect(await untilHeard("fired")).toBeLessThanOrEqual(300_000 + 90_000);
    await live(45_000);
    measure(20);
    expect(await untilHeard("resolved")).toBeLessThanOrEqual(120_000 + 60_000);
  },
);

test("one sample past the threshold that nothing follows ends by itself", async () => {
  const rule = { type: "threshold", metric: "cpu_percent", threshold: 90, for: 0 };
  const { node, live, measure } = await start(rule);
  await live(180_000);
  measure(97);
  await live(10_000);
  measure(20);
  await live(120_000);
  const { body } = await node.call("GET /api/alerting/events", { as: "admin" });
  expect(body).toMatchObject([{ state: "resolved", peak: 97 }]);
});
