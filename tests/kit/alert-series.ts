import type { NoticeKind } from "../../src/node/monitoring/alert-channels/contract.ts";
import { dueNotice, type Telling } from "../../src/node/monitoring/alerting/events/due-notice.ts";
import { createMinutes, MINUTE_MS, readSample } from "../../src/node/monitoring/alerting/judge/minutes.ts";
import { type AlertState, type Condition, freshState, step } from "../../src/node/monitoring/alerting/judge/step.ts";

/** A made-up history: what one entity measured, and what happened meanwhile. Minutes count from 0. */
export interface Story {
  /** One value a minute, null without data. */
  values: (number | null)[];
  condition: Condition;
  cooldownMs: number;
  /** Minutes before which the program was stopped and started again. */
  restarts: ReadonlySet<number>;
  /** From and to (exclusive) minute: nobody is told. */
  maintenance: readonly [number, number][];
  /** From and to (exclusive) minute by channel: it answers with errors. */
  outages: readonly (readonly [number, number][])[];
}

interface Message {
  event: number;
  kind: NoticeKind;
}

/** What a story led to. */
export interface Outcome {
  /** Minutes in which an episode began and ended (null: it goes on). */
  episodes: { start: number; end: number | null; told: boolean; resolveTold: boolean }[];
  /** What each channel got, in order. */
  channels: Message[][];
  /** Messages that went out while a window was on. */
  inMaintenance: number;
  state: AlertState;
}

const BASE = 1_700_000_040_000 - (1_700_000_040_000 % MINUTE_MS);
const isIn = (spans: readonly (readonly [number, number])[], minute: number): boolean =>
  spans.some(([from, to]) => minute >= from && minute < to);

/** What a restart keeps: only what JSON can carry. */
const throughDisk = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** Lives a story with the real state machine, the real rules of telling and a queue for each channel. */
export function live(story: Story): Outcome {
  const { condition } = story;
  const from = BASE;
  const minutes = createMinutes(
    story.values.map((value, index) => ({ t: from + index * MINUTE_MS, n: 6, value })),
    from,
    from + story.values.length * MINUTE_MS,
  );
  let state = freshState(from);
  let events: (Telling & { id: number; start: number; end: number | null })[] = [];
  let lastFire: number | null = null;
  let queues: Message[][] = story.outages.map(() => []);
  const channels: Message[][] = story.outages.map(() => []);
  let inMaintenance = 0;
  const options = { spanMs: condition.for_ms, knownFrom: from, settling: false };

  for (let minute = 0; minute < story.values.length; minute++) {
    const now = from + (minute + 1) * MINUTE_MS;
    if (story.restarts.has(minute)) [state, events, queues] = throughDisk([state, events, queues] as const);
    const held = isIn(story.maintenance, minute);
    const sample = readSample(minutes, "value", now, condition, options);
    const result = step(state, sample, condition, now);
    // The same minute again, as after a crash before the commit, changes nothing more.
    if (step(result.state, sample, condition, now).effects.length > 0) throw new Error("a minute counted twice");
    state = result.state;
    for (const effect of result.effects) {
      const open = events.findLast(({ resolved_at }) => resolved_at === null);
      if (effect.type === "open") {
        if (open) throw new Error("two open episodes");
        events.push({
          id: events.length,
          start: minute,
          end: null,
          resolved_at: null,
          flapping: false,
          fire_told_at: null,
          told_at: null,
          flap_told_at: null,
          resolve_told_at: null,
          acknowledged: false,
          last_fire_told_at: lastFire,
          cooldown_ms: story.cooldownMs,
          repeat_ms: 0,
          silenced_until: null,
          held,
        });
      } else if (!open) throw new Error("an end without a beginning");
      else if (effect.type === "resolve") Object.assign(open, { resolved_at: now, flapping: false, end: minute });
      else Object.assign(open, { flapping: effect.type === "flap", flap_told_at: null });
    }
    for (const event of events) {
      if (event.resolve_told_at !== null || (event.resolved_at !== null && event.fire_told_at === null)) continue;
      const kind = dueNotice({ ...event, held, last_fire_told_at: lastFire }, now);
      if (kind === null) continue;
      if (held) inMaintenance += 1;
      for (const queue of queues) queue.push({ event: event.id, kind });
      event.told_at = now;
      if (kind === "resolved") event.resolve_told_at = now;
      else {
        if (event.fire_told_at === null) lastFire = now;
        event.fire_told_at ??= now;
      }
      if (kind === "flapping") event.flap_told_at = now;
    }
    for (const [index, outages] of story.outages.entries()) {
      if (!isIn(outages, minute)) channels[index]?.push(...(queues[index]?.splice(0) ?? []));
    }
  }
  for (const [index, queue] of queues.entries()) channels[index]?.push(...queue.splice(0));
  return {
    episodes: events.map(({ start, end, fire_told_at, resolve_told_at }) => ({
      start,
      end,
      told: fire_told_at !== null,
      resolveTold: resolve_told_at !== null,
    })),
    channels,
    inMaintenance,
    state,
  };
}

/** What is wrong with an outcome; empty when each episode was told once and once over on every channel. */
export function faultsOf(story: Story, outcome: Outcome): string[] {
  const faults: string[] = [];
  if (outcome.inMaintenance > 0) faults.push(`${outcome.inMaintenance} messages inside maintenance`);
  const last = story.values.length - 1;
  const endsHeld = isIn(story.maintenance, last);
  for (const [id, episode] of outcome.episodes.entries()) {
    const free = (until: number): boolean => {
      for (let minute = episode.start; minute < until; minute++) if (!isIn(story.maintenance, minute)) return true;
      return false;
    };
    if (story.cooldownMs === 0 && free(episode.end ?? last + 1) !== episode.told)
      faults.push(`episode ${id}: not told`);
    const isOver = episode.end !== null && episode.told;
    if (isOver !== episode.resolveTold && !(isOver && endsHeld)) faults.push(`episode ${id}: end not told`);
    for (const [index, messages] of outcome.channels.entries()) {
      const own = messages.filter(({ event }) => event === id).map(({ kind }) => kind);
      const fires = own.filter((kind, at) => kind === "fired" || (kind === "flapping" && at === 0)).length;
      const ends = own.filter((kind) => kind === "resolved").length;
      if (fires !== (episode.told ? 1 : 0)) faults.push(`episode ${id} channel ${index}: ${fires} fires`);
      if (ends !== (episode.resolveTold ? 1 : 0)) faults.push(`episode ${id} channel ${index}: ${ends} resolves`);
      if (ends > 0 && own.at(-1) !== "resolved") faults.push(`episode ${id} channel ${index}: ${own.join(" ")}`);
    }
  }
  return faults;
}

/** When the condition begins and ends by the plain words of the rule, worked out slowly; without flapping. */
export function slowTurns({
  values,
  condition: { op, threshold, clear_threshold, for_ms, clear_for_ms },
}: Story): number[] {
  const past = (value: number, limit: number): boolean =>
    ({ ">": value > limit, ">=": value >= limit, "<": value < limit, "<=": value <= limit })[op];
  const turns: number[] = [];
  let firing = false;
  let clearFrom: number | null = null;
  let countedFrom = Number.NEGATIVE_INFINITY;
  for (const [minute, value] of values.entries()) {
    if (value === null) continue;
    const window = (ms: number): (number | null)[] => {
      const length = Math.max(1, ms / MINUTE_MS);
      return Array.from({ length }, (_, back) => values[minute - back] ?? null);
    };
    const known = (list: (number | null)[]): number[] => list.filter((one) => one !== null);
    if (!firing) {
      const seen = known(window(for_ms));
      const mean = seen.reduce((sum, one) => sum + one, 0) / seen.length;
      const isLong =
        for_ms === 0 || (minute - countedFrom >= for_ms / MINUTE_MS && seen.length >= 0.8 * (for_ms / MINUTE_MS));
      if (!(past(value, threshold) && isLong && past(for_ms === 0 ? value : mean, threshold))) continue;
      firing = true;
      clearFrom = null;
      turns.push(minute);
    } else if (past(value, clear_threshold)) clearFrom = null;
    else {
      const since: number = clearFrom ?? minute;
      clearFrom = since;
      const enough = known(window(clear_for_ms)).length >= 0.8 * Math.max(1, clear_for_ms / MINUTE_MS);
      if (clear_for_ms > 0 && !(minute - since + 1 >= clear_for_ms / MINUTE_MS && enough)) continue;
      firing = false;
      countedFrom = minute;
      turns.push(minute);
    }
  }
  return turns;
}

/** A story from a stream of random numbers in [0, 1). */
export function randomStory(random: () => number): Story {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const length = 60 + Math.floor(random() * 240);
  const spans = (count: number, longest: number): [number, number][] =>
    Array.from({ length: Math.floor(random() * (count + 1)) }, () => {
      const from = Math.floor(random() * length);
      return [from, from + 1 + Math.floor(random() * longest)];
    });
  const rises = random() < 0.7;
  const threshold = 50;
  const values: (number | null)[] = [];
  const stay = pick([0.5, 0.8, 0.93, 0.98]);
  const gaps = pick([0, 0.02, 0.1]);
  const noise = pick([2, 10, 40]);
  let level = 30;
  for (let minute = 0; minute < length; minute++) {
    if (random() > stay) level = random() * 100;
    values.push(random() < gaps ? null : Math.round(level + (random() - 0.5) * noise) + 0);
  }
  const restarts = new Set<number>();
  for (let minute = 0; minute < length; minute++) if (random() < 0.05) restarts.add(minute);
  return {
    values,
    condition: {
      op: rises ? pick([">", ">="] as const) : pick(["<", "<="] as const),
      threshold,
      clear_threshold: threshold + (rises ? -1 : 1) * pick([0, 5, 20]),
      for_ms: pick([0, 1, 3, 5, 15]) * MINUTE_MS,
      clear_for_ms: pick([0, 1, 2, 10]) * MINUTE_MS,
    },
    cooldownMs: pick([0, 0, 300_000, 3_600_000]),
    restarts,
    maintenance: random() < 0.4 ? spans(2, 60) : [],
    outages: [[], spans(3, 40), spans(1, 200)],
  };
}
