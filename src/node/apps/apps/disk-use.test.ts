import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { volumeBytes } from "../runtime/verbs/volumes.ts";
import { sumDiskBytes } from "./disk-use.ts";

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

test("the engine's -1 is not a size", () => {
  expect([volumeBytes(undefined), volumeBytes(-1), volumeBytes(0), volumeBytes(5)]).toEqual([null, null, 0, 5]);
});
