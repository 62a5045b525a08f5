import { expect, test } from "bun:test";
import fc from "fast-check";
import { bitString, der, moment, oid, readDer, readParts, sequence, TAG, unsigned, utf8 } from "./der.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));

test("values are written as X.690 spells them", () => {
  expect(hex(unsigned(Uint8Array.of(0)))).toBe("020100");
  expect(hex(unsigned(Uint8Array.of(0, 0, 0x7f)))).toBe("02017f");
  expect(hex(unsigned(Uint8Array.of(0x80)))).toBe("02020080");
  expect(hex(unsigned(new Uint8Array(0)))).toBe("020100");
  expect(hex(oid("1.2.840.113549.1.1.11"))).toBe("06092a864886f70d01010b");
  expect(hex(oid("2.5.29.17"))).toBe("0603551d11");
  expect(hex(bitString(Uint8Array.of(6), 1))).toBe("03020106");
  expect(hex(utf8("ä"))).toBe("0c02c3a4");
});

test("lengths switch to the long form at 128, 256 and 65536 bytes", () => {
  expect(hex(der(TAG.octetString, new Uint8Array(127))).slice(0, 4)).toBe("047f");
  expect(hex(der(TAG.octetString, new Uint8Array(128))).slice(0, 6)).toBe("048180");
  expect(hex(der(TAG.octetString, new Uint8Array(256))).slice(0, 8)).toBe("04820100");
  expect(hex(der(TAG.octetString, new Uint8Array(65_536))).slice(0, 10)).toBe("0483010000");
});

test("years have two digits until 2049 and four from 2050 on", () => {
  expect(Buffer.from(moment(Date.UTC(2049, 11, 31, 23, 59, 59, 999))).toString("latin1", 2)).toBe("491231235959Z");
  expect(moment(Date.UTC(2050, 0, 1))[0]).toBe(TAG.generalTime);
  expect(Buffer.from(moment(Date.UTC(2050, 0, 1))).toString("latin1", 2)).toBe("20500101000000Z");
});

for (const [what, text] of [
  ["an open length", "3080020100000"],
  ["a length that could be shorter", "30810302017f"],
  ["a length with a leading zero", "3082000302017f"],
  ["a length of four bytes", "308400000003020100"],
  ["content that is cut", "3004020100"],
  ["bytes behind the end", "300302010000"],
  ["a tag of two bytes", "1f8101020100"],
  ["nothing", ""],
  ["a lone tag", "30"],
] as const) {
  test(`${what} is not DER`, () => expect(() => readDer(bytesOf(text))).toThrow());
}

test("what was written is read back", () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 });
  fc.assert(
    fc.property(parts, (contents) => {
      const whole = sequence(...contents.map((content) => der(TAG.octetString, content)));
      const read = readParts(readDer(whole), TAG.sequence);
      expect(read.map(({ content }) => hex(content))).toEqual(contents.map(hex));
      expect(Buffer.concat(read.map((part) => part.whole)).equals(Buffer.from(readDer(whole).content))).toBe(true);
      expect(() => readParts(readDer(whole), TAG.set)).toThrow();
    }),
    { numRuns: 200 },
  );
});

test("any bytes are read or refused, and what is read has one spelling", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      try {
        const { tag, content } = readDer(bytes);
        expect(hex(der(tag, content))).toBe(hex(bytes));
      } catch (error) {
        expect(String(error)).not.toContain("RangeError");
      }
    }),
    { numRuns: 2_000 },
  );
});
