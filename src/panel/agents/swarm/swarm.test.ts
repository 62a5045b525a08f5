import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createAgentPanel } from "../../../../tests/kit/agent-panel.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { until } from "../../../../tests/kit/until.ts";
import { systemClock } from "../../../lib/clock.ts";
import { enrolNodes } from "./enrol.ts";
import { createHistogram } from "./histogram.ts";
import { loadSwarm, saveSwarm } from "./saved-nodes.ts";
import { behaviourOf, parseShares, type SCENARIOS, scenarioOf } from "./scenarios.ts";
import type { SavedNode } from "./sim-node.ts";
import { runSwarm } from "./swarm.ts";

const folder = makeScratch("swarm");
let panel: Awaited<ReturnType<typeof createAgentPanel>>;
beforeAll(async () => {
  panel = await createAgentPanel();
});
afterAll(async () => {
  await panel.listener.stop();
  rmSync(folder, { recursive: true, force: true });
});

const endpoint = () => ({ host: "127.0.0.1", port: panel.port });

test("shares of scenarios hold for every hundred nodes, and nonsense is refused", () => {
  const shares = parseShares("offline:10, slow:5%,flapping") ?? new Map();
  expect([...shares]).toEqual([
    ["offline", 10],
    ["slow", 5],
    ["flapping", 10],
  ]);
  const all = Array.from({ length: 300 }, (_, index) => scenarioOf(shares, index));
  expect(all.filter((scenario) => scenario === "slow").length).toBe(15);
  expect(all.filter((scenario) => scenario === null).length).toBe(225);
  for (const wrong of ["", "asleep", "offline:0", "offline:x", "offline:60,slow:50", "offline:1:2"])
    expect(parseShares(wrong)).toBeNull();
});

test("each scenario does what it is called", () => {
  const turns = (name: (typeof SCENARIOS)[number]) => {
    const { plan } = behaviourOf(name, () => 0.1);
    return Array.from({ length: 100 }, (_, turn) => plan(turn));
  };
  expect(turns("offline").filter(({ isSilent }) => isSilent).length).toBeGreaterThan(60);
  expect(turns("flapping").every(({ reconnects }) => reconnects)).toBe(true);
  expect(turns("lost-replies").every(({ losesReply }) => losesReply)).toBe(true);
  expect(turns("clock-skew").every(({ skewMs }) => Math.abs(skewMs) === 3_600_000)).toBe(true);
  expect(behaviourOf("bad-update", () => 0.1).failsUpdates).toBe(true);
  expect(turns("slow").every(({ delayMs }) => delayMs > 0)).toBe(true);
});

test("a percentile is near the real one, and never below it", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.01, max: 60_000, noNaN: true }), { minLength: 1 }), (times) => {
      const histogram = createHistogram();
      for (const ms of times) histogram.add(ms);
      const sorted = times.toSorted((a, b) => a - b);
      for (const percent of [50, 99, 100]) {
        const exact = sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0;
        expect(histogram.percentile(percent)).toBeGreaterThanOrEqual(exact * 0.999_999);
        expect(histogram.percentile(percent)).toBeLessThanOrEqual(exact * 1.08);
      }
    }),
  );
  expect(createHistogram().percentile(99)).toBe(0);
});

test("nodes enrol, are kept in a file, and speak as told", async () => {
  const ca = panel.authority.bundle().pem;
  const nodes: SavedNode[] = [];
  const failures: string[] = [];
  const ids = Array.from({ length: 10 }, (_, index) => `swarm-${index}`);
  const deps = { clock: systemClock, endpoint: endpoint(), ca, version: "1.0.0" };
  await enrolNodes({ ...deps, token: panel.fleet.addToken("ten_a", { maxUses: 8 }) }, ids, {
    enrolled: (node) => void nodes.push(node),
    failed: (_, error) => void failures.push(String(error)),
  });
  expect([nodes.length, failures.length]).toEqual([8, 2]);
  const path = join(folder, "swarm.json");
  expect(loadSwarm(path)).toBeNull();
  saveSwarm(path, { ca, nodes });
  const saved = loadSwarm(path);
  expect(saved).toEqual({ ca, nodes });
  const shares = parseShares("flapping:1,lost-replies:1,clock-skew:1") ?? new Map();
  const summary = await runSwarm(
    {
      endpoint: endpoint(),
      ca,
      version: "1.0.0",
      nodes: saved?.nodes ?? [],
      rate: 100,
      atOnce: 4,
      durationS: 1,
      shares,
    },
    { clock: systemClock, random: Math.random, say() {} },
  );
  expect(summary).toMatchObject({ nodes: 8, failures: {}, scenarios: { well: 5, flapping: 1 } });
  expect(summary.answered + summary.scripted).toBeGreaterThan(16);
  expect(summary.p99_ms).toBeGreaterThanOrEqual(summary.p50_ms);
  // Other tests have nodes of their own on this panel.
  expect(panel.seen).toEqual(expect.arrayContaining(nodes.map(({ id }) => id)));
  panel.fleet.deleteNode(nodes[0]?.id ?? "");
  const after = await runSwarm(
    {
      endpoint: endpoint(),
      ca,
      version: "1.0.0",
      nodes: nodes.slice(0, 2),
      rate: null,
      atOnce: 64,
      durationS: 0.2,
      shares: new Map(),
    },
    { clock: systemClock, random: Math.random, say() {} },
  );
  expect(after.connected).toBe(1);
  expect(after.failures["node_deleted"]).toBeGreaterThan(0);
});

test("simulated nodes hold a session each, come when they are called, and come back when it ended", async () => {
  const ca = panel.authority.bundle().pem;
  const nodes: SavedNode[] = [];
  const deps = { clock: systemClock, endpoint: endpoint(), ca, version: "1.0.0" };
  const ids = ["held-1", "held-2"];
  await enrolNodes({ ...deps, token: panel.fleet.addToken("ten_a", { maxUses: 2 }) }, ids, {
    enrolled: (node) => void nodes.push(node),
    failed: (_, error) => expect(error).toBeNull(),
  });
  const heard = (id: string) => panel.seen.filter((nodeId) => nodeId === id).length;
  const options = { endpoint: endpoint(), ca, version: "1.0.0", nodes, atOnce: 2, shares: new Map() };
  const stop = new AbortController();
  const swarm = runSwarm(
    { ...options, rate: null, durationS: 3_600 },
    { clock: systemClock, random: () => 0.5, say() {}, signal: stop.signal },
  );
  await until(() => ids.every((id) => panel.listener.hasSession(id)), { everyMs: 5 });
  expect(panel.listener.count()).toBe(2);
  await until(
    () => {
      panel.wake("held-1");
      return heard("held-1") >= 3;
    },
    { everyMs: 20 },
  );
  expect(heard("held-2")).toBe(1);
  panel.fleet.deps.revoke("held-2");
  await until(() => heard("held-2") === 2, { everyMs: 20 });
  stop.abort();
  const summary = await swarm;
  expect(summary).toMatchObject({ connected: 2, failures: {} });
  // As long as a real node waits at first.
  expect(summary.reconnect_ms).toBeGreaterThanOrEqual(1_400);
});

test("a file of something else is not taken for a swarm", () => {
  const path = join(folder, "other.json");
  writeFileSync(path, JSON.stringify({ ca: "x", nodes: [{ id: "a" }] }));
  expect(() => loadSwarm(path)).toThrow("no nodes of a swarm");
});
