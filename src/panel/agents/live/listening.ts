import type { Log } from "../../../kernel/log.ts";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { OFFLINE_MS } from "./health.ts";
import type { LiveTables } from "./journal-store.ts";

const TICK_MS = seconds(1);

export interface ListeningDeps {
  clock: Clock;
  log: Log;
  tables: Pick<LiveTables, "runs" | "noteRun" | "forgetRuns">;
}

/**
 * Keeps for how long the panel has listened, so that a panel which is restarted again and again does not forgive a node its
 * silence each time anew. Only the first ten minutes of a run are written down: whoever is not heard by then is offline.
 */
export function createListening({ clock, log, tables }: ListeningDeps) {
  let run = { began_at: clock.now(), monotonic: clock.monotonic() };
  let writing: Promise<void> | null = null;
  let isFailing = false;

  async function note(listened: number): Promise<void> {
    try {
      await tables.noteRun(run.began_at, listened);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error("how long nodes were listened for cannot be written", { error });
      isFailing = true;
    }
  }

  return {
    /**
     * Begins a run. Gives for how long earlier ones listened in vain for a node that was last heard at a moment. The run in
     * which it was heard does not count: its next heartbeat may have met the restart.
     */
    async begin(): Promise<(lastSeen: number) => number> {
      run = { began_at: clock.now(), monotonic: clock.monotonic() };
      const kept: { began_at: number; sum: number }[] = [];
      let sum = 0;
      for (const { began_at, listened_ms } of await tables.runs()) {
        // The clock was ahead then: when that was in truth, nobody knows.
        if (began_at > run.began_at) continue;
        sum += Math.min(listened_ms, OFFLINE_MS);
        kept.push({ began_at, sum });
        if (sum < OFFLINE_MS) continue;
        await tables.forgetRuns(began_at);
        break;
      }
      return (lastSeen) => kept.findLast(({ began_at }) => began_at > lastSeen)?.sum ?? 0;
    },
    /** Once a second. */
    tick(): void {
      const listened = Math.round(clock.monotonic() - run.monotonic);
      if (listened > OFFLINE_MS + TICK_MS || writing) return;
      writing = note(listened).finally(() => {
        writing = null;
      });
    },
    /** Resolves when nothing is being written. */
    settled: async (): Promise<void> => writing ?? undefined,
  };
}
