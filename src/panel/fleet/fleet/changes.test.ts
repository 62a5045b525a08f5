import { beforeEach, expect, test } from "bun:test";
import { createFakeClock, type FakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createMemoryLive } from "../../../../tests/kit/memory-live.ts";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import { beatBody } from "../../../../tests/kit/test-fleet.ts";
import { seconds } from "../../../lib/duration.ts";
import type { LiveStore } from "../../agents/live/index.ts";
import { createFleetChanges } from "./changes.ts";

let clock: FakeClock;
let live: LiveStore;
let told: number;
let stop: () => void;
beforeEach(async () => {
  clock = createFakeClock();
  live = createMemoryLive(clock);
  live.put(nodeFacts(1));
  await beat();
  told = 0;
  stop = createFleetChanges({ live, clock }).onChange({ tenant_id: "t1", member_id: "m1" }, () => {
    told += 1;
  });
});
const beat = (tenantId = "t1", no = 1) =>
  live.heartbeat(beatBody({ hostname: `host-${no}`, version: "1.0.0" }), {
    nodeId: `node-${no}`,
    tenantId,
    serial: "s",
  });
const put = (no: number, hostname: string, tenant_id = "t1") => live.put(nodeFacts(no, { hostname, tenant_id }));

test("tells of nodes that come or change, and of other workspaces never", () => {
  put(2, "new");
  expect(told).toBe(1);
  put(2, "renamed");
  expect(told).toBe(2);
  put(3, "theirs", "t2");
  expect(told).toBe(2);
});

test("figures alone are told every five seconds", async () => {
  await clock.advance(seconds(4.9));
  await beat();
  expect(told).toBe(0);
  await clock.advance(seconds(0.2));
  await beat("t1");
  await beat("t1");
  expect(told).toBe(1);
  await clock.advance(seconds(5));
  expect(told).toBe(1);
  await beat();
  expect(told).toBe(2);
});

test("ends when nobody listens any more", async () => {
  await clock.advance(seconds(5));
  stop();
  put(2, "late");
  await beat();
  expect(told).toBe(0);
});
