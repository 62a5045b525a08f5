/** Whether two kinds of calls, timed in pairs, take the same time. */
import { setImmediate } from "node:timers/promises";
import { median } from "../bench/table.ts";

const DRAWS = 300;

/**
 * How far the median of the differences lies from the true one by chance alone, in their unit (one standard deviation): it is taken anew
 * of as many differences drawn from among them, many times over. What both kinds take does not matter, only how much they differ in each
 * pair, so kinds that lie wholly apart are not taken for noise.
 */
function noiseOf(differences: readonly number[]): number {
  const middle = median([...differences]);
  let squares = 0;
  for (let turn = 0; turn < DRAWS; turn++) {
    const drawn = differences.map(() => differences[Math.floor(Math.random() * differences.length)] ?? Number.NaN);
    squares += (median(drawn) - middle) ** 2;
  }
  return Math.sqrt(squares / DRAWS);
}

/** Medians of both kinds, the median of how far the two of a pair are apart, and how far chance alone puts that, in milliseconds. */
export interface Likeness {
  medians: [number, number];
  difference: number;
  noise: number;
}

/** Compares what `timeInPairs` measured, pair by pair: whatever slows the machine for a while hits both of a pair. */
export function compareTimes([one, other]: readonly [number[], number[]]): Likeness {
  const differences = one.map((time, index) => time - (other[index] ?? Number.NaN));
  return {
    medians: [median(one), median(other)],
    difference: Math.abs(median([...differences])),
    noise: noiseOf(differences),
  };
}

/**
 * Milliseconds of `count` calls of each kind, in turns and in changing order, so that whatever else the machine does hits both
 * alike. Each begins in a turn of the event loop of its own, as what comes over the network does. The first calls warm up and do not
 * count.
 */
export async function timeInPairs(
  count: number,
  calls: readonly [(index: number) => Promise<void>, (index: number) => Promise<void>],
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  const warmUp = Math.ceil(count / 10);
  for (let index = 0; index < count + warmUp; index++) {
    for (const kind of index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      await setImmediate();
      const begun = performance.now();
      await calls[kind](index);
      const ms = performance.now() - begun;
      if (index >= warmUp) times[kind].push(ms);
    }
  }
  return times;
}
