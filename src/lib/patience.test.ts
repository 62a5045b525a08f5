import { expect, test } from "bun:test";
import { createFakeClock } from "../../tests/kit/fake-clock.ts";
import { withPatience } from "./patience.ts";

test("an answer in time is the answer, a failure the failure", async () => {
  const clock = createFakeClock();
  expect(await withPatience(clock, 1_000, Promise.resolve(7))).toBe(7);
  await expect(withPatience(clock, 1_000, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});

test("who takes too long is not waited for, and may fail later unheard", async () => {
  const clock = createFakeClock();
  const work = Promise.withResolvers<void>();
  const refused = withPatience(clock, 1_000, work.promise).catch(String);
  await clock.advance(1_000);
  expect(await refused).toBe("Error: no answer within 1000 ms");
  work.reject(new Error("late"));
  expect(await work.promise.catch(String)).toBe("Error: late");
});
