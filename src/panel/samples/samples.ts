import type { Log } from "../../kernel/log.ts";
import type { SqlDb } from "../../kernel/sql/port.ts";
import type { Clock } from "../../lib/clock.ts";
import { hours, minutes, seconds } from "../../lib/duration.ts";
import { createGate } from "../../lib/gate.ts";
import { keepHouse, rollHour } from "./housekeeping.ts";
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

export interface SampleDeps {
  /** A database of its own on SQLite, so that samples wait for nothing and nothing for them. */
  db: SqlDb;
  clock: Clock;
  log: Log;
  /** Samples that may wait. */
  capacity?: number;
}

/** The history of all nodes; its tables are made when they are missing and something needs them. */
export function createSamples({ db, clock, log, capacity = CAPACITY }: SampleDeps): SampleStore {
  const queue = createSampleQueue(capacity);
  const turn = createGate(1);
  let opening: Promise<SampleTables> | null = null;
  let unwritten: SampleRow[] = [];
  let isFailing = false;
  let stops: (() => void)[] = [];

  function open(): Promise<SampleTables> {
    opening ??= openSampleTables(db).catch((error: unknown) => {
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
      for (const hour of new Set(unwritten.map(([, at]) => Math.floor((at ?? 0) / HOUR)))) await makeRoom(tables, hour);
      await tables.insert(unwritten);
      unwritten = [];
    }
  }

  /** Runs work unless it already runs; a failure is told once until it works again. */
  function job(what: string, work: () => Promise<void>): () => Promise<void> {
    let runs = false;
    return async () => {
      if (runs) return;
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
    };
  }

  const write = job("samples", () => turn(drain));
  const house = job("roll-ups", async () => keepHouse(await open(), clock.now() - SETTLED_MS));
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
      stops = [clock.every(DRAIN_EVERY_MS, () => void write()), clock.every(HOUSEKEEPING_EVERY_MS, () => void house())];
      void house();
    },
    async stop() {
      for (const stop of stops) stop();
      await turn(drain);
    },
  };
}

/** After a long pause the table of an hour may hold one that nobody rolled up. */
async function makeRoom(tables: SampleTables, hour: number): Promise<void> {
  const before = tables.unrolledIn(hour);
  if (before !== null) await rollHour(tables, before);
  await tables.claim(hour);
}
