import { expect, test } from "bun:test";
import { createIds } from "./ids.ts";

test("an id is a prefix and 26 Crockford base-32 characters", () => {
  expect(createIds(() => 1_767_225_600_000).next("app")).toMatch(/^app_[0-9A-HJKMNP-TV-Z]{26}$/);
});

test("the time part is the ULID of that millisecond", () => {
  // 2016-07-30T23:54:10.259Z is the example of the ULID specification.
  expect(
    createIds(() => 1_469_922_850_259)
      .next("x")
      .slice(2, 12),
  ).toBe("01ARZ3NDEK");
});

test("ids sort in the order they were made, also within a millisecond and when the clock steps back", () => {
  let now = 1_767_225_600_000;
  const ids = createIds(() => now);
  const made: string[] = [];
  for (const step of [0, 0, 0, 5, 0, -60_000, 0, 1, 120_000]) {
    now += step;
    made.push(ids.next("a"));
  }
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});

test("ten thousand ids of one millisecond are distinct and ordered", () => {
  const ids = createIds(() => 1);
  const made = Array.from({ length: 10_000 }, () => ids.next("a"));
  expect(made.every((id, index) => index === 0 || id > (made[index - 1] ?? ""))).toBe(true);
});

test("a token carries the bytes asked for as base64url and never repeats", () => {
  const ids = createIds(() => 1);
  const tokens = Array.from({ length: 100 }, () => ids.token(32));
  expect(new Set(tokens).size).toBe(100);
  for (const token of tokens) {
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(token, "base64url").length).toBe(32);
  }
});

test("codes have the asked length and use every character of their alphabet about equally", () => {
  const ids = createIds(() => 0);
  const counts = new Map<string, number>();
  for (const char of ids.code(30_000, "0123456789")) counts.set(char, (counts.get(char) ?? 0) + 1);
  expect([...counts.keys()].sort().join("")).toBe("0123456789");
  for (const count of counts.values()) expect(Math.abs(count - 3_000)).toBeLessThan(300);
  expect(ids.code(0, "ab")).toBe("");
});
