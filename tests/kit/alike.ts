/** Whether two kinds of calls, timed in pairs, take the same time. */
import { setImmediate } from "node:timers/promises";
import { median } from "../bench/table.ts";

const EXCHANGES = 300;

/**
 * How far the medians of both kinds lie apart by chance alone, in the unit of `times` (one standard deviation): each pair is
 * exchanged or not by the toss of a coin, many times over, which makes two halves in which both kinds are mixed.
 */
function noiseOf([one, other]: readonly [number[], number[]]): number {
  let squares = 0;
  for (let turn = 0; turn < EXCHANGES; turn++) {
    const halves: [number[], number[]] = [[], []];
    for (const [index, time] of one.entries()) {
      const side = Math.random() < 0.5 ? 0 : 1;
      halves[side].push(time);
      halves[1 - side]?.push(other[index] ?? Number.NaN);
    }
    squares += (median(halves[0]) - median(halves[1])) ** 2;
  }
  return Math.sqrt(squares / EXCHANGES);
}

/** Medians of both kinds, how far they are apart, and how far chance alone puts them, all in milliseconds. */
export interface Likeness {
  medians: [number, number];
  difference: number;
  noise: number;
}

/** Compares what `timeInPairs` measured. */
export function compareTimes(times: readonly [number[], number[]]): Likeness {
  const medians: [number, number] = [median(times[0]), median(times[1])];
  return { medians, difference: Math.abs(medians[0] - medians[1]), noise: noiseOf(times) };
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
