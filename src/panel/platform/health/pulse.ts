import type { Log } from "../../../kernel/log.ts";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";

const ASK_EVERY_MS = seconds(5);
const STALE_AFTER_MS = seconds(20);

/** Whether the database answers. */
export interface Pulse {
  /** True while its last answer is less than 20 s ago. */
  isAlive(): boolean;
  /** Begins to ask. */
  start(): void;
  /** Ends with the last answer. */
  stop(): Promise<void>;
}

/** Asks the database every 5 s and remembers when it last answered. What it said instead is in the log. */
export function createPulse(askDatabase: () => Promise<unknown>, clock: Clock, log: Log): Pulse {
  let answeredAt = clock.monotonic();
  let asked: Promise<void> = Promise.resolve();
  let stopAsking = () => {};
  const beat = async (): Promise<void> => {
    try {
      await askDatabase();
      answeredAt = clock.monotonic();
    } catch (error) {
      log.error("database does not answer", { error });
    }
  };
  return {
    isAlive: () => clock.monotonic() - answeredAt < STALE_AFTER_MS,
    start() {
      answeredAt = clock.monotonic();
      stopAsking = clock.every(ASK_EVERY_MS, () => {
        asked = beat();
      });
    },
    async stop() {
      stopAsking();
      await asked;
    },
  };
}
