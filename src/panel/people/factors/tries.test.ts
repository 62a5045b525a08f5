import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTries } from "./tries.ts";

test("whoever comes from many networks of one provider uses up what is for all, and keeps nobody else out", () => {
  const tries = createTries(createFakeClock());
  const guess = (no: number) => () => tries.take(`acc_${no}`, `2001:db8:0:${(no % 400).toString(16)}::1`);
  for (let no = 0; no < 2_000; no += 1) guess(no)();
  expect(guess(2_000)).toThrow("Too many requests");
  const own = (no: number) => () => tries.take(`own_${no}`, `198.51.100.${no}`);
  // Right ones are given back and never run out; of wrong ones each provider still has a few.
  for (let no = 0; no < 30; no += 1) own(no)()();
  for (let no = 0; no < 10; no += 1) own(no)();
  expect(own(10)).toThrow("Too many requests");
  expect(() => tries.take("far", "203.0.113.1")).not.toThrow();
});

test("right ones of an account are given back thirty times a minute", async () => {
  const clock = createFakeClock();
  const tries = createTries(clock);
  const use = () => tries.take("acc_1", "203.0.113.1")();
  for (let count = 0; count < 40; count++) use();
  expect(use).toThrow("Too many requests");
  // Nobody else in the network pays for it.
  for (let count = 0; count < 30; count++) tries.take(`acc_${count + 2}`, "203.0.113.1")();
  await clock.advance(900_000);
  expect(use).not.toThrow();
});
