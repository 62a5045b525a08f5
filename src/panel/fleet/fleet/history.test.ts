import { beforeEach, expect, test } from "bun:test";
import { createFakeClock, type FakeClock } from "../../../../tests/kit/fake-clock.ts";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createTestFleet } from "../../../../tests/kit/test-fleet.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import type { TenantFleet } from "../../agents/live/index.ts";
import { createSamples, type SampleStore } from "../../agents/samples/index.ts";
import type { HistoryMetric, HistoryRange } from "./contract.ts";
import { readHistory } from "./history.ts";

onEachEngine("history", (engine) => {
  const databases = panelDatabases(engine);
  let clock: FakeClock;
  let samples: SampleStore;
  let fleet: TenantFleet;
  beforeEach(async () => {
    clock = createFakeClock();
    samples = createSamples({ samplesDb: await databases.open(), clock, log: createTestLog().log });
    const nodes = createTestFleet(clock, samples);
    nodes.put(1);
    fleet = nodes.fleet;
  });
  const measure = (at: number, cpu: number, net_out = 5) =>
    samples.append({ no: 1, at, cpu, memory: 50, disk: Number.NaN, net_in: 1_000, net_out });
  const read = (range: HistoryRange, metric?: HistoryMetric) =>
    readHistory(fleet, nodeFacts(1), clock.now(), range, metric);
  const iso = (at: number) => new Date(at).toISOString();

  /** Turns the clock, a minute at a time, until the store has put something together. */
  const until = async (holds: () => Promise<boolean>) => {
    for (let turn = 0; turn < 20; turn++) {
      if (await holds()) return;
      await clock.advance(minutes(1));
      await Bun.sleep(2);
    }
    throw new Error("it did not come about");
  };

  test("up to six hours it is what was measured", async () => {
    const start = clock.now();
    for (let hour = 0; hour < 7; hour++) measure(start + hours(hour), hour * 10);
    await samples.flush();
    await clock.advance(hours(6) + minutes(30));
    expect(await read("1h")).toEqual({
      instance_id: "node-1",
      range: "1h",
      resolution: "raw",
      cpu: [[iso(start + hours(6)), 60]],
      mem: [[iso(start + hours(6)), 50]],
      disk: [],
      net: [[iso(start + hours(6)), 1_000]],
      net_out: [[iso(start + hours(6)), 5]],
    });
    expect((await read("6h", "cpu")).cpu?.map(([, value]) => value)).toEqual([10, 20, 30, 40, 50, 60]);
    expect(Object.keys(await read("6h", "net"))).toEqual(["instance_id", "range", "resolution", "net", "net_out"]);
  });

  test("beyond it is hours, with the one that runs and the one that is just over", async () => {
    const start = clock.now();
    for (const [minute, cpu] of [
      [0, 10],
      [30, 30],
      [60, 50],
      [119, 70],
      [125, 90],
    ] as const)
      measure(start + minutes(minute), cpu);
    await samples.flush();
    await clock.advance(minutes(130));
    const hour = (index: number) => iso(start + hours(index));
    expect((await read("24h", "cpu")).cpu).toEqual([
      [hour(1), 60],
      [hour(2), 90],
    ]);
    await samples.start();
    await until(async () => (await samples.hourly(1, start, start + hours(2))).length === 2);
    for (const range of ["24h", "7d", "30d"] as const)
      expect(await read(range, "cpu")).toMatchObject({
        resolution: "hour",
        cpu: [
          [hour(0), 20],
          [hour(1), 60],
          [hour(2), 90],
        ],
      });
    await samples.stop();
  });

  test("beyond thirty days it is days, and today weighs its hours by what they hold", async () => {
    const start = clock.now();
    measure(start + hours(20), 20);
    measure(start + days(1) + minutes(1), 10);
    measure(start + days(1) + minutes(2), 10);
    measure(start + days(1) + minutes(3), 10);
    measure(start + days(1) + hours(1), 50);
    await samples.flush();
    await clock.advance(days(1) + hours(1) + minutes(10));
    await samples.start();
    await until(async () => (await samples.daily(1, start, start + days(1))).length === 1);
    await until(async () => (await samples.hourly(1, start + days(1), clock.now())).length === 1);
    expect(await read("3mo", "cpu")).toMatchObject({
      resolution: "day",
      cpu: [
        [iso(start), 20],
        [iso(start + days(1)), 20],
      ],
    });
    await samples.stop();
  });
});
