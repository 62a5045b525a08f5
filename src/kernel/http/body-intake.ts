import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { type BodyLimits, createBodyBudget, type Take, tooMuch } from "./body-budget.ts";
import { type CrowdLimits, createCrowd } from "./crowd.ts";
import { type AppError, kernelFail } from "./errors.ts";

/** Runs `read` for `key`, within all limits on bodies; what `read` takes is told before it is held. */
export type BodyIntake = <T>(key: string, read: (take: Take) => Promise<T>) => Promise<T>;

/** A body that is on its way. */
interface Reading {
  /** As lived: after the program stood still, nobody was slow for that long. */
  seconds: number;
  bytes: number;
  stop(error: AppError): void;
}

/** Bodies that may be on their way, each of which holds a connection. One of a usual size is through at once. */
const CROWD: CrowdLimits = { max: 1_000, maxOfNetwork: 200, fairMs: seconds(2) };
const TICK_MS = seconds(1);
/** What a body has for itself, and what it must bring a second beyond. */
const PATIENCE_S = 10;
const LEAST_PER_SECOND = 8_192;

// The rest of it would come in ahead of the next request.
const CLOSE = { connection: "close" };
const tooSlow = () => kernelFail("body_too_slow", { least_bytes: LEAST_PER_SECOND }, CLOSE);

/**
 * Bounds what bodies on their way may hold: memory, connections and time. Whoever sends a byte now and then is never idle for
 * the runtime; here a body has ten seconds and one more for every 8 KiB of it, and when there are too many, the oldest of the
 * network with the most has to go.
 */
export function createBodyIntake(
  clock: Pick<Clock, "after" | "monotonic">,
  limits: BodyLimits,
  crowdLimits = CROWD,
): BodyIntake {
  const budget = createBodyBudget(limits);
  const open = new Set<Reading>();
  const crowd = createCrowd<Reading>(clock, crowdLimits, (reading) => reading.stop(tooMuch(CLOSE)));
  let isTicking = false;

  function tick(): void {
    for (const reading of open) {
      reading.seconds += 1;
      if (reading.seconds > PATIENCE_S + reading.bytes / LEAST_PER_SECOND) reading.stop(tooSlow());
    }
    isTicking = false;
    watch();
  }

  /** Looks at those that are open once a second, as long as there are any. */
  function watch(): void {
    if (isTicking || open.size === 0) return;
    isTicking = true;
    clock.after(TICK_MS, tick);
  }

  return (key, read) =>
    budget(key, async (take) => {
      const stopped = Promise.withResolvers<never>();
      const reading: Reading = { seconds: 0, bytes: 0, stop: stopped.reject };
      if (!crowd.admit(reading, key)) throw tooMuch(CLOSE);
      open.add(reading);
      watch();
      const reads = read((bytes) => {
        // What is stopped goes on until the connection is closed, and may not hold anything any more.
        if (!open.has(reading)) throw tooSlow();
        take(bytes);
        reading.bytes += bytes;
      });
      try {
        return await Promise.race([reads, stopped.promise]);
      } finally {
        open.delete(reading);
        crowd.leave(reading);
      }
    });
}
