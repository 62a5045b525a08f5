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
