import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { createVault, framesAt, plainSize, sealedSize, startOfFrame, VAULT_HEAD_BYTES } from "./vault.ts";

const FRAME = 65_536;
const vault = createVault(randomBytes(32));
const sizes = [0, 1, 100, FRAME - 1, FRAME, FRAME + 1, 2 * FRAME, 3 * FRAME + 17];

test("what was sealed opens under the same words and key alone, in whatever pieces it came", () => {
  for (const size of sizes) {
    const plain = randomBytes(size);
    const sealer = vault.sealer("blob:a");
    const written: Uint8Array[] = [];
    for (let at = 0; at < size; at += 10_007) written.push(...sealer.add(plain.subarray(at, at + 10_007)));
    const inPieces = Buffer.concat([...written, ...sealer.end()]);
    for (const stored of [inPieces, vault.seal("blob:a", plain)]) {
      expect([stored.length, plainSize(stored.length)]).toEqual([sealedSize(size), size]);
      expect(vault.open("blob:a", stored)?.equals(plain)).toBe(true);
      expect(vault.open("blob:b", stored)).toBeNull();
      expect(createVault(randomBytes(32)).open("blob:a", stored)).toBeNull();
    }
  }
});

test("the same bytes never look the same twice", () => {
  const plain = Buffer.alloc(100);
  const seen = new Set(Array.from({ length: 50 }, () => vault.seal("x", plain).subarray(40).toString("hex")));
  expect(seen.size).toBe(50);
});

test("any range is read from its frames alone", () => {
  const size = 5 * FRAME + 1_234;
  const plain = randomBytes(size);
  const stored = vault.seal("blob:a", plain);
  const opener = vault.opener("blob:a", size, stored.subarray(0, VAULT_HEAD_BYTES));
  void fc.assert(
    fc.property(fc.nat(size - 1), fc.nat(size), (start, wanted) => {
      const length = Math.max(1, Math.min(wanted, size - start));
      const frames = framesAt(size, start, length);
      expect(frames.count).toBeLessThanOrEqual(Math.ceil(length / FRAME) + 1);
      const opened = opener?.open(frames, stored.subarray(frames.offset, frames.offset + frames.bytes));
      const skipped = start - startOfFrame(frames.first);
      expect(opened?.subarray(skipped, skipped + length).equals(plain.subarray(start, start + length))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test("what was changed, cut off, lengthened or put together anew does not open", () => {
  const plain = randomBytes(2 * FRAME + 50);
  const stored = vault.seal("blob:a", plain);
  for (const at of [0, 9, 39, 40, 100, VAULT_HEAD_BYTES + FRAME + 3, stored.length - 1]) {
    const changed = Buffer.from(stored);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(vault.open("blob:a", changed)).toBeNull();
  }
  const whole = FRAME + 16;
  const frame = (index: number) =>
    stored.subarray(VAULT_HEAD_BYTES + index * whole, VAULT_HEAD_BYTES + (index + 1) * whole);
  const head = stored.subarray(0, VAULT_HEAD_BYTES);
  // Cut off between frames, the others swapped, one twice, frames of another under its head.
  const other = vault.seal("blob:a", plain);
  for (const parts of [
    [head, frame(0)],
    [head, frame(0), frame(1)],
    [head, frame(1), frame(0), frame(2)],
    [head, frame(0), frame(0), frame(2)],
    [other.subarray(0, VAULT_HEAD_BYTES), frame(0), frame(1), frame(2)],
    [head, frame(0), frame(1), frame(2), Buffer.alloc(1)],
    [stored.subarray(0, 20)],
    [],
  ])
    expect(vault.open("blob:a", Buffer.concat(parts))).toBeNull();
});
