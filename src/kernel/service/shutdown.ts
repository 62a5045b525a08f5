import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../log.ts";

/** One thing to do on the way down. */
export interface ShutdownStep {
  name: string;
  run(): void | Promise<void>;
}

/** Time for all steps together; systemd kills after more. */
const DEADLINE_MS = 8_000;

/** Runs the steps in order, each logged; a step that fails or hangs does not keep the later ones from running. */
export async function shutDown(clock: Clock, log: Log, steps: readonly ShutdownStep[]): Promise<void> {
  const end = clock.monotonic() + DEADLINE_MS;
  for (const step of steps) {
    const left = Math.max(100, end - clock.monotonic());
    const ended = new AbortController();
    const late = clock.sleep(left, ended.signal).then(() => "late" as const);
    const done = (async () => step.run())().then(
      () => "done" as const,
      (error: unknown) => {
        log.error("shutdown step failed", { step: step.name, error });
        return "failed" as const;
      },
    );
    log.info("shutdown step", { step: step.name, outcome: await Promise.race([done, late]) });
    ended.abort();
  }
}

/** The name of the first signal that asks the program to stop. */
export function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => resolve(name));
  });
}
