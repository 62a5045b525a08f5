import { expect, test } from "bun:test";
import { createFakeClock } from "../../tests/kit/fake-clock.ts";
import { createTestLog } from "../../tests/kit/test-log.ts";
import { createJobs } from "./jobs.ts";

function createTestJobs(random = 0.5) {
  const clock = createFakeClock();
  const { log, lines } = createTestLog();
  return { clock, lines, jobs: createJobs(clock, log, () => random), stop: new AbortController() };
}

test.each([
  [0, 900],
  [0.5, 1_000],
  [0.999_999, 1_100],
])("with random %d a job of every second first runs after %d ms", async (random, dueMs) => {
  const { clock, jobs, stop } = createTestJobs(random);
  let runs = 0;
  jobs.add({ name: "tick", everyMs: 1_000, run: () => void runs++ });
  jobs.start(stop.signal);
  await clock.advance(dueMs - 1);
  expect(runs).toBe(0);
  await clock.advance(1);
  expect(runs).toBe(1);
  stop.abort();
});

test("a job never overlaps itself: the pause begins when it ends", async () => {
  const { clock, jobs, stop } = createTestJobs();
  let active = 0;
  let most = 0;
  let runs = 0;
  jobs.add({
    name: "slow",
    everyMs: 1_000,
    async run() {
      active += 1;
      most = Math.max(most, active);
      runs += 1;
      await clock.sleep(2_500);
      active -= 1;
    },
  });
  jobs.start(stop.signal);
  await clock.advance(1_000);
  const manual = jobs.run("slow");
  await clock.advance(7_000);
  await manual;
  expect([most, runs]).toEqual([1, 3]);
  stop.abort();
});

test("a failing job is logged and runs again", async () => {
  const { clock, jobs, lines, stop } = createTestJobs();
  let runs = 0;
  jobs.add({
    name: "bad",
    everyMs: 1_000,
    run() {
      runs += 1;
      throw new Error("job text");
    },
  });
  jobs.start(stop.signal);
  await clock.advance(2_000);
  expect(runs).toBe(2);
  expect(lines.map(({ level, msg, job }) => [level, msg, job])).toEqual([
    ["error", "job failed", "bad"],
    ["error", "job failed", "bad"],
  ]);
  stop.abort();
});

test("stopping wakes the pause, aborts the running job and starts nothing more", async () => {
  const { clock, jobs, stop } = createTestJobs();
  const seen: string[] = [];
  jobs.add({
    name: "long",
    everyMs: 1_000,
    async run(signal) {
      seen.push("began");
      await clock.sleep(1_000_000, signal);
      seen.push(signal.aborted ? "aborted" : "ended");
    },
  });
  jobs.add({ name: "later", everyMs: 5_000, run: () => void seen.push("later") });
  jobs.start(stop.signal);
  await clock.advance(1_000);
  stop.abort();
  await jobs.drained();
  await clock.advance(60_000);
  expect(seen).toEqual(["began", "aborted"]);
});

test("names are unique and known", async () => {
  const { jobs } = createTestJobs();
  jobs.add({ name: "a", everyMs: 1, run() {} });
  expect(() => jobs.add({ name: "a", everyMs: 1, run() {} })).toThrow("two jobs are called a");
  await expect(jobs.run("b")).rejects.toThrow("there is no job b");
});
