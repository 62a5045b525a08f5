import { expect, test } from "bun:test";
import fc from "fast-check";
import { madeBytes } from "../../../../tests/kit/made-bytes.ts";
import { createSum, type Summed } from "./checksums.ts";
import { createComingSums } from "./coming-sums.ts";

const KINDS: Summed[] = ["md5", "crc32", "crc32c", "crc64nvme", "sha1", "sha256"];
const RUNS = Number(process.env["PROPERTY_RUNS"] ?? 20);

const hex = (sums: readonly Uint8Array[]) => sums.map((sum) => Buffer.from(sum).toString("hex"));

test("sums are the same however the bytes come, of several objects at a time", async () => {
  const sizes = fc.array(fc.nat({ max: 300_000 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(sizes, { minLength: 1, maxLength: 3 }), async (objects) => {
      const sumUp = async (pieces: readonly number[], seed: number) => {
        const sums = createComingSums(KINDS);
        const wanted = KINDS.map(createSum);
        for (const [at, size] of pieces.entries()) {
          const bytes = madeBytes(seed * 100 + at, size);
          for (const sum of wanted) sum.add(bytes);
          await sums.add(bytes);
        }
        expect(hex(await sums.end())).toEqual(hex(wanted.map((sum) => sum.digest())));
      };
      await Promise.all(objects.map(sumUp));
    }),
    { numRuns: RUNS },
  );
});

test("what is dropped on its way keeps nobody from being summed up", async () => {
  const dropped = createComingSums(["md5"]);
  for (let count = 0; count < 4; count += 1) await dropped.add(madeBytes(count, 200_000));
  dropped.drop();
  dropped.drop();
  const sums = createComingSums(["md5"]);
  const wanted = createSum("md5");
  for (let count = 0; count < 4; count += 1) {
    await sums.add(madeBytes(count, 200_000));
    wanted.add(madeBytes(count, 200_000));
  }
  expect(hex(await sums.end())).toEqual(hex([wanted.digest()]));
});
