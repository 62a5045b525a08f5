import type { Log } from "../../../kernel/log.ts";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";

const ASK_EVERY_MS = seconds(5);
const STALE_AFTER_MS = seconds(20);

/**
 * Asks the database every 5 s and remembers when it last answered; `isAlive` is true while that is less than 20 s ago.
 * What it said instead is in the log.
 */
export function createPulse(
  askDatabase: () => Promise<unknown>,
  clock: Clock,
  log: Log,
): { isAlive(): boolean; stop(): void } {
  let answeredAt = clock.monotonic();
  const beat = async (): Promise<void> => {
    try {
      await askDatabase();
      answeredAt = clock.monotonic();
    } catch (error) {
      log.error("database does not answer", { error });
    }
  };
  const stop = clock.every(ASK_EVERY_MS, () => void beat());
  return { isAlive: () => clock.monotonic() - answeredAt < STALE_AFTER_MS, stop };
}
