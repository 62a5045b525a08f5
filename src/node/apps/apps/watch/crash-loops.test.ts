import { expect, test } from "bun:test";
import { minutes } from "../../../../lib/duration.ts";
import { createCrashLoops } from "./crash-loops.ts";

function start() {
  let now = minutes(100);
  const loops = createCrashLoops({ now: () => now });
  return {
    loops,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test("three ends within ten minutes are a loop until only two are left", () => {
  const { loops, pass } = start();
  loops.note("a", "web");
  pass(minutes(4));
  loops.note("a", "web");
  expect(loops.find("a", "web")).toBeNull();
  pass(minutes(4));
  loops.note("a", "web");
  expect(loops.find("a", "web")).toEqual({ ends: 3, over_in_ms: minutes(2) });
  pass(minutes(2) - 1);
  expect(loops.find("a", "web")).toEqual({ ends: 3, over_in_ms: 1 });
  pass(1);
  expect(loops.find("a", "web")).toBeNull();
});

test("three ends in eleven minutes are none", () => {
  const { loops, pass } = start();
  for (let i = 0; i < 3; i++) {
    loops.note("a", "web");
    pass(minutes(5.5));
  }
  expect(loops.find("a", "web")).toBeNull();
});

test("services and apps count for themselves", () => {
  const { loops } = start();
  for (const [app, service] of [
    ["a", "web"],
    ["a", "web"],
    ["a", "db"],
    ["b", "web"],
  ] as const)
    loops.note(app, service);
  expect([loops.find("a", "web"), loops.find("a", "db"), loops.find("b", "web")]).toEqual([null, null, null]);
  loops.note("a", "web");
  expect(loops.find("a", "web")?.ends).toBe(3);
  expect(loops.find("a", "db")).toBeNull();
});

test("work on the app is a new beginning, and so is the return of the engine", () => {
  const { loops } = start();
  for (const app of ["a", "a", "a", "b", "b", "b"]) loops.note(app, "web");
  loops.forget("a");
  expect([loops.find("a", "web"), loops.find("b", "web")?.ends]).toEqual([null, 3]);
  loops.reset();
  expect(loops.find("b", "web")).toBeNull();
});
