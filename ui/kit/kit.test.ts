import { expect, test } from "bun:test";
import fc from "fast-check";
import { axisMax } from "./draw.ts";
import { type Body, type Box, labelBox, maxRings, placeBodies, tailPath } from "./orbit-layout.ts";
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

test("no label lies on another, on a body or on the name of a ring", () => {
  const words = ["Vaultwarden", "Home Assistant", "Gitea", "Uptime Kuma", "Paperless-ngx", "n8n", "Test crash"];
  const kinds = ["Tools", "Productivity", "Media", "Monitoring"];
  const state = fc.constantFrom<Body["state"]>("ok", "crit", "warn", "off");
  const some = fc.uniqueArray(
    fc.record({ id: fc.uuid(), name: fc.nat(6), ring: fc.nat(3), memory: fc.nat(6), state }),
    {
      minLength: 1,
      maxLength: 30,
      selector: ({ id }) => id,
    },
  );
  fc.assert(
    fc.property(some, fc.constantFrom(0.8, 1, 1.4, 1.7), (list, unit) => {
      const given = list.map((body) => ({
        ...body,
        name: words[body.name] ?? "",
        ring: kinds[body.ring] ?? "",
        processor: 0,
      }));
      const rings = placeBodies(given, size, unit);
      const all = rings.flatMap((ring) => ring.bodies);
      const shown = all.filter((body) => !body.label.hidden).map((body) => ({ body, box: labelBox(body, unit) }));
      const lies = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      for (const one of shown) {
        for (const two of shown) if (one !== two) expect(lies(one.box, two.box)).toBe(false);
        for (const { id, x, y, radius } of all.filter((other) => other !== one.body))
          expect([
            id,
            lies(one.box, { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }),
          ]).toEqual([id, false]);
        for (const ring of rings) {
          const half = ring.name.length * 3.3 * unit;
          const y = size.height / 2 + ring.radius;
          expect(lies(one.box, { left: 280 - half, right: 280 + half, top: y - 9 * unit, bottom: y + 9 * unit })).toBe(
            false,
          );
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("with few apps nearly every name finds a place", () => {
  const hidden = Array.from({ length: 100 }, (_, run) =>
    placeBodies(
      bodies(5, 3).map((body, index) => ({ ...body, id: `app_${run}_${index}` })),
      size,
    ),
  )
    .flat()
    .flatMap((ring) => ring.bodies.filter((body) => body.label.hidden));
  expect(hidden.length).toBeLessThan(25);
});

test("an axis grows at once and shrinks late", () => {
  expect(axisMax(18, 0, 10)).toBe(20);
  expect(axisMax(21, 20, 10)).toBe(50);
  expect(axisMax(25, 50, 10)).toBe(50);
  expect(axisMax(5, 50, 10)).toBe(10);
});

test("an axis of memory ends at a power of two, so that its half is a whole number too", () => {
  expect(axisMax(660 * 2 ** 20, 0, 2 ** 20, true)).toBe(2 ** 30);
  expect(axisMax(300 * 2 ** 20, 2 ** 30, 2 ** 20, true)).toBe(2 ** 29);
});

test("strength counts what an attacker would have to guess", () => {
  expect(strengthOf("short").score).toBe(1);
  expect(strengthOf("aaaaaaaaaaaaaaaa").score).toBe(1);
  expect(strengthOf("password1").score).toBe(1);
  expect(strengthOf("seven quiet herons at noon").score).toBe(4);
});
