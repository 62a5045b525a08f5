import { expect, test } from "bun:test";
import fc from "fast-check";
import { type DotState, sky, skyOf } from "./sky-layout.ts";

const regions = fc.array(fc.tuple(fc.nat(40_000), fc.nat(300), fc.nat(300)), { maxLength: 12 }).map((list) =>
  list.map(([online, degraded, offline], index) => ({
    region: `r${index}`,
    total: online + degraded + offline,
    online,
    degraded,
    offline,
  })),
);

test("the picture stays small and inside its frame, and hides no trouble", () => {
  fc.assert(
    fc.property(regions, (list) => {
      const { rings, nodesPerDot } = skyOf(list);
      const dots = rings.flatMap((ring) => ring.dots);
      expect(rings.length).toBeLessThanOrEqual(6);
      expect(dots.length).toBeLessThan(900);
      expect([1, 2, 5]).toContain(nodesPerDot / 10 ** Math.floor(Math.log10(nodesPerDot)));
      for (const { x, y } of dots) {
        expect(x).toBeGreaterThan(0);
        expect(x).toBeLessThan(sky.width);
        expect(y).toBeGreaterThan(0);
        expect(y).toBeLessThan(sky.height);
      }
      const has = (state: DotState): boolean => dots.some((dot) => dot.state === state);
      expect(has("crit")).toBe(list.some(({ offline }) => offline > 0));
      expect(has("warn")).toBe(list.some(({ degraded }) => degraded > 0));
    }),
  );
});

test("a small fleet has a dot for each node, the largest region outside", () => {
  const { rings, nodesPerDot } = skyOf([
    { region: "big", total: 60, online: 55, degraded: 3, offline: 2 },
    { region: "small", total: 4, online: 4, degraded: 0, offline: 0 },
    { region: "none", total: 0, online: 0, degraded: 0, offline: 0 },
  ]);
  expect(nodesPerDot).toBe(1);
  expect(rings.map(({ region, dots }) => [region, dots.length])).toEqual([
    ["small", 4],
    ["big", 60],
  ]);
  const states = rings[1]?.dots.map(({ state }) => state) ?? [];
  expect(states.filter((state) => state === "crit")).toHaveLength(2);
  expect(states.filter((state) => state === "warn")).toHaveLength(3);
});

test("more regions than rings share the smallest ring", () => {
  const many = Array.from({ length: 9 }, (_, index) => ({
    region: `r${index}`,
    total: 10 + index,
    online: 10 + index,
    degraded: 0,
    offline: 0,
  }));
  const { rings } = skyOf(many);
  expect(rings).toHaveLength(6);
  expect(rings.map(({ region }) => region)).toContain("4 more");
});
