import { expect, test } from "bun:test";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { createBucketLimiter, createLimiter, createSharedBucket, createSharedLimiter } from "./limit.ts";

test("a window allows its number of takes, then says how long to wait, to the second", async () => {
  const clock = createFakeClock();
  const limiter = createLimiter(clock, 3, 60_000);
  expect([limiter.take("a"), limiter.take("a")]).toEqual([0, 0]);
  await clock.advance(10_000);
  expect(limiter.take("a")).toBe(0);
  expect([limiter.take("a"), limiter.check("a")]).toEqual([50, 50]);
  await clock.advance(49_999);
  expect(limiter.take("a")).toBe(1);
  await clock.advance(1);
  // The two oldest have left the window, the third has not.
  expect([limiter.take("a"), limiter.take("a"), limiter.take("a")]).toEqual([0, 0, 10]);
});

test("refused takes do not make the wait longer, and keys do not touch each other", async () => {
  const clock = createFakeClock();
  const limiter = createLimiter(clock, 1, 1_000);
  limiter.take("a");
  for (let turn = 0; turn < 50; turn++) expect(limiter.take("a")).toBe(1);
  expect(limiter.take("b")).toBe(0);
  await clock.advance(1_000);
  expect(limiter.take("a")).toBe(0);
});

test("checking takes nothing; giving back returns one, never more than was taken", () => {
  const limiter = createLimiter(createFakeClock(), 2, 1_000);
  for (let turn = 0; turn < 10; turn++) expect(limiter.check("a")).toBe(0);
  limiter.giveBack("a");
  limiter.giveBack("unknown");
  limiter.take("a");
  limiter.take("a");
  limiter.giveBack("a");
  expect([limiter.take("a"), limiter.take("a")]).toEqual([0, 1]);
});

test("stepping the host's clock neither frees nor locks anybody", () => {
  const clock = createFakeClock();
  const limiter = createLimiter(clock, 1, 1_000);
  limiter.take("a");
  clock.jump(1_000_000_000);
  expect(limiter.take("a")).toBe(1);
  clock.jump(-2_000_000_000);
  expect(limiter.take("a")).toBe(1);
});

test("a flood of keys is bounded: the key that was used longest ago is forgotten first", () => {
  const limiter = createLimiter(createFakeClock(), 1, 1_000);
  limiter.take("old");
  limiter.take("busy");
  for (let key = 0; key < 19_998; key++) limiter.take(`flood ${key}`);
  limiter.take("busy");
  limiter.take("one more");
  expect([limiter.check("old"), limiter.check("busy")]).toEqual([0, 1]);
});

test("a bucket allows its burst, then its rate", async () => {
  const clock = createFakeClock();
  const limiter = createBucketLimiter(clock, 2, 4);
  expect(Array.from({ length: 5 }, () => limiter.take("a"))).toEqual([0, 0, 0, 0, 1]);
  await clock.advance(500);
  expect([limiter.take("a"), limiter.take("a")]).toEqual([0, 1]);
  await clock.advance(60_000);
  expect(Array.from({ length: 5 }, () => limiter.take("a"))).toEqual([0, 0, 0, 0, 1]);
});

test("a slow bucket names a wait that is long enough", async () => {
  const clock = createFakeClock();
  const limiter = createBucketLimiter(clock, 0.1, 1);
  limiter.take("a");
  const wait = limiter.take("a");
  expect(wait).toBe(10);
  await clock.advance(wait * 1_000);
  expect(limiter.take("a")).toBe(0);
});

test("a flood of keys does not reset the bucket of one who is refused and keeps asking", () => {
  const limiter = createBucketLimiter(createFakeClock(), 1, 1);
  limiter.take("greedy");
  for (let key = 0; key < 30_000; key++) {
    limiter.take(`flood ${key}`);
    if (key % 1_000 === 0) expect(limiter.take("greedy")).toBe(1);
  }
});

test("what is for all can be used up by one, and every other still has its own few", async () => {
  const clock = createFakeClock();
  const limiter = createSharedLimiter(clock, { max: 5, ownMax: 2 }, 60_000);
  for (let turn = 0; turn < 5; turn++) expect(limiter.take("greedy")).toBe(0);
  expect([limiter.take("greedy"), limiter.take("a"), limiter.take("a"), limiter.take("a")]).toEqual([60, 0, 0, 60]);
  await clock.advance(60_000);
  expect(limiter.take("greedy")).toBe(0);
});

test("no more is given back in a minute than may be, and again in the next one", async () => {
  const clock = createFakeClock();
  const limiter = createLimiter(clock, 2, 900_000, 3);
  const useRight = (times: number) => {
    let allowed = 0;
    for (let count = 0; count < times; count++) {
      if (limiter.take("a") > 0) continue;
      allowed += 1;
      limiter.giveBack("a");
    }
    return allowed;
  };
  expect(useRight(10)).toBe(3 + 2);
  expect(limiter.take("b")).toBe(0);
  await clock.advance(900_000);
  expect(useRight(10)).toBe(3 + 2);
});

test("a bucket counts by what things cost, and looks without taking", async () => {
  const clock = createFakeClock();
  const limiter = createBucketLimiter(clock, 1, 2);
  expect([limiter.take("a", 0.5), limiter.take("a", 1), limiter.check("a", 1), limiter.take("a", 0.5)]).toEqual([
    0, 0, 1, 0,
  ]);
  expect(limiter.check("a", 2)).toBe(2);
  await clock.advance(2_000);
  expect([limiter.check("a", 2), limiter.take("a", 2), limiter.take("a", 0.5)]).toEqual([0, 0, 1]);
});

test("a shared bucket leaves each what is its own after others used up what is for all", async () => {
  const clock = createFakeClock();
  const limiter = createSharedBucket(clock, { max: 3_600, ownMax: 2 });
  expect(limiter.take("greedy", 3_600)).toBe(0);
  expect([limiter.take("greedy", 4), limiter.take("a"), limiter.take("a"), limiter.take("a")]).toEqual([4, 0, 0, 1]);
  await clock.advance(1_000);
  expect(limiter.check("a")).toBe(0);
});
