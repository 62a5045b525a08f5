import { beforeEach, expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { createFakeClock, type FakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createMemoryLive } from "../../../../tests/kit/memory-live.ts";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import { beatBody } from "../../../../tests/kit/test-fleet.ts";
import { seconds } from "../../../lib/duration.ts";
import type { LiveStore } from "../../agents/live/index.ts";
import { createFleetWatch } from "./changes.ts";

let clock: FakeClock;
let live: LiveStore;
let end: AbortController;
let told: number[];
let over: Promise<void>;
beforeEach(async () => {
  clock = createFakeClock();
  live = createMemoryLive(clock);
  live.put(nodeFacts(1));
  await beat();
  end = new AbortController();
  told = [];
  const began = clock.now();
  over = (async () => {
    const watch = createFleetWatch({ live, clock });
    for await (const _ of watch(live.of("t1"), end.signal)) told.push(clock.now() - began);
  })();
  await clock.advance(0);
});
const beat = (tenantId = "t1", no = 1) =>
  live.heartbeat(beatBody({ hostname: `host-${no}`, version: "1.0.0" }), {
    nodeId: `node-${no}`,
    tenantId,
    serial: "s",
  });
const put = (no: number, hostname: string, tenant_id = "t1") => live.put(nodeFacts(no, { hostname, tenant_id }));

test("tells at once, and then at most once a second however much changes", async () => {
  expect(told).toEqual([0]);
  for (let change = 0; change < 10; change++) {
    put(2, `a${change}`);
    await clock.advance(250);
  }
  await clock.advance(seconds(4));
  expect(told.length).toBe(4);
  for (const [index, at] of told.entries()) expect(at).toBeGreaterThanOrEqual(seconds(index));
});

test("figures alone are told every five seconds, and other workspaces never", async () => {
  await clock.advance(seconds(1));
  put(3, "theirs", "t2");
  await beat("t2", 3);
  await clock.advance(seconds(3.9));
  await beat();
  await setImmediate();
  expect(told).toEqual([0]);
  await clock.advance(seconds(1));
  await beat();
  await beat();
  await clock.advance(seconds(1));
  await setImmediate();
  expect(told.length).toBe(2);
});

test("ends with its signal", async () => {
  end.abort();
  await over;
  put(2, "late");
  await clock.advance(seconds(10));
  expect(told).toEqual([0]);
});
