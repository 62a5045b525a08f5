import type { Clock } from "../lib/clock.ts";
import { onNobodysErrand } from "../lib/standing.ts";
import type { Log } from "./log.ts";

/** Background work that repeats: never overlaps itself, ±10 % jitter, stops on abort. */
export interface Job {
  name: string;
  /** Milliseconds between the end of one run and the start of the next. */
  everyMs: number;
  run(signal: AbortSignal): void | Promise<void>;
}

export interface Jobs {
  add(job: Job): void;
  /** Starts all loops; they end when `signal` aborts. */
  start(signal: AbortSignal): void;
  /** Runs one job now and waits for it; for tests and manual triggers. Throws for an unknown name. */
  run(name: string): Promise<void>;
  /** Resolves when no job is running. */
  drained(): Promise<void>;
}

/** The job runner of one program. `random` gives numbers in [0, 1) for the jitter. */
export function createJobs(clock: Clock, log: Log, random: () => number): Jobs {
  const jobs = new Map<string, Job>();
  const running = new Map<string, Promise<void>>();

  function runOnce(job: Job, signal: AbortSignal): Promise<void> {
    const current = running.get(job.name);
    if (current) return current;
    const run = onNobodysErrand(async () => job.run(signal))
      .catch((error: unknown) => log.error("job failed", { job: job.name, error }))
      .finally(() => running.delete(job.name));
    running.set(job.name, run);
    return run;
  }

  async function loop(job: Job, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(job.everyMs * (0.9 + 0.2 * random()), signal);
      if (!signal.aborted) await runOnce(job, signal);
    }
  }

  return {
    add(job) {
      if (jobs.has(job.name)) throw new Error(`two jobs are called ${job.name}`);
      jobs.set(job.name, job);
    },
    start(signal) {
      for (const job of jobs.values()) void loop(job, signal);
    },
    async run(name) {
      const job = jobs.get(name);
      if (!job) throw new Error(`there is no job ${name}`);
      await runOnce(job, AbortSignal.timeout(600_000));
    },
    async drained() {
      await Promise.all(running.values());
    },
  };
}
