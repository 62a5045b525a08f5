import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { emptyJpegOf } from "../../tests/kit/made-images.ts";
import { heldJpegBytes } from "./jpeg-memory.ts";

const SIDE = 480;
const MB = 1_000_000;

/** The most that this process has held since the last time, above what it held then. */
async function peakOf(work: () => Promise<unknown>): Promise<number> {
  const read = (what: string) => {
    const found = new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync("/proc/self/status", "utf8"));
    return Number(found?.[1]) * 1024;
  };
  writeFileSync("/proc/self/clear_refs", "5");
  const before = read("VmRSS");
  await work();
  return read("VmHWM") - before;
}

const shrink = (jpeg: Uint8Array<ArrayBuffer>) =>
  new Bun.Image(jpeg, { maxPixels: 100 * MB }).resize(SIDE, SIDE, { fit: "inside" }).webp().bytes();

test("no JPEG of any kind takes more memory than its head says", async () => {
  // What the threads of the runtime hold from then on.
  await shrink(emptyJpegOf(4_000, 4_000, { frame: 0xc2 }));
  const full = [0x11, 0x11, 0x11];
  const halved = [0x22, 0x11, 0x11];
  const cmyk = [0x21, 0x11, 0x11, 0x21];
  const odd = [0x31, 0x11, 0x11];
  const plain = [[0x22], full, halved, [0x41, 0x11, 0x11], [0x22, 0x12, 0x12], cmyk];
  const unusual = [
    odd,
    [0x42, 0x11, 0x11],
    [0x11, 0x21, 0x21],
    [0x14, 0x12, 0x12],
    [0x22, 0x11, 0x12],
    [0x11, 0x12, 0x12, 0x11],
  ];
  const cases = [
    ...[...plain, ...unusual].map((sampling) => ({ sampling })),
    ...[{ frame: 0xc2 }, { frame: 0xc3 }, { scanned: 1 }, { turned: true }].flatMap((kind) =>
      [full, halved, cmyk, odd].map((sampling) => ({ ...kind, sampling })),
    ),
  ];
  for (const kind of cases) {
    const jpeg = emptyJpegOf(3_000, 2_500, kind);
    const held = heldJpegBytes(jpeg, SIDE);
    const peak = await peakOf(() => shrink(jpeg).catch(() => {}));
    if (peak > held + 16 * MB) expect({ kind, held, peak }).toBeNull();
  }
  expect(plain.map((sampling) => heldJpegBytes(emptyJpegOf(3_000, 2_500, { sampling }), SIDE))).toEqual(
    plain.map(() => 0),
  );
});

test("what stands before, between and inside the segments hides no frame", () => {
  const jpeg = Buffer.from(emptyJpegOf(5_000, 5_000, { frame: 0xc2 }));
  const held = heldJpegBytes(jpeg, SIDE);
  expect(held).toBe(5_000 * 5_000 * 6);
  const baseline = Buffer.from(emptyJpegOf(5_000, 5_000)).subarray(0x47, -20);
  const behindHead = (bytes: number[] | Buffer) =>
    Buffer.concat([jpeg.subarray(0, 2), Buffer.from(bytes), jpeg.subarray(2)]);
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, baseline.length + 2]), baseline]);
  for (const before of [comment, [0xff, 0xff, 0xff], [1, 2, 3], [0xff, 0], [0xff, 0xd0, 0xff, 1], [0xff, 0xfe, 0, 0]])
    expect(heldJpegBytes(behindHead(before), SIDE)).toBe(held);
  expect(heldJpegBytes(behindHead([0xff, 0xd9]), SIDE)).toBe(Number.POSITIVE_INFINITY);
  expect(heldJpegBytes(behindHead(baseline), SIDE)).toBe(Number.POSITIVE_INFINITY);
  for (let end = 0; end < jpeg.length - 30; end++)
    expect(heldJpegBytes(jpeg.subarray(0, end), SIDE)).toBe(Number.POSITIVE_INFINITY);
});
