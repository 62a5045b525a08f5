import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTurns } from "./turns.ts";

function make(perTurn: number) {
  const clock = createFakeClock();
  const turns = createTurns(clock, perTurn);
  const told: string[] = [];
  const join = (tenant: string, name: string) => turns.join(tenant, () => void told.push(name));
  return { clock, turns, told, join };
}

test("everybody of a workspace is told of a change once, and nobody of another", async () => {
  const { clock, turns, told, join } = make(10);
  join("t", "a");
  join("t", "b");
  join("other", "c");
  turns.changed("t");
  turns.changed("t");
  expect(told).toEqual([]);
  await clock.advance(1_000);
  expect(told).toEqual(["a", "b"]);
  await clock.advance(10_000);
  expect(told).toEqual(["a", "b"]);
  turns.changed("none");
  await clock.advance(1_000);
  expect(told.length).toBe(2);
});

test("in a crowd each is told in turn, though something changes all the time, and a small workspace does not wait for a large one", async () => {
  const { clock, turns, told, join } = make(4);
  const crowd = Array.from({ length: 6 }, (_, no) => `large-${no}`);
  for (const name of crowd) join("large", name);
  join("small", "small");
  for (let second = 0; second < 4; second++) {
    turns.changed("large");
    if (second === 0) turns.changed("small");
    await clock.advance(1_000);
    if (second === 0) expect(told).toContain("small");
    expect(told.length).toBe(4 * (second + 1));
  }
  expect(new Set(told).size).toBe(7);
  await clock.advance(10_000);
  expect(told.filter((name) => name === "small")).toEqual(["small"]);
  // Each of the crowd knows the latest now.
  expect(new Set(told.slice(-6))).toEqual(new Set(crowd));
});

test("who left is not told, and who came after a change knows of it", async () => {
  const { clock, turns, told, join } = make(10);
  const leave = join("t", "a");
  turns.changed("t");
  join("t", "late");
  leave();
  await clock.advance(1_000);
  expect(told).toEqual([]);
  turns.changed("t");
  await clock.advance(1_000);
  expect(told).toEqual(["late"]);
});
