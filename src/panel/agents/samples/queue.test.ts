import { expect, test } from "bun:test";
import fc from "fast-check";
import { createSampleQueue } from "./queue.ts";

const sample = (no: number, at: number) => ({ no, at, cpu: at, memory: 1, disk: 2, net_in: 3, net_out: Number.NaN });

test("gives samples ordered by node and time, as whole numbers", () => {
  const queue = createSampleQueue(8);
  queue.push({ ...sample(2, 1), cpu: 12.345, net_in: 7.6 });
  queue.push(sample(1, 3));
  queue.push(sample(1, 2));
  expect(queue.drain(10)).toEqual([
    [1, 2, 200, 100, 200, 3, null],
    [1, 3, 300, 100, 200, 3, null],
    [2, 1, 1235, 100, 200, 8, null],
  ]);
  expect(queue.size()).toBe(0);
});

test("a figure that no column can hold is unknown, and holds up nobody else's", () => {
  const queue = createSampleQueue(8);
  queue.push({ ...sample(1, 1), cpu: 1e308, net_in: 1e300 });
  queue.push(sample(2, 1));
  expect(queue.drain(10)).toEqual([
    [1, 1, null, 100, 200, null, null],
    [2, 1, 100, 100, 200, 3, null],
  ]);
});

test("whatever comes, nothing is invented, the newest of every node stays, and the room is never exceeded", () => {
  const moves = fc.array(fc.oneof(fc.record({ no: fc.nat(5) }), fc.record({ drain: fc.integer({ min: 1, max: 6 }) })));
  fc.assert(
    fc.property(moves, (all) => {
      const queue = createSampleQueue(16);
      const newest = new Map<number, number>();
      const written = new Map<number, number>();
      const told = new Set<string>();
      let dropped = 0;
      let out = 0;
      let pushed = 0;
      const take = (max: number) => {
        for (const [no, at] of queue.drain(max)) {
          expect(told.delete(`${no} ${at}`)).toBe(true);
          written.set(no ?? 0, Math.max(written.get(no ?? 0) ?? 0, at ?? 0));
          out += 1;
        }
      };
      for (const [index, move] of all.entries()) {
        if ("drain" in move) take(move.drain);
        else {
          queue.push(sample(move.no, index + 1));
          told.add(`${move.no} ${index + 1}`);
          newest.set(move.no, index + 1);
          pushed += 1;
        }
        expect(queue.pressure()).toBeLessThanOrEqual(1);
      }
      take(100);
      dropped += queue.takeDropped();
      expect(out + dropped).toBe(pushed);
      expect(written).toEqual(newest);
    }),
  );
});
