import { expect, test } from "bun:test";
import { createSoon } from "./soon.ts";

test("what is asked for again and again is done each time the moment is over, and not put off", () => {
  const timers: (() => void)[] = [];
  let done = 0;
  let stopped = 0;
  const soon = createSoon(
    () => {
      done += 1;
    },
    (run) => {
      timers.push(run);
      return () => {
        stopped += 1;
      };
    },
  );
  for (let times = 0; times < 5; times += 1) soon.ask();
  expect([timers.length, stopped, done]).toEqual([1, 0, 0]);
  timers[0]?.();
  soon.ask();
  expect([timers.length, stopped, done]).toEqual([2, 0, 1]);
  soon.stop();
  soon.stop();
  soon.ask();
  expect([timers.length, stopped, done]).toEqual([3, 1, 1]);
});
