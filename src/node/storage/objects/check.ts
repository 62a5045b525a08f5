import type { Job } from "../../../kernel/jobs.ts";
import { toIso } from "../../../lib/clock.ts";
import { days, minutes } from "../../../lib/duration.ts";
import { parseJson } from "../../../lib/json.ts";
import type { CheckReport } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** Everything is read again this often. */
const ROUND_MS = days(7);
const STEP_MS = minutes(10);
/** What one step reads at least, so that small stores are done at once. */
const LEAST_BYTES = 64 * 1024 * 1024;
/** What is read in one go when somebody waits for it. */
const PRESSED_BYTES = 16 * 1024 * 1024;

/** Reads all that is stored from time to time, so that damage is found while there is still a backup of it. */
export interface Check {
  job: Job;
  report(): CheckReport;
  /** Reads everything now, as fast as it goes beside everybody else. Does nothing while it goes on already. */
  start(): void;
  /** Resolves when what was started is over. */
  settled(): Promise<void>;
}

const texts = (json: string): string[] => {
  const given = parseJson(json);
  return Array.isArray(given) ? given.filter((one) => typeof one === "string") : [];
};

export function createCheck({ objectStore, clock, db, bus, log, signal }: Omit<Needs, "components">): Check {
  let isPressed = false;
  let stepping: Promise<boolean> | null = null;
  let pressed = Promise.resolve();

  /** One step; true when the round is over. Two never go on at once. */
  async function take(bytes: number): Promise<boolean> {
    const { state, found, mended } = await objectStore.check(bytes);
    const told = { damaged: found.length, mended: mended.length };
    const first = found[0]?.objects[0] ?? mended[0] ?? null;
    if (found.length + mended.length > 0) db.record(() => bus.emit("objects.damaged", { ...told, object: first }));
    return state.finishedAt !== null || state.startedAt === null;
  }

  async function step(bytes: number): Promise<boolean> {
    await stepping?.catch(() => {});
    stepping = take(bytes).finally(() => {
      stepping = null;
    });
    return await stepping;
  }

  async function press(): Promise<void> {
    isPressed = true;
    try {
      while (!signal.aborted && !(await step(PRESSED_BYTES))) await new Promise((resolve) => setImmediate(resolve));
    } catch (error) {
      log.error("what is stored could not be checked", { error });
    } finally {
      isPressed = false;
    }
  }

  return {
    job: {
      name: "objects-check",
      everyMs: STEP_MS,
      async run() {
        const state = objectStore.checkState()?.state;
        if (isPressed || state === undefined) return;
        const isOver = state.finishedAt !== null && clock.now() - (state.startedAt ?? 0) < ROUND_MS;
        if (!isOver) await step(Math.max(LEAST_BYTES, (state.totalBytes * STEP_MS) / ROUND_MS));
      },
    },
    report() {
      const known = objectStore.checkState();
      const { startedAt = null, finishedAt = null } = known?.state ?? {};
      const status = isPressed ? "running" : startedAt === null ? "never" : finishedAt === null ? "underway" : "done";
      return {
        status,
        started_at: startedAt === null ? null : toIso(startedAt),
        finished_at: finishedAt === null ? null : toIso(finishedAt),
        checked_bytes: known?.state.checkedBytes ?? 0,
        total_bytes: known?.state.totalBytes ?? 0,
        mended: known?.state.mended ?? 0,
        damaged_count: known?.damaged ?? 0,
        damaged: (known?.damage ?? []).map(({ found_at, reason, objects }) => ({
          found_at: toIso(found_at),
          reason,
          objects: texts(objects),
        })),
      };
    },
    start() {
      if (!isPressed) pressed = press();
    },
    settled: () => pressed,
  };
}
