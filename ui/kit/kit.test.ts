import { expect, test } from "bun:test";
import { axisMax } from "./draw.ts";
import { fuzzyScore } from "./fuzzy.ts";
import { type Body, maxRings, placeBodies, tailPath } from "./orbit-layout.ts";
import { strengthOf } from "./strength.ts";

const size = { width: 560, height: 392, first: 58, gap: 36 };
const bodies = (count: number, kinds: number): Body[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `app_${index}`,
    name: `App ${index}`,
    ring: `kind ${index % kinds}`,
    memory: 1,
    processor: 20,
    state: "ok",
  }));

test("a body keeps its place when others come and go", () => {
  const before = placeBodies(bodies(3, 3), size).flatMap((ring) => ring.bodies);
  const after = placeBodies([...bodies(3, 3)].reverse(), size).flatMap((ring) => ring.bodies);
  for (const body of before) expect(after.find((other) => other.id === body.id)).toEqual(body);
});

test("bodies of one ring never touch, and rings stay within the picture", () => {
  const rings = placeBodies(bodies(30, 7), size);
  expect(rings.length).toBe(maxRings);
  for (const ring of rings) {
    expect(ring.radius).toBeLessThan(size.height / 2);
    for (const one of ring.bodies)
      for (const two of ring.bodies)
        if (one !== two) expect(Math.hypot(one.x - two.x, one.y - two.y)).toBeGreaterThan(8);
  }
});

test("what needs attention leaves its ring and keeps its name", () => {
  const [first, ...rest] = bodies(12, 2);
  if (first === undefined) throw new Error("no body");
  const found = placeBodies([{ ...first, state: "crit" }, ...rest], size)
    .flatMap((ring) => ring.bodies)
    .find((body) => body.id === first.id);
  if (found === undefined) throw new Error("not placed");
  expect(Math.hypot(found.x - 280, found.y - 196) - found.ringRadius).toBeCloseTo(19, 0);
  expect(found.label.hidden).toBe(false);
  expect(tailPath(found, size)).toBeNull();
});

test("an axis grows at once and shrinks late", () => {
  expect(axisMax(18, 0, 10)).toBe(20);
  expect(axisMax(21, 20, 10)).toBe(50);
  expect(axisMax(25, 50, 10)).toBe(50);
  expect(axisMax(5, 50, 10)).toBe(10);
});

test("search finds starts of words before letters in between", () => {
  const order = ["Paperless-ngx", "App store", "Nextcloud", "Sessions"].sort(
    (a, b) => fuzzyScore("st", b) - fuzzyScore("st", a),
  );
  expect(order[0]).toBe("App store");
  expect(fuzzyScore("xyz", "App store")).toBe(0);
  expect(fuzzyScore("pngx", "Paperless-ngx")).toBeGreaterThan(0);
});

test("strength counts what an attacker would have to guess", () => {
  expect(strengthOf("short").score).toBe(1);
  expect(strengthOf("aaaaaaaaaaaaaaaa").score).toBe(1);
  expect(strengthOf("password1").score).toBe(1);
  expect(strengthOf("seven quiet herons at noon").score).toBe(4);
});
