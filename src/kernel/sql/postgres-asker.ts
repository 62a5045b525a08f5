import type { SQL } from "bun";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";

/** For so long the connection that is kept may take to answer, and then a new one, which has to come about first. */
const KEPT_MS = seconds(2);
const NEW_MS = seconds(3);

/** Asks the server something short that may be asked twice. Throws what it says, and PostgresSilent where it says nothing in time. */
export type Ask = (sql: string, values: unknown[]) => Promise<Record<string, unknown>[]>;

/** Thrown where PostgreSQL does not answer in time. */
export class PostgresSilent extends Error {
  /** As the client calls it where no connection comes about. */
  readonly code = "ERR_POSTGRES_CONNECTION_TIMEOUT";

  constructor() {
    super("PostgreSQL does not answer");
  }
}

/** Whether the server said so, on a connection that goes on. */
const isSaid = (error: unknown): boolean =>
  error instanceof Error && "errno" in error && "severity" in error && error.severity === "ERROR";

/**
 * Asks over a connection of its own, beside all that is under way, and over a new one where that is gone or says nothing. It is kept open:
 * where there is no room for more, it is there already.
 */
export function createAsker(open: () => SQL, clock: Pick<Clock, "after">): { ask: Ask; close(): Promise<void> } {
  let kept = open();

  function replace(client: SQL): void {
    if (kept !== client) return;
    kept = open();
    void client.close({ timeout: 0 }).catch(() => {});
  }

  return {
    async ask(sql, values) {
      const first = kept;
      try {
        return await within(clock, KEPT_MS, first.unsafe(sql, values));
      } catch (error) {
        if (isSaid(error)) throw error;
        replace(first);
      }
      const second = kept;
      try {
        return await within(clock, NEW_MS, second.unsafe(sql, values));
      } catch (error) {
        if (error instanceof PostgresSilent) replace(second);
        throw error;
      }
    },
    close: () => kept.close({ timeout: 0 }),
  };
}

/** Gives what comes within so many milliseconds. Throws PostgresSilent after that. */
async function within<T>(clock: Pick<Clock, "after">, ms: number, answer: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(ms, () => reject(new PostgresSilent()));
  try {
    return await Promise.race([answer, late]);
  } finally {
    cancel();
  }
}
