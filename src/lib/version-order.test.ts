import { expect, test } from "bun:test";
import { isOlderVersion } from "./version-order.ts";

test("versions are compared by their numbers, one before its release is older, builds are alike", () => {
  const ladder = ["0.9.0", "0.10.0", "1.0.0-rc.1", "1.0.0-rc.2", "1.0.0-rc.10", "1.0.0", "1.0.1", "1.2.0", "10.0.0"];
  for (const [i, a] of ladder.entries())
    for (const [k, b] of ladder.entries()) expect([a, b, isOlderVersion(a, b)]).toEqual([a, b, i < k]);
  expect(isOlderVersion("1.0.0+aaa", "1.0.0+bbb")).toBe(false);
  expect(isOlderVersion("1.0.0+bbb", "1.0.0")).toBe(false);
  expect(isOlderVersion("1.0.0-rc.1+zzz", "1.0.0+aaa")).toBe(true);
});
