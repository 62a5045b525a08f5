import { expect, test } from "bun:test";
import { type ALGORITHMS, createSum } from "./checksums.ts";
import { joinCrc } from "./join-crc.ts";

const sumOf = (algorithm: (typeof ALGORITHMS)[number], bytes: Uint8Array) => {
  const sum = createSum(algorithm);
  sum.add(bytes);
  return sum.digest();
};

test.each(["crc32", "crc32c", "crc64nvme"] as const)("%s of parts is that of all their bytes", (algorithm) => {
  const whole = Buffer.from("what comes in pieces of any length, an empty one too, is one text".repeat(40));
  for (const cuts of [[0], [1], [1_000], [7, 7, 2_000], [0, 64, 65, 1_300]]) {
    const ends = [...cuts, whole.length];
    const parts = ends.map((end, index) => whole.subarray(ends[index - 1] ?? 0, end));
    const sums = parts.map((part) => ({ bytes: sumOf(algorithm, part), size: part.length }));
    expect(joinCrc(algorithm, sums).toString("hex")).toBe(Buffer.from(sumOf(algorithm, whole)).toString("hex"));
  }
});

test("a hash cannot be joined", () => {
  expect(() => joinCrc("sha256", [])).toThrow("sha256");
});
