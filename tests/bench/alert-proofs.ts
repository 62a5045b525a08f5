import { isActive, occurrences } from "../../src/node/features/maintenance/recurrence.ts";
import { faultsOf, live, randomStory } from "../kit/alert-series.ts";
import { readZone, slowOccurrences, troubleWindows } from "../kit/slow-zone.ts";
import type { Measure } from "./bench.ts";
import type { Figure } from "./table.ts";

const SERIES = 100_000;
const YEARS = [2025, 2030] as const;
const DAY_MS = 86_400_000;
/** Let the rest of the program breathe. */
const SLICE = 500;

/** Numbers that come the same every time. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

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
    note: `${SERIES} random series, ${episodes} episodes, ${restarts} restarts, 3 channels with outages`,
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
  run: async ({ say }) => [await tellSeries(say), await checkZones(say)],
};
