import { expect, test } from "bun:test";
import { ALGORITHMS, createSum } from "./checksums.ts";

/** Of the text 123456789, as the catalogues of sums have it. */
const KNOWN = {
  crc32: "cbf43926",
  crc32c: "e3069283",
  crc64nvme: "ae8b14860a799888",
  sha1: "f7c3bc1d808e04732adf679965ccc34ca7ae3441",
  sha256: "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225",
};

test.each(ALGORITHMS)("%s of a known text", (algorithm) => {
  const sum = createSum(algorithm);
  sum.add(new TextEncoder().encode("1234"));
  sum.add(new TextEncoder().encode("56789"));
  expect(Buffer.from(sum.digest()).toString("hex")).toBe(KNOWN[algorithm]);
});
