import { afterEach, beforeEach, expect, test } from "bun:test";
import { alertingOf } from "../../../../../tests/kit/alerting.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../../tests/kit/scratch.ts";
import { evaluate } from "./evaluate.ts";

const IFACES = 70;
const names = Array.from({ length: IFACES }, (_, index) => `iface:lan${index}`);

let node: TestNode;
let rule: { id: string };
beforeEach(async () => {
  // An empty tree shows no list of interfaces, so whatever is measured counts as there.
  node = createTestNode({ session_rate: "100000", host_root: makeScratch("empty") });
  await call("POST /api/alerting/channels", {
    name: "hook",
    type: "slack",
    secret: "https://hooks.slack.example/services/T0/B0/x",
  });
  for (const starter of await call("GET /api/alerting/rules")) await call(`DELETE /api/alerting/rules/${starter.id}`);
  rule = await call("POST /api/alerting/rules", {
    type: "threshold",
    metric: "rx_bps",
    entity: "iface:*",
    threshold: 100,
    for: 0,
    clear_for: 0,
    cooldown: 0,
  });
});
afterEach(() => node.close());

const call = async (route: string, body?: unknown) => (await node.call(route, { as: "admin", body })).body;
const settled = () => ({ since: 0, missing: new Map<string, number>() });

/** Minutes in which every interface reports that, without anybody judging them. */
async function measure(count: number, rx_bps: number): Promise<void> {
  for (let sweep = 0; sweep < count * 6; sweep++) {
    await node.clock.advance(10_000);
    node.ctx.metrics.recorder.add(new Map(names.map((name) => [name, { rx_bps, tx_bps: 0 }])));
  }
}

function told(): string[] {
  const sql = "SELECT kind, event_id FROM alert_outbox ORDER BY seq";
  const rows = node.ctx.db.raw.query<{ kind: string; event_id: string }, []>(sql).all();
  return rows.map(({ kind, event_id }) => `${kind} ${event_id}`);
}
const countOf = (kind: string): number => told().filter((one) => one.startsWith(kind)).length;
async function heard(name: string): Promise<number> {
  await node.ctx.bus.idle();
  return node.events.filter((event) => event.name === name).length;
}

/** Rounds that are killed at their nth pause, then at the one after that, …, until one gets through. */
async function roundsWithKills(): Promise<number> {
  for (let lives = 0; ; lives++) {
    let left = lives;
    const pause = async () => {
      if (left-- === 0) throw new Error("killed");
    };
    try {
      await evaluate(alertingOf(node), settled(), pause);
      return lives;
    } catch (error) {
      if (!(error instanceof Error) || error.message !== "killed") throw error;
    }
  }
}

test("killed between any two slices, nothing is told twice and nothing is lost", async () => {
  await measure(3, 5);
  await evaluate(alertingOf(node), settled(), async () => {});
  await measure(2, 500);
  await node.clock.advance(20_000);
  expect(await roundsWithKills()).toBeGreaterThan(4);
  expect([countOf("fired"), new Set(told()).size, await heard("alert.fired")]).toEqual([IFACES, IFACES, IFACES]);
  await measure(2, 5);
  await node.clock.advance(20_000);
  await roundsWithKills();
  expect([countOf("resolved"), new Set(told()).size, await heard("alert.resolved")]).toEqual([
    IFACES,
    2 * IFACES,
    IFACES,
  ]);
  expect(await call("GET /api/alerting/events?state=firing")).toEqual([]);
});

test("a rule that is deleted in the middle of a round fires no more", async () => {
  await measure(3, 5);
  await evaluate(alertingOf(node), settled(), async () => {});
  await measure(2, 500);
  await node.clock.advance(20_000);
  let pauses = 0;
  await evaluate(alertingOf(node), settled(), async () => {
    if (pauses++ === 0) await call(`DELETE /api/alerting/rules/${rule.id}`);
  });
  expect(pauses).toBeGreaterThan(0);
  expect(await call("GET /api/alerting/events?state=firing")).toEqual([]);
  expect(countOf("fired")).toBe(countOf("resolved"));
});

test("what somebody acknowledges or silences in the middle of a round stays so", async () => {
  await measure(3, 5);
  await evaluate(alertingOf(node), settled(), async () => {});
  await measure(2, 500);
  await node.clock.advance(20_000);
  let silenced = "";
  await evaluate(alertingOf(node), settled(), async () => {
    if (silenced !== "") return;
    const open = await call("GET /api/alerting/events?state=firing&limit=1");
    if (open.length === 0) return;
    silenced = open[0].id;
    await call(`POST /api/alerting/events/${silenced}/silence`, { for: "1h" });
  });
  expect(countOf("fired")).toBe(IFACES - 1);
  expect(told()).not.toContain(`fired ${silenced}`);
});
