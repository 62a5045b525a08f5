import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createChunkIndex } from "./chunk-index.ts";

const idOf = (number: number): string => createHash("sha256").update(String(number)).digest("hex");

test("an index tells of each chunk where it lies last, however many they are, and of no other", () => {
  const index = createChunkIndex();
  const COUNT = 70_000;
  for (let number = 0; number < COUNT; number += 1)
    index.set(idOf(number), { pack: number % 100, at: number, length: number + 1 });
  index.set(idOf(7), { pack: 100, at: 4_000_000_000, length: 9 });
  // Begins as another one does: they share a slot.
  const neighbour = `${idOf(7).slice(0, 8)}${"0".repeat(56)}`;
  expect(index.get(neighbour)).toBeNull();
  index.set(neighbour, { pack: 4_000_000_000, at: 1, length: 2 });
  expect(index.get(idOf(7))).toEqual({ pack: 100, at: 4_000_000_000, length: 9 });
  expect(index.get(neighbour)).toEqual({ pack: 4_000_000_000, at: 1, length: 2 });
  for (const number of [0, 1, 65_535, 65_536, COUNT - 1])
    expect(index.get(idOf(number))).toEqual({ pack: number % 100, at: number, length: number + 1 });
  expect(index.get(idOf(COUNT))).toBeNull();
});

test("a chunk keeps its number, by which its pack and its length are known", () => {
  const index = createChunkIndex();
  const ids = Buffer.concat(Array.from({ length: 3000 }, (_, number) => Buffer.from(idOf(number), "hex")));
  for (let number = 0; number < 3000; number += 1) index.set(idOf(number), { pack: number, at: 1, length: number + 1 });
  index.set(idOf(5), { pack: 9, at: 2, length: 70 });
  expect(index.count()).toBe(3000);
  const numbers = Array.from({ length: 3000 }, (_, number) => index.numberOf(ids, number * 32));
  expect(numbers).toEqual(Array.from({ length: 3000 }, (_, number) => number));
  expect([index.packOf(5), index.lengthOf(5), index.packOf(2999), index.lengthOf(2999)]).toEqual([9, 70, 2999, 3000]);
  expect(index.numberOf(Buffer.from(idOf(3000), "hex"), 0)).toBeNull();
});
