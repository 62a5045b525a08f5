import { expect, test } from "bun:test";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { createTestLog } from "../../../tests/kit/test-log.ts";
import { type ShutdownStep, shutDown } from "./shutdown.ts";

async function stop(steps: (seen: string[]) => ShutdownStep[]) {
  const clock = createFakeClock();
  const { log, lines } = createTestLog();
  const seen: string[] = [];
  let isOver = false;
  const over = shutDown(clock, log, steps(seen)).then(() => {
    isOver = true;
  });
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  const endedAtOnce = isOver;
  for (let turn = 0; !isOver && turn < 100; turn++) {
    await clock.advance(100);
    await Bun.sleep(0);
  }
  await over;
  const outcomes = lines.filter(({ msg }) => msg === "shutdown step").map(({ step, outcome }) => `${step} ${outcome}`);
  return { seen, lines, outcomes, endedAtOnce, tookMs: clock.monotonic() };
}

test("steps run one after the other, each logged", async () => {
  const { seen, outcomes, endedAtOnce } = await stop((log) => [
    {
      name: "a",
      async run() {
        await Promise.resolve();
        log.push("a");
      },
    },
    { name: "b", run: () => void log.push("b") },
  ]);
  expect(seen).toEqual(["a", "b"]);
  expect(outcomes).toEqual(["a done", "b done"]);
  expect(endedAtOnce).toBe(true);
});

test("a step that throws or rejects is logged and the next one runs", async () => {
  const { seen, outcomes, lines } = await stop((log) => [
    {
      name: "throws",
      run() {
        throw new Error("sync");
      },
    },
    { name: "rejects", run: () => Promise.reject(new Error("async")) },
    { name: "last", run: () => void log.push("last") },
  ]);
  expect(seen).toEqual(["last"]);
  expect(outcomes).toEqual(["throws failed", "rejects failed", "last done"]);
  expect(lines.filter(({ level }) => level === "error").map(({ step }) => step)).toEqual(["throws", "rejects"]);
});

test("a step that hangs costs at most the deadline, and the databases are still closed", async () => {
  const { seen, outcomes, tookMs } = await stop((log) => [
    { name: "hangs", run: () => new Promise(() => {}) },
    { name: "hangs too", run: () => new Promise(() => {}) },
    { name: "close", run: () => void log.push("closed") },
  ]);
  expect(seen).toEqual(["closed"]);
  expect(outcomes).toEqual(["hangs late", "hangs too late", "close done"]);
  // systemd is told ten seconds.
  expect(tookMs).toBeLessThan(10_000);
});

test("no timer is left behind", async () => {
  const clock = createFakeClock();
  const { log } = createTestLog();
  let sleeping = 0;
  const counting = {
    ...clock,
    async sleep(ms: number, signal?: AbortSignal) {
      sleeping += 1;
      await clock.sleep(ms, signal);
      sleeping -= 1;
    },
  };
  await shutDown(counting, log, [
    { name: "a", run() {} },
    { name: "b", run() {} },
  ]);
  await Promise.resolve();
  expect(sleeping).toBe(0);
});
