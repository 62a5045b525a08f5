import { expect, test } from "bun:test";
import { isFullOf, roomText } from "./room-words.ts";

test("room is told with its plan, and full is full", () => {
  expect(roomText({ plan: "free", nodes: { used: 12, limit: 25 } })).toBe("12 of 25\u00a0nodes of the free plan");
  expect(roomText({ plan: "enterprise", nodes: { used: 1, limit: null } })).toBe(
    "1\u00a0node, as many as you like on the enterprise plan",
  );
  const of = (used: number, limit: number | null): boolean => isFullOf({ nodes: { used, limit } });
  expect([of(24, 25), of(25, 25), of(26, 25), of(9_000, null), isFullOf(null)]).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});
