import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import type { Layout } from "./layout.ts";
import { createSegmentFiles } from "./segment-files.ts";

test("no file stays open when the store has ended: neither one that is read just then, nor one that is taken afterwards", async () => {
  const folder = makeScratch("segments");
  for (const id of [1, 2]) writeFileSync(join(folder, `${id}.seg`), "bytes");
  const segments = createSegmentFiles({ segment: (id: number) => join(folder, `${id}.seg`) } as unknown as Layout);
  const read = await segments.take(1);
  await segments.close();
  expect(read.file.fd).toBe(-1);
  read.release();
  const late = await segments.take(2);
  expect(late.file.fd).toBeGreaterThan(0);
  late.release();
  while (late.file.fd !== -1) await Promise.resolve();
});
