import { expect, test } from "bun:test";
import { createBreaks } from "./breaks.ts";

test("whoever works for long lets others go first, and not before", async () => {
  let at = 0;
  const pause = createBreaks(() => at);
  at = 19;
  expect(pause()).toBeUndefined();
  at = 20;
  let isTurnOver = false;
  setImmediate(() => {
    isTurnOver = true;
  });
  await pause();
  expect(isTurnOver).toBe(true);
  expect(pause()).toBeUndefined();
});
