import { expect, test } from "bun:test";
import fc from "fast-check";
import { picture, pictureOf } from "./layout.ts";

const node = (key: string, role: string) => ({
  ...{ key, id: null, host: key, status: "online" as const, role, wg_ip: null, rtt_ms: null, managed: false },
});
const clusters = fc.record({
  voters: fc.integer({ min: 0, max: 9 }),
  workers: fc.integer({ min: 0, max: 191 }),
  isLed: fc.boolean(),
});

test("every member stands once, inside, apart from the others, and every line ends at members", () => {
  fc.assert(
    fc.property(clusters, ({ voters, workers, isLed }) => {
      const nodes = [
        ...Array.from({ length: voters }, (_, place) => node(`m${place}`, place === 0 && isLed ? "leader" : "manager")),
        ...Array.from({ length: workers }, (_, place) => node(`w${place}`, "worker")),
      ];
      const links = nodes.slice(1).map(({ key }) => ({ from: "m0", to: key, state: "up" as const, rtt_ms: null }));
      const { places, lines, rings } = pictureOf(nodes, links, isLed ? "m0" : null);
      expect(places.map((place) => place.node.key).sort()).toEqual(nodes.map(({ key }) => key).sort());
      for (const { x, y } of places) {
        expect(x).toBeGreaterThan(10);
        expect(x).toBeLessThan(picture.width - 10);
        expect(y).toBeGreaterThan(10);
        expect(y).toBeLessThan(picture.height - 10);
      }
      for (const [index, one] of places.entries())
        for (const other of places.slice(index + 1))
          expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(4);
      expect(lines).toHaveLength(voters === 0 ? 0 : links.length);
      expect(rings.length).toBe(Number(voters > Number(isLed)) + Number(workers > 0));
    }),
    { numRuns: 60 },
  );
});

test("who leads stands in the middle", () => {
  const { places } = pictureOf([node("a", "manager"), node("b", "leader")], [], "b");
  const [leader] = places.filter(({ x, y }) => x === picture.width / 2 && y === picture.height / 2);
  expect(leader?.node.key).toBe("b");
});
