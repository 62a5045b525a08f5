import { expect, test } from "bun:test";
import { deltaText, type RegionTally, verdictOf } from "./verdict.ts";

const region = (name: string, online: number, degraded: number, offline: number): RegionTally => ({
  region: name,
  total: online + degraded + offline,
  online,
  degraded,
  offline,
});

function verdict(...regions: RegionTally[]): string {
  const sum = (key: "total" | "online" | "degraded" | "offline"): number =>
    regions.reduce((all, one) => all + one[key], 0);
  const all = { total: sum("total"), online: sum("online"), degraded: sum("degraded"), offline: sum("offline") };
  return verdictOf(all, regions);
}

test("a well fleet is said to be well", () => {
  expect(verdict(region("eu", 1, 0, 0))).toBe("Your node is well.");
  expect(verdict(region("eu", 1200, 0, 0), region("us", 3, 0, 0))).toBe("All 1,203 nodes are well.");
});

test("one node that is not well is one", () => {
  expect(verdict(region("eu", 0, 0, 1))).toBe("0 of 1 node is well. One is offline.");
});

test("offline nodes are told before degraded ones, with their region", () => {
  expect(verdict(region("eu", 395, 9, 2), region("north", 3, 0, 3))).toBe(
    "398 of 412 nodes are well. Five are offline, three of them in north.",
  );
  expect(verdict(region("eu", 5, 1, 0), region("north", 3, 0, 2))).toBe(
    "8 of 11 nodes are well. Two are offline, both in north.",
  );
});

test("without offline nodes the degraded ones are told", () => {
  expect(verdict(region("eu", 5, 14, 0), region("unknown", 3, 20, 0))).toBe(
    "8 of 42 nodes are well. 34 are degraded, 20 of them in no region.",
  );
});

test("with one region its name says nothing", () => {
  expect(verdict(region("unknown", 1, 0, 1))).toBe("1 of 2 nodes is well. One is offline.");
});

test("a change has a sign, and none where it is not known", () => {
  expect([deltaText(4), deltaText(-1234), deltaText(0), deltaText(null)]).toEqual(["+4", "−1,234", "±0", null]);
});
