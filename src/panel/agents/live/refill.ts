import type { Log } from "../../../kernel/log.ts";
import type { Clock } from "../../../lib/clock.ts";
import { hours } from "../../../lib/duration.ts";
import type { SampleStore } from "../samples/index.ts";
import type { Roster } from "./roster.ts";
import type { Vitals } from "./vitals.ts";

/** Nodes that are read at a time, so that nobody waits for it. */
const SLICE = 50;
const PAUSE_MS = 5;

export interface RefillDeps {
  clock: Clock;
  log: Log;
  roster: Roster;
  vitals: Vitals;
  samples: Pick<SampleStore, "minutes">;
}

const known = (value: number | null): number => value ?? Number.NaN;

/** After a start: reads the last hour of every node back from its samples, beside everything else. Returns how to stop. */
export function refillHours({ clock, log, roster, vitals, samples }: RefillDeps): () => void {
  const stopping = new AbortController();
  const from = clock.now() - hours(1);
  const numbers = roster.numbers();

  async function run(): Promise<void> {
    for (let first = 0; first < numbers.length && !stopping.signal.aborted; first += SLICE) {
      const slice = numbers.slice(first, first + SLICE);
      const points = await samples.minutes(slice[0] ?? 0, (slice.at(-1) ?? 0) + 1, from);
      for (const { no, minute, ...figures } of points) {
        if (!roster.at(no)) continue;
        vitals.restoreMinute(no, minute, {
          cpu: known(figures.cpu),
          memory: known(figures.memory),
          disk: known(figures.disk),
          net_in: known(figures.net_in),
        });
      }
      await clock.sleep(PAUSE_MS, stopping.signal);
    }
  }

  run().catch((error: unknown) => log.warn("the last hour of nodes could not be read back", { error }));
  return () => stopping.abort();
}
