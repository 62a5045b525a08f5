import { expect, test } from "bun:test";
import { isHostnameLabel } from "./hostname-label.ts";

test("labels", () => {
  const good = ["a", "7", "atlas", "node-1", "a--b", "x".repeat(63)];
  const bad = ["", "-", "-a", "a-", "A", "a.b", "a_b", "a b", "ä", "a\n", "x".repeat(64)];
  expect([good.every(isHostnameLabel), bad.filter(isHostnameLabel)]).toEqual([true, []]);
});
