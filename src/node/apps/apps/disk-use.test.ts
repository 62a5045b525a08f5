import { afterEach, beforeEach, expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import { volumeBytes } from "../runtime/verbs/volumes.ts";
import { createDiskUseCache, sumDiskBytes, sumVolumeBytes } from "./disk-use.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode();
});
afterEach(() => node.close());

const use = (volumes: [string, number | null][]) => ({ volumes: new Map(volumes), containers: new Map() });

test("what was not measured is unknown, never nothing", () => {
  const { db } = node.ctx;
  expect(sumDiskBytes(db, null, "app_1")).toBeNull();
  expect(sumDiskBytes(db, use([]), "app_1")).toBe(0);
  const mine: [string, number][] = [["orrery-app_1-data", 7]];
  expect(sumDiskBytes(db, use([...mine, ["orrery-app_2-data", 9]]), "app_1")).toBe(7);
  expect(sumDiskBytes(db, use([...mine, ["orrery-app_1-cache", null]]), "app_1")).toBeNull();
});

test("whoever has to know waits for a measurement that begins after they asked", async () => {
  const asked: ((bytes: number) => void)[] = [];
  const diskUse = () =>
    new Promise((resolve) => {
      asked.push((bytes) => resolve(use([["orrery-app_1-data", bytes]])));
    });
  const runtime = { engine: () => ({ diskUse }) } as unknown as Parameters<typeof createDiskUseCache>[0]["runtime"];
  const cache = createDiskUseCache({ clock: createFakeClock(), log: createTestLog().log, runtime });
  expect(cache.latest()).toBeNull();
  const measured = cache.measured();
  asked[0]?.(60);
  while (asked.length < 2) await Promise.resolve();
  expect([sumVolumeBytes(cache.latest(), "app_1"), asked.length]).toEqual([60, 2]);
  asked[1]?.(1);
  expect(sumVolumeBytes(await measured, "app_1")).toBe(1);
});

test("the engine's -1 is not a size", () => {
  expect([volumeBytes(undefined), volumeBytes(-1), volumeBytes(0), volumeBytes(5)]).toEqual([null, null, 0, 5]);
});
