import { isActive, occurrences } from "../../src/node/monitoring/maintenance/recurrence.ts";
import { faultsOf, live, randomStory } from "../kit/alert-series.ts";
import { liveWorld } from "../kit/alert-worlds.ts";
import { seeded } from "../kit/seeded.ts";
import { readZone, slowOccurrences, troubleWindows } from "../kit/slow-zone.ts";
import type { Measure } from "./bench.ts";
import type { Figure } from "./table.ts";

const SERIES = 100_000;
/** Whole nodes, and series in each: together what a few minutes allow. */
const NODES = 30;
const SERIES_EACH = 100;
const YEARS = [2025, 2030] as const;
const DAY_MS = 86_400_000;
/** Let the rest of the program breathe. */
const SLICE = 500;

async function tellSeries(say: (line: string) => void): Promise<Figure> {
  let wrong = 0;
  let episodes = 0;
  let restarts = 0;
  for (let seed = 0; seed < SERIES; seed++) {
    const story = randomStory(seeded(seed));
    const outcome = live(story);
    const faults = faultsOf(story, outcome);
    if (faults.length > 0) {
      wrong += 1;
      if (wrong <= 5) say(`  series ${seed}: ${faults.join("; ")}`);
    }
    episodes += outcome.episodes.length;
    restarts += story.restarts.size;
    if (seed % SLICE === 0) await Bun.sleep(0);
  }
  return {
    measure: "alerts told wrongly",
    value: wrong,
    unit: "series",
    limit: { kind: "most", value: 0 },
    baseline: null,
    note: `${SERIES} random series through the state machine and the rules of telling, ${episodes} episodes, ${restarts} restarts; 3 channels as queues`,
  };
}

async function tellWithNodes(say: (line: string) => void): Promise<Figure> {
  const sum = { wrong: 0, episodes: 0, restarts: 0, kills: 0, messages: 0 };
  for (let seed = 0; seed < NODES; seed++) {
    const { faults, episodes, restarts, kills, messages } = await liveWorld(seeded(seed), SERIES_EACH);
    for (const fault of faults.slice(0, 3)) say(`  node ${seed}: ${fault}`);
    sum.wrong += faults.length;
    sum.episodes += episodes;
    sum.restarts += restarts;
    sum.kills += kills;
    sum.messages += messages;
  }
  return {
    measure: "alerts told wrongly by whole nodes",
    value: sum.wrong,
    unit: "faults",
    limit: { kind: "most", value: 0 },
    baseline: null,
    note: `${NODES * SERIES_EACH} random series through rules, events, outbox and deliveries in SQLite, ${sum.episodes} episodes, ${sum.restarts} restarts, ${sum.kills} rounds cut off, ${sum.messages} messages`,
  };
}

async function checkZones(say: (line: string) => void): Promise<Figure> {
  const [first, after] = YEARS;
  const from = Date.UTC(first, 0, 1);
  const to = Date.UTC(after, 0, 1);
  const zones = Intl.supportedValuesOf("timeZone");
  let wrong = 0;
  let checked = 0;
  for (const timezone of zones) {
    const zone = readZone(timezone, from - 4 * DAY_MS, to);
    for (const window of troubleWindows(timezone, first)) {
      const slow = slowOccurrences(window, zone, to);
      const found = [...occurrences(window, from - DAY_MS, to)];
      const isSame =
        found.length === slow.length &&
        found.every(({ start, end }, index) => {
          const other = slow[index];
          return other?.start === start && other.end === end;
        });
      const sampled = slow.filter((_, index) => index % 31 === 0);
      const isEdged = sampled.every(
        ({ start, end }) =>
          !isActive(window, start - 1) &&
          isActive(window, start) &&
          isActive(window, end - 1) &&
          !isActive(window, end),
      );
      if (!isSame || !isEdged) {
        wrong += 1;
        if (wrong <= 5) say(`  ${timezone} ${window.repeat} ${window.start}`);
      }
      checked += slow.length;
    }
    await Bun.sleep(0);
  }
  return {
    measure: "maintenance windows at the wrong time",
    value: wrong,
    unit: "windows",
    limit: { kind: "most", value: 0 },
    baseline: null,
    note: `${zones.length} zones, ${after - first} years, ${checked} occurrences against a slow reference`,
  };
}

/** What alerting promises, counted over everything: each episode told once and once over, no window at a wrong time. */
export const alertProofs: Measure = {
  name: "alert-proofs",
  run: async ({ say }) => [await tellSeries(say), await tellWithNodes(say), await checkZones(say)],
};
