import { expect, test } from "bun:test";
import { createTally } from "./tally.ts";

test("so many go on for each key, and whoever leaves twice makes room for one", () => {
  const tally = createTally(2);
  const [first, second] = [tally.enter("a"), tally.enter("a")];
  expect([tally.enter("a"), tally.enter("b") === null]).toEqual([null, false]);
  first?.();
  first?.();
  expect([tally.enter("a") === null, tally.enter("a")]).toEqual([false, null]);
  second?.();
  expect(tally.enter("a")).not.toBeNull();
});
