import { afterEach, beforeEach, expect, test } from "bun:test";
import { createFakeClock, type FakeClock } from "../../../../tests/kit/fake-clock.ts";
import { freshDatabases, onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import { days, hours, minutes, seconds } from "../../../lib/duration.ts";
import type { Sample, SampleStore } from "./index.ts";
import { createSamples } from "./index.ts";

const sample = (no: number, at: number, cpu: number, more: Partial<Sample> = {}): Sample => ({
  ...{ no, at, cpu, memory: 50, disk: 60, net_in: 1_000, net_out: Number.NaN },
  ...more,
});

onEachEngine("samples", (engine) => {
  const databases = freshDatabases(engine);
  let clock: FakeClock;
  let samples: SampleStore;
  let reopen: () => SampleStore;
  beforeEach(async () => {
    clock = createFakeClock();
    const db = await databases.open();
    const { log } = createTestLog();
    reopen = () => createSamples({ samplesDb: db, clock, log });
    samples = reopen();
  });
  afterEach(() => samples.stop());

  test("come back as they were measured, oldest first, of one node only", async () => {
    const start = clock.now();
    samples.append(sample(2, start + 5, 20));
    samples.append(sample(1, start + 10, 12.345, { memory: Number.NaN, net_in: 3e9, net_out: 0.4 }));
    samples.append(sample(1, start, 100));
    samples.append(sample(1, start + 20, 7));
    await samples.flush();
    expect(await samples.range(1, start, start + 20)).toEqual([
      { t: start, cpu: 100, memory: 50, disk: 60, net_in: 1_000, net_out: null },
      { t: start + 10, cpu: 12.35, memory: null, disk: 60, net_in: 3e9, net_out: 0 },
    ]);
    expect((await samples.range(1, start, start + 21)).length).toBe(3);
    expect(await samples.range(3, start, start + 21)).toEqual([]);
  });

  test("a moment told twice counts once", async () => {
    samples.append(sample(1, clock.now(), 1));
    samples.append(sample(1, clock.now(), 2));
    await samples.flush();
    samples.append(sample(1, clock.now(), 3));
    await samples.flush();
    expect((await samples.range(1, 0, clock.now() + 1)).map(({ cpu }) => cpu)).toEqual([1]);
  });

  test("seven hours stay whole, across tables", async () => {
    const start = clock.now();
    for (let hour = 0; hour < 10; hour++) {
      samples.append(sample(1, start + hours(hour), hour));
      await samples.flush();
    }
    const left = await samples.range(1, 0, start + hours(10));
    expect(left.map(({ cpu }) => cpu)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await samples.range(1, start + hours(5), start + hours(7))).map(({ cpu }) => cpu)).toEqual([5, 6]);
  });

  test("hours and days are rolled up when they are over, also after a restart", async () => {
    const start = clock.now();
    await samples.start();
    for (const [index, cpu] of [10, 20, 60].entries()) samples.append(sample(1, start + index, cpu));
    samples.append(sample(700, start + 3, Number.NaN));
    samples.append(sample(1, start + hours(1), 90));
    await samples.flush();
    await samples.stop();
    clock.jump(hours(1) + minutes(5));
    samples = reopen();
    await samples.start();
    await until(clock, async () => (await samples.hourly(700, 0, start + days(1))).length === 1);
    expect(await samples.hourly(1, 0, start + days(1))).toMatchObject([
      { t: start, n: 3, cpu: { min: 10, avg: 30, max: 60 }, net_in: { avg: 1_000 }, net_out: { min: null, avg: null } },
    ]);
    expect((await samples.hourly(700, 0, start + days(1)))[0]?.cpu).toEqual({ min: null, avg: null, max: null });
    clock.jump(days(1));
    await until(clock, async () => (await samples.daily(1, 0, start + days(2))).length === 1);
    expect(await samples.daily(1, start, start + days(1))).toMatchObject([
      { t: start, n: 4, cpu: { min: 10, avg: 45, max: 90 }, memory: { min: 50, avg: 50, max: 50 } },
    ]);
    expect(await samples.hourly(1, start + hours(1), start + hours(2))).toMatchObject([{ n: 1, cpu: { avg: 90 } }]);
  });

  test("an hour that nobody rolled up is not lost when its table is needed", async () => {
    const start = clock.now();
    samples.append(sample(1, start, 11));
    await samples.flush();
    samples.append(sample(1, start + hours(8), 12));
    await samples.flush();
    expect(await samples.hourly(1, start, start + 1)).toMatchObject([{ n: 1, cpu: { avg: 11 } }]);
    expect((await samples.range(1, 0, start + hours(9))).map(({ cpu }) => cpu)).toEqual([12]);
  });

  test("hours go after 31 days, days stay", async () => {
    const start = clock.now();
    samples.append(sample(1, start, 5));
    await samples.flush();
    clock.jump(days(2));
    await samples.start();
    await until(clock, async () => (await samples.daily(1, start, start + 1)).length === 1);
    clock.jump(days(31));
    samples.append(sample(1, clock.now(), 6));
    await until(clock, async () => (await samples.hourly(1, start, start + 1)).length === 0);
    expect(await samples.daily(1, start, start + 1)).toMatchObject([{ n: 1, cpu: { avg: 5 } }]);
  });
});

/** Turns the clock a minute at a time, with moments for the database in between, until something holds. */
async function until(clock: FakeClock, holds: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await clock.advance(seconds(60));
    for (let look = 0; look < 100; look++) {
      if (await holds()) return;
      await Bun.sleep(5);
    }
  }
  throw new Error("it did not come about");
}
