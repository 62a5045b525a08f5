import type { Labelled } from "../bench/nab/labelled.ts";

/** Random numbers of one seed, the same on every machine. */
export interface Dice {
  /** In [0, 1). */
  uniform(): number;
  between(from: number, to: number): number;
  normal(): number;
  /** Student's t with few degrees of freedom: like normal in the middle, with tails that never quite end. */
  heavy(degrees: number): number;
  /** How many come when `mean` are expected. */
  count(mean: number): number;
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  function uniform(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return {
    uniform,
    between: (from, to) => from + (to - from) * uniform(),
    normal,
    heavy(degrees) {
      let squares = 0;
      for (let index = 0; index < degrees; index++) squares += normal() ** 2;
      return normal() / Math.sqrt(squares / degrees);
    },
    count(mean) {
      if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
      const limit = Math.exp(-mean);
      let times = 0;
      for (let product = uniform(); product > limit; product *= uniform()) times += 1;
      return times;
    },
  };
}

const STEP_MS = 300_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEKS = 7;
const START = Date.UTC(2026, 0, 5);
/** A change that stays is news on the first day and usual afterwards. */
const NEWS_MS = DAY_MS;

/** What a kind of series does from one point to the next; `shift` marks a change that stays. */
type Walk = (t: number, step: number, shift: () => void) => number;

const hourOf = (t: number): number => (t / HOUR_MS) % 24;
const isWeekend = (t: number): boolean => new Date(t).getUTCDay() % 6 === 0;
const rhythm = (t: number): number => Math.max(0, Math.sin(((hourOf(t) - 6) / 24) * 2 * Math.PI));

/** Ways in which figures of servers move, each with sizes of its own by the dice. */
export const KINDS: Readonly<Record<string, (dice: Dice) => Walk>> = {
  steady(dice) {
    const [level, noise] = [dice.between(5, 60), dice.between(0.5, 4)];
    return () => level + noise * dice.normal();
  },
  daily(dice) {
    const [low, high, noise] = [dice.between(5, 15), dice.between(20, 60), dice.between(1, 6)];
    return (t) => low + high * rhythm(t) + noise * dice.normal();
  },
  "working week"(dice) {
    const [low, high, noise] = [dice.between(2, 10), dice.between(20, 70), dice.between(0.05, 0.25)];
    return (t) => (low + (isWeekend(t) ? 0.2 : 1) * high * rhythm(t)) * Math.exp(noise * dice.normal());
  },
  "heavy tails"(dice) {
    const [level, noise] = [dice.between(20, 200), dice.between(2, 8)];
    return () => Math.max(0, level + noise * dice.heavy(2));
  },
  "heavy traffic"(dice) {
    const [level, noise] = [dice.between(1e4, 1e6), dice.between(0.6, 1.3)];
    let burst = 0;
    return (t) => {
      burst = 0.8 * burst + 0.6 * dice.normal();
      return level * (0.3 + rhythm(t)) * Math.exp(noise * burst);
    };
  },
  "few events"(dice) {
    const mean = dice.between(0.02, 3);
    return (t) => dice.count(mean * (0.4 + rhythm(t)));
  },
  "now and then"(dice) {
    const [chance, size] = [dice.between(0.001, 0.006), dice.between(10, 200)];
    let left = 0;
    let height = 0;
    return () => {
      if (left === 0 && dice.uniform() < chance) {
        left = Math.ceil(dice.between(2, 18));
        height = size * Math.exp(0.7 * dice.normal());
      }
      left = Math.max(0, left - 1);
      return left > 0 ? height * dice.between(0.8, 1.2) : dice.between(0, 1);
    };
  },
  "changes that stay"(dice) {
    let level = dice.between(20, 40);
    const noise = dice.between(0.5, 2);
    return (_, __, shift) => {
      if (dice.uniform() < 1 / (12 * 24 * 12)) {
        level = dice.between(15, 80);
        shift();
      }
      return level + noise * dice.normal();
    };
  },
  wandering(dice) {
    const [level, noise, pull] = [dice.between(30, 60), dice.between(0.1, 0.6), dice.between(0.001, 0.006)];
    let off = 0;
    return () => {
      off = off * (1 - pull) + noise * dice.normal();
      return Math.max(0, level + off);
    };
  },
  growing(dice) {
    const [level, slope, noise] = [dice.between(20, 40), dice.between(2e-4, 2e-3), dice.between(0.2, 1)];
    return (_, step) => level + slope * step + noise * dice.normal();
  },
  "filled and emptied"(dice) {
    const [low, slope] = [dice.between(20, 40), dice.between(0.02, 0.2)];
    let value = low;
    let top = low + dice.between(10, 40);
    return () => {
      value += slope * (1 + 0.3 * dice.normal());
      if (value > top) [value, top] = [low, low + dice.between(10, 40)];
      return value;
    };
  },
  "nightly job"(dice) {
    const [level, height, noise] = [dice.between(3, 10), dice.between(30, 80), dice.between(0.5, 2)];
    let [begins, lasts] = [2, 1];
    return (t, step) => {
      if (step % (DAY_MS / STEP_MS) === 0) [begins, lasts] = [2 + dice.between(-0.3, 0.3), dice.between(0.5, 2.5)];
      const isOn = hourOf(t) >= begins && hourOf(t) < begins + lasts;
      return level + (isOn ? height * dice.between(0.8, 1.1) : 0) + Math.abs(noise * dice.normal());
    };
  },
  "on and off"(dice) {
    const [low, high] = [dice.between(1, 5), dice.between(40, 95)];
    const [toOn, toOff] = [1 / dice.between(30, 200), 1 / dice.between(10, 60)];
    let isOn = false;
    return () => {
      if (dice.uniform() < (isOn ? toOff : toOn)) isOn = !isOn;
      return (isOn ? high : low) + dice.normal();
    };
  },
};

/** Takes out stretches of hours, as a server that is switched off does. */
function withGaps(points: Labelled["points"], dice: Dice): Labelled["points"] {
  const gaps = Array.from({ length: 4 }, () => {
    const from = START + dice.between(0, WEEKS * 7) * DAY_MS;
    return [from, from + dice.between(1, 30) * HOUR_MS] as const;
  });
  return points.filter(({ t }) => !gaps.some(([from, to]) => t >= from && t < to));
}

/** Spread of the hourly means of a series about their median, without its wildest. */
function sizeOf(values: readonly number[]): { middle: number; far: number } {
  const means: number[] = [];
  for (let index = 0; index + 12 <= values.length; index += 12) {
    means.push(values.slice(index, index + 12).reduce((sum, value) => sum + value, 0) / 12);
  }
  means.sort((a, b) => a - b);
  const at = (share: number): number => means[Math.floor(share * (means.length - 1))] ?? 0;
  return { middle: at(0.5), far: Math.max(at(0.998) - at(0.5), at(0.5) - at(0.002), 1e-3) };
}

/**
 * A made-up series of seven weeks with two stretches of a few hours in the last four in which it leaves everything that was
 * usual for it, and every third one with gaps. `seed` decides all.
 */
export function makeSeries(kind: string, seed: number): Labelled {
  const dice = createDice(seed * 7919 + kind.length * 104_729 + kind.charCodeAt(0));
  const walk = KINDS[kind]?.(dice);
  if (!walk) throw new Error(`there is no kind ${kind}`);
  const windows: [number, number][] = [];
  const points: Labelled["points"] = [];
  for (let step = 0; step < (WEEKS * 7 * DAY_MS) / STEP_MS; step++) {
    const t = START + step * STEP_MS;
    const value = walk(t, step, () => void windows.push([t, t + NEWS_MS]));
    points.push({ t, value });
  }
  const { far } = sizeOf(points.map(({ value }) => value));
  for (const week of [4, 6]) {
    const from = START + (week * 7 + dice.between(0.5, 5.5)) * DAY_MS;
    const to = from + dice.between(2, 6) * HOUR_MS;
    const by = far * dice.between(1.5, 4);
    for (const point of points) if (point.t >= from && point.t < to) point.value += by;
    windows.push([from, to + HOUR_MS]);
  }
  return {
    name: `${kind} ${seed}`,
    stepMs: STEP_MS,
    points: seed % 3 === 0 ? withGaps(points, dice) : points,
    windows,
  };
}
