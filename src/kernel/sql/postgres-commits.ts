import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { CommitUnknown } from "./port.ts";
import type { Ask } from "./postgres-asker.ts";

/** For so long whoever asked for a transaction waits until it is known what became of it. */
const WAIT_MS = seconds(5);
/** The first pause between two questions, each twice as long as the one before, and the longest. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = seconds(1);

/** 64 bits, of which the connections that are under way show the lower half. */
const NUMBER = "SELECT txid_current() AS number";
const STATUS = "SELECT txid_status($1::bigint) AS status";
const END =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_xid = ($1::bigint % 4294967296)::text::xid";

/** PostgreSQL says so of a number that it has not given yet: a standby took over that had not heard of the transaction. */
const NOT_GIVEN = "22023";

/** One try of a transaction: what has to be known about it when the answer to its commit is lost. */
export class Attempt<T> {
  number: bigint | null = null;
  /** Set once all was said but the commit. */
  done: { result: T } | null = null;
  /** The server said so before it answered the commit. */
  isCommitted = false;

  private readonly cut: () => void;

  /** `cut` ends its connection. */
  constructor(cut: () => void) {
    this.cut = cut;
  }

  /** Asks for its number; sent before its first statement. */
  async begin(client: { unsafe(sql: string): Promise<Record<string, unknown>[]> }): Promise<void> {
    this.number = BigInt(String((await client.unsafe(NUMBER))[0]?.["number"]));
  }

  /** The commit comes next. */
  end(result: T): T {
    this.done = { result };
    return result;
  }

  /** It was carried out, so that nobody waits for the answer any more. */
  carriedOut(): void {
    this.isCommitted = true;
    this.cut();
  }
}

/** A transaction of which nobody knows what became of it. */
interface Open {
  attempt: unknown;
  number: bigint;
  outcome: PromiseWithResolvers<boolean>;
}

/**
 * Finds out what became of transactions whose connection ended before the commit was answered. PostgreSQL knows it by their numbers, so memory
 * never has less than the tables.
 */
export function createCommits(ask: Ask, clock: Pick<Clock, "sleep">) {
  const open = new Set<Open>();
  let isClosed = false;

  /** Asks once about one; true when it is known. Throws when nobody answers. */
  async function look(one: Open): Promise<boolean> {
    const status = await readStatus(one.number);
    if (status === "in progress") {
      // Its connection is gone, and nobody will end it: it holds rows still.
      await ask(END, [one.number]);
      return false;
    }
    open.delete(one);
    one.outcome.resolve(status === "committed");
    return true;
  }

  async function readStatus(number: bigint): Promise<unknown> {
    try {
      return (await ask(STATUS, [number]))[0]?.["status"];
    } catch (error) {
      if (error instanceof Error && "errno" in error && error.errno === NOT_GIVEN) return "aborted";
      throw error;
    }
  }

  async function findOut(one: Open): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; open.has(one) && !isClosed; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const isKnown = await look(one).catch(() => false);
      if (!isKnown) await clock.sleep(pause);
    }
  }

  return {
    /**
     * Runs a transaction and gives what it came to, also where its commit was carried out and only the answer was lost. Throws CommitUnknown
     * where nobody could say so in time.
     */
    async follow<T>(attempt: Attempt<T>, run: () => Promise<T>): Promise<T> {
      // What became of others is heard of before anything happens after them.
      for (const one of open) await look(one);
      try {
        return await run();
      } catch (error) {
        const { number, done, isCommitted: isSaid } = attempt;
        if (number === null || done === null) throw error;
        if (isSaid) return done.result;
        const outcome = Promise.withResolvers<boolean>();
        const one: Open = { attempt, number, outcome };
        open.add(one);
        void findOut(one);
        const isCommitted = await Promise.race([outcome.promise, clock.sleep(WAIT_MS).then(() => null)]);
        if (isCommitted === null) throw new CommitUnknown(error, outcome.promise);
        if (!isCommitted) throw error;
        return done.result;
      }
    },
    /**
     * Asks about a commit that was sent and is not answered yet. One that was carried out is told by that; true where nobody has to wait for it,
     * as it is open still or was undone. Throws where nobody answers.
     */
    async askAbout(attempt: Attempt<unknown>): Promise<boolean> {
      if (isClosed || attempt.number === null) return true;
      const lost = [...open].find((one) => one.attempt === attempt);
      if (lost) {
        await look(lost);
        return false;
      }
      const isCommitted = (await readStatus(attempt.number)) === "committed";
      if (isCommitted) attempt.carriedOut();
      return !isCommitted;
    },
    /** Asks no more. */
    close(): void {
      isClosed = true;
    },
  };
}
