import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { CommitUnknown } from "./port.ts";
import { PostgresSilent } from "./postgres-asker.ts";

/** An answer that did not come for so long is late: its commit is asked about. */
const LATE_MS = seconds(1);
/** For so long whoever is told waits for those who committed before, until it is at least known what became of these. */
const MOST_MS = seconds(6);
/** The first pause between two questions, each twice as long as the one before, and the longest. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = seconds(1);

/**
 * Asks what became of a commit: true where it is open still or was undone, so that whoever asked need not wait for it. Where it was carried
 * out, it is told as if it had been answered. Throws where nobody can be asked.
 */
type AskAbout = () => Promise<boolean>;

/** Does a transaction, which says when its commit is about to be sent, and gives its result in turn. */
export type InOrder = <T>(transact: (committing: (ask: AskAbout) => void) => Promise<T>) => Promise<T>;

/** A commit that was sent. */
interface Sent {
  told: Promise<void>;
  ask: AskAbout;
  isLate: boolean;
}

/**
 * Gives the results of transactions in the order in which their commits were sent. PostgreSQL lets others have a transaction's rows before
 * it answers its commit, so that the answer of a later one may come first; what memory takes from both would then stay as the former has it.
 * One that is open still after a later one was carried out comes after it. Throws CommitUnknown where it cannot be known of one before.
 */
export function createOrder(clock: Pick<Clock, "after">): InOrder {
  const underWay = new Set<Sent>();

  /** Waits until whoever committed later may be told. */
  async function pass(one: Sent): Promise<void> {
    if (!one.isLate && (await isWithin(clock, LATE_MS, one.told))) return;
    // Whoever comes after waits for its answer no more, and asks at once.
    one.isLate = true;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const isOpen = await Promise.race([one.ask().catch(() => false), one.told]);
      if (isOpen === true || (await isWithin(clock, pause, one.told))) return;
    }
  }

  async function passAll(earlier: readonly Sent[]): Promise<void> {
    if (earlier.length === 0) return;
    await Promise.all(earlier.map(pass));
    // Those who were told just now have their turn first.
    await setImmediate();
  }

  return async (transact) => {
    let tell = () => {};
    let earlier: Sent[] = [];
    let isOver = false;
    const committing = (ask: AskAbout): void => {
      // Where the database undid the commit before, nobody has to wait for that any more.
      tell();
      // The connection was lost before, so no commit comes.
      if (isOver) return;
      earlier = [...underWay];
      const { promise: told, resolve } = Promise.withResolvers<void>();
      const sent: Sent = { told, ask: oneAtATime(ask), isLate: false };
      underWay.add(sent);
      tell = () => {
        underWay.delete(sent);
        resolve();
      };
    };
    try {
      const result = await transact(committing);
      const passed = passAll(earlier);
      if (earlier.length === 0 || (await isWithin(clock, MOST_MS, passed))) return result;
      throw new CommitUnknown(
        new PostgresSilent(),
        passed.then(() => true),
      );
    } catch (error) {
      if (!(error instanceof CommitUnknown)) throw error;
      const outcome = error.outcome.then(async (isCommitted) => {
        if (isCommitted) await passAll(earlier);
        return isCommitted;
      });
      // Nobody after it is told before it is known what became of it.
      void outcome.then(tell);
      tell = () => {};
      throw new CommitUnknown(error.cause, outcome);
    } finally {
      isOver = true;
      tell();
    }
  };
}

/** Whoever asks while a question is under way shares the next one: it is asked after all that they know. */
function oneAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    next = null;
    return ask();
  };
  return () => {
    next ??= last.then(begin, begin);
    last = next;
    return next;
  };
}

/** Whether something happens within so many milliseconds. */
async function isWithin(clock: Pick<Clock, "after">, ms: number, happens: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const cancel = clock.after(ms, () => resolve(false));
  const isInTime = await Promise.race([happens.then(() => true), late]);
  cancel();
  return isInTime;
}
