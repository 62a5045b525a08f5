import { expect, test } from "bun:test";
import { naturalKey, versionKey } from "./natural-key.ts";

const sorted = (key: (text: string) => string, texts: string[]) =>
  texts.toSorted((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));

test("numbers sort by their value, letters without case", () => {
  const order = ["10.0.0.9", "10.0.0.10", "Web-2", "web-07", "web-10", "web-10a"];
  expect(sorted(naturalKey, order.toReversed())).toEqual(order);
});

test("a release comes after what led to it", () => {
  const order = ["1.2.0", "v1.9.9", "1.10.0-rc.2", "1.10.0-rc.10", "1.10.0", "1.10.1"];
  expect(sorted(versionKey, order.toReversed())).toEqual(order);
});
