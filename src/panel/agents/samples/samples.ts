import { hours, minutes, seconds } from "../../../lib/duration.ts";
import { createGate } from "../../../lib/gate.ts";
import { createHousekeeping, makeRoom } from "./housekeeping.ts";
import type { Needs } from "./needs.ts";
import type { SampleStore } from "./port.ts";
import { createSampleQueue, type SampleRow } from "./queue.ts";
import { openSampleTables, type SampleTables } from "./sample-store.ts";

const HOUR = hours(1);
/** What a kill can cost, at most four times. */
const DRAIN_EVERY_MS = 250;
const HOUSEKEEPING_EVERY_MS = minutes(1);
/** An hour is rolled up when its last samples are surely written. */
const SETTLED_MS = seconds(10);
/** Samples in one statement. */
const BATCH = 2_000;
/** A minute of 100,000 nodes at 60 seconds, give or take. */
const CAPACITY = 131_072;

const hourOf = ([, at]: SampleRow): number => Math.floor((at ?? 0) / HOUR);

/** The history of all nodes; its tables are made when they are missing and something needs them. */
export function createSampleStore({ samplesDb, clock, log, capacity = CAPACITY }: Needs): SampleStore {
  const queue = createSampleQueue(capacity);
  const turn = createGate(1);
  let opening: Promise<SampleTables> | null = null;
  let keepHouse: ((now: number) => Promise<void>) | null = null;
  let unwritten: SampleRow[] = [];
  let isFailing = false;
  const running = new Set<Promise<void>>();
  let stops: (() => void)[] = [];

  function open(): Promise<SampleTables> {
    opening ??= openSampleTables(samplesDb).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  /** Writes what waits; on failure it goes on waiting. */
  async function drain(): Promise<void> {
    while (unwritten.length > 0 || queue.size() > 0) {
      if (unwritten.length === 0) unwritten = queue.drain(BATCH);
      const tables = await open();
      // One hour after another: two of them may need the same table when the clock was set.
      for (const [hour, part] of Map.groupBy(unwritten, hourOf)) {
        await makeRoom(tables, hour);
        await tables.insert(hour, part);
        unwritten = unwritten.filter((row) => hourOf(row) !== hour);
      }
    }
  }

  /** Runs work unless it already runs; a failure is told once until it works again. */
  function job(what: string, work: () => Promise<void>): () => void {
    let runs = false;
    async function run(): Promise<void> {
      runs = true;
      try {
        await work();
        if (isFailing) log.info("samples are written again");
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.error("samples cannot be written", { what, error });
        isFailing = true;
      } finally {
        runs = false;
      }
      const dropped = queue.takeDropped();
      if (dropped > 0) log.warn("the disk is slower than the fleet: samples were thinned", { dropped });
    }
    return () => {
      if (runs) return;
      const done = run().finally(() => running.delete(done));
      running.add(done);
    };
  }

  const write = job("samples", () => turn(drain));
  const house = job("roll-ups", async () => {
    keepHouse ??= createHousekeeping(await open());
    await keepHouse(clock.now() - SETTLED_MS);
  });
  return {
    append: queue.push,
    pressure: queue.pressure,
    flush: () => turn(drain),
    range: async (no, from, to) => (await open()).range(no, from, to),
    minutes: async (low, high, from) => (await open()).minutes(low, high, from),
    hourly: async (no, from, to) => (await open()).rolled("roll_h", no, from, to),
    daily: async (no, from, to) => (await open()).rolled("roll_d", no, from, to),
    async start() {
      await open();
      stops = [clock.every(DRAIN_EVERY_MS, write), clock.every(HOUSEKEEPING_EVERY_MS, house)];
      house();
    },
    async stop() {
      for (const stop of stops) stop();
      await Promise.all(running);
      await turn(drain);
    },
  };
}
