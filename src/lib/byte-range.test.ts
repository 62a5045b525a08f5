import { expect, test } from "bun:test";
import { readByteRange } from "./byte-range.ts";

test("one plain range is read, within what is there", () => {
  expect(readByteRange("bytes=0-0", 5)).toEqual({ start: 0, end: 0 });
  expect(readByteRange(" bytes=1-99 ", 5)).toEqual({ start: 1, end: 4 });
  expect(readByteRange("bytes=3-", 5)).toEqual({ start: 3, end: 4 });
  expect(readByteRange("bytes=-2", 5)).toEqual({ start: 3, end: 4 });
  expect(readByteRange("bytes=-99", 5)).toEqual({ start: 0, end: 4 });
});

test("what begins behind the end is outside", () => {
  for (const text of ["bytes=5-", "bytes=5-9", "bytes=-0"]) expect(readByteRange(text, 5)).toBe("outside");
  for (const text of ["bytes=0-", "bytes=-1"]) expect(readByteRange(text, 0)).toBe("outside");
});

test("anything else asks for all of it", () => {
  const others = [
    "",
    "bytes=",
    "bytes=-",
    "bytes=3-1",
    "bytes=0-1,3-4",
    "items=0-1",
    "bytes=a-b",
    `bytes=0-${"9".repeat(16)}`,
  ];
  for (const text of [null, ...others]) expect(readByteRange(text, 5)).toBeNull();
});
