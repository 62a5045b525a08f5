import type { TakeTurn, Whose } from "../../src/lib/fair-turns.ts";

/**
 * Keeps so many requests of somebody waiting for their turn until `end` is called, so that whoever comes has to wait for one as well.
 * `turns` tells how many turns the event loop has taken since.
 */
export function keepWaiting(takeTurn: TakeTurn, whose: Whose, count: number): { turns(): number; end(): void } {
  let isOver = false;
  let turns = 0;
  const come = (): void => {
    while (!isOver) {
      const turn = takeTurn(whose);
      if (turn === undefined) continue;
      void turn?.then(come);
      return;
    }
  };
  const tick = (): void => {
    turns += 1;
    if (!isOver) setImmediate(tick);
  };
  for (let at = 0; at < count; at += 1) come();
  setImmediate(tick);
  return {
    turns: () => turns,
    end: () => {
      isOver = true;
    },
  };
}
