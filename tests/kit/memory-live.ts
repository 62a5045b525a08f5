import { createList } from "../../src/kernel/list.ts";
import type { Clock } from "../../src/lib/clock.ts";
import type { LiveStore } from "../../src/panel/agents/live/index.ts";
import type { LiveTables } from "../../src/panel/agents/live/journal-store.ts";
import { createLiveStore } from "../../src/panel/agents/live/live.ts";
import type { Sample, SampleStore } from "../../src/panel/agents/samples/index.ts";
import { createTestLog } from "./test-log.ts";

/** Samples that are kept as they came and nowhere else. */
function memorySamples(): SampleStore {
  const all: Sample[] = [];
  const known = (value: number) => (Number.isNaN(value) ? null : value);
  return {
    append: (sample) => void all.push(sample),
    pressure: () => 0,
    range: async (wanted, from, to) =>
      all
        .filter(({ no, at }) => no === wanted && at >= from && at < to)
        .map(({ no, at, ...figures }) => ({
          t: at,
          cpu: known(figures.cpu),
          memory: known(figures.memory),
          disk: known(figures.disk),
          net_in: known(figures.net_in),
          net_out: known(figures.net_out),
        })),
    minutes: async () => [],
    hourly: async () => [],
    daily: async () => [],
    flush: async () => {},
    start: async () => {},
    stop: async () => {},
  };
}

const NO_TABLES: LiveTables = {
  write: async () => {},
  page: async () => [],
  forget: async () => {},
  forgetSurplus: async () => {},

  forgetDeleted: async () => 0,
  runs: async () => [],
  noteRun: async () => 0,
  forgetRuns: async () => 0,
};

/** A live store that writes nothing down, for tests about what is in memory; `tables` are asked instead where given. */
export const createMemoryLive = (clock: Clock, tables: Partial<LiveTables> = {}): LiveStore =>
  createLiveStore({
    clock,
    tables: { ...NO_TABLES, ...tables },
    samples: memorySamples(),
    log: createTestLog().log,
    random: () => 0.5,
    lists: { commands: createList(), sessions: createList() },
  });
