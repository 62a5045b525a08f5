import { expect, test } from "bun:test";
import { makeSecret } from "./secrets.ts";

test.each([
  ["hex", 16, /^[0-9a-f]{32}$/],
  ["base64", 16, /^[A-Za-z0-9+/]{22}==$/],
  ["base64url", 16, /^[A-Za-z0-9_-]{22}$/],
  ["password", 24, /^[A-Za-z0-9]{24}$/],
] as const)("%s of %i", (kind, bytes, shape) => {
  const made = Array.from({ length: 50 }, () => makeSecret({ kind, bytes }));
  for (const secret of made) expect(secret).toMatch(shape);
  expect(new Set(made).size).toBe(50);
});

test("passwords use every letter about as often", () => {
  const text = makeSecret({ kind: "password", bytes: 62_000 });
  const counts = Map.groupBy(text, (letter) => letter);
  expect(counts.size).toBe(62);
  // 1000 expected; 6 standard deviations are 190.
  for (const letters of counts.values()) expect(Math.abs(letters.length - 1000)).toBeLessThan(190);
});
