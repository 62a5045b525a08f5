import type { Clock } from "../../../../lib/clock.ts";
import { seconds } from "../../../../lib/duration.ts";
import { S3Problem } from "./problem.ts";

/** Bodies that are on their way to the port. */
export interface ComingBodies {
  /**
   * Passes a body on as it comes. `check` throws where its sender may not send it any more: it is asked with each piece, and at once when
   * keys or grants change. Throws RequestTimeout when nothing came for a minute.
   */
  pass(source: AsyncIterable<Uint8Array>, check: () => void): AsyncGenerator<Uint8Array, void, undefined>;
  /** Keys or grants are others than before. */
  checkAll(): void;
}

/** A body whose next piece is waited for. */
interface Waiting {
  /** As lived: after the program stood still, nobody was silent for that long. */
  ticks: number;
  check(): void;
  fail(error: unknown): void;
}

const TICK_MS = seconds(10);
/** A body is given up after so many ticks in which nothing came: a minute, and what was left of the first. */
const SILENT_TICKS = 6;

/** Makes what the bodies of one port are read through. */
export function createComingBodies(clock: Pick<Clock, "after">): ComingBodies {
  const open = new Set<Waiting>();
  let isTicking = false;

  function tick(): void {
    for (const waiting of [...open]) {
      waiting.ticks += 1;
      if (waiting.ticks > SILENT_TICKS) waiting.fail(new S3Problem("RequestTimeout"));
    }
    isTicking = false;
    watch();
  }

  function watch(): void {
    if (isTicking || open.size === 0) return;
    isTicking = true;
    clock.after(TICK_MS, tick);
  }

  const nextOf = (pieces: AsyncIterator<Uint8Array>, check: () => void): Promise<IteratorResult<Uint8Array>> =>
    new Promise((resolve, reject) => {
      const waiting: Waiting = { ticks: 0, check, fail };
      function fail(error: unknown): void {
        open.delete(waiting);
        reject(error);
      }
      open.add(waiting);
      watch();
      pieces.next().then((next) => {
        open.delete(waiting);
        resolve(next);
      }, fail);
    });

  return {
    async *pass(source, check) {
      const pieces = source[Symbol.asyncIterator]();
      let isPassing = false;
      try {
        for (;;) {
          const next = await nextOf(pieces, check);
          check();
          if (next.done === true) return;
          isPassing = true;
          yield next.value;
          isPassing = false;
        }
      } finally {
        // Only whoever takes no more ends it here: where nothing came, the end would wait for the next piece, too.
        if (isPassing) await pieces.return?.();
      }
    },
    checkAll() {
      for (const waiting of [...open]) {
        try {
          waiting.check();
        } catch (error) {
          waiting.fail(error);
        }
      }
    },
  };
}
