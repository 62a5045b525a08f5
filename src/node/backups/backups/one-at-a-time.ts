import type { OperationHandle } from "../../platform/operations/index.ts";
import { fail } from "./contract.ts";
import { closeOperation, explain, type Failure } from "./failures.ts";
import type { Own } from "./needs.ts";

/** What holds the one thing that is under way. */
type Alone = Pick<Own, "work"> & { log: Pick<Own["log"], "error"> };

const GAVE_WAY: Failure = {
  code: "backup_gave_way",
  message: "Somebody ordered something else meanwhile, which came first. This begins anew by itself.",
  next_step: "There is nothing to do.",
};

/** Throws `backup_busy` while something is under way that does not give way. */
export function assertFree({ work }: Pick<Own, "work">): void {
  if (work.current !== null && work.giveWay === null) throw fail("backup_busy");
}

/**
 * Runs what is one at a time, after what gives way to it. What it throws is only logged: whoever waits for it waits for its end. Throws
 * `backup_busy`.
 */
export function runAlone(own: Alone, task: () => Promise<void>): void {
  assertFree(own);
  const before = own.work.current;
  own.work.giveWay?.();
  own.work.giveWay = null;
  const running = before === null ? task() : before.then(task);
  const current = running
    .catch((error: unknown) => own.log.error("what was under way ended with a fault", { error }))
    .finally(() => {
      // What gave way has its follower in its place.
      if (own.work.current === current) own.work.current = null;
    });
  own.work.current = current;
}

/**
 * Runs what is one at a time and says in its operation how it ended, whatever it throws; `task` answers null when well. Throws
 * `backup_busy`.
 */
export function runTold(
  own: Alone,
  op: Pick<OperationHandle, "done" | "fail">,
  task: () => Promise<Failure | null>,
): void {
  runAlone(own, async () => {
    const failure = await task().catch((error: unknown) => {
      own.log.error("what was under way ended with a fault", { error });
      return explain(error);
    });
    closeOperation(op, failure);
  });
}

/** Like `runAlone`, for whoever waits for what comes of it. Throws `backup_busy`, and what `task` throws. */
export async function runWaited<Result>(own: Alone, task: () => Promise<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  runAlone(own, () => task().then(resolve, reject));
  return await promise;
}

/** What may be ended: `signal` says that it is to end, `stay` that from here on it does so no more, and what it found counts. */
export interface Aside {
  signal: AbortSignal;
  stay: () => void;
}

/**
 * Like `runTold`, for what the server does of its own accord: it gives way to whatever somebody orders, until it says that it stays.
 * `later` is called where it gave way.
 */
export function runAside(
  own: Alone,
  op: Pick<OperationHandle, "done" | "fail">,
  { task, later }: { task: (aside: Aside) => Promise<Failure | null>; later: () => void },
): void {
  const ending = new AbortController();
  const { signal } = ending;
  const giveWay = () => ending.abort();
  let stays = false;
  const release = () => {
    if (own.work.giveWay === giveWay) own.work.giveWay = null;
  };
  const stay = () => {
    stays = true;
    release();
  };
  runTold(own, op, async () => {
    const failure = await task({ signal, stay })
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return explain(error);
      })
      .finally(release);
    // What was through all the same has not given way.
    if (failure === null || stays || !signal.aborted) return failure;
    later();
    return GAVE_WAY;
  });
  own.work.giveWay = giveWay;
}
