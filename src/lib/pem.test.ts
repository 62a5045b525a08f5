import { expect, test } from "bun:test";
import fc from "fast-check";
import { fromPem, splitCertificates, toPem } from "./pem.ts";

test("bytes come back from their block, in lines of at most 64 characters", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), (bytes) => {
      const text = toPem("CERTIFICATE", bytes);
      expect(fromPem("CERTIFICATE", text)).toEqual(Buffer.from(bytes));
      expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(64);
      expect(text).not.toContain("\n\n");
    }),
    { numRuns: 200 },
  );
});

const one = toPem("CERTIFICATE", Uint8Array.of(1, 2, 3));
for (const [what, text] of [
  ["another label", toPem("PRIVATE KEY", Uint8Array.of(1))],
  ["two blocks", one + one],
  ["an end of another label", one.replace("END CERTIFICATE", "END KEY")],
  ["wrong padding", one.replace("AQID", "AQI")],
  ["no text", ""],
] as const) {
  test(`${what} is not one block`, () => expect(fromPem("CERTIFICATE", text)).toBeNull());
}

test("a bundle falls into its certificates", () => {
  const two = toPem("CERTIFICATE", Uint8Array.of(4));
  expect(splitCertificates(`${one}${two}`)).toEqual([one, two]);
  expect(splitCertificates(`words\n${toPem("PRIVATE KEY", Uint8Array.of(1))}`)).toEqual([]);
});
