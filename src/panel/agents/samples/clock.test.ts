import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { runs } from "../../../../tests/kit/runs.ts";
import { freshDatabases, onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import type { SqlDb } from "../../../kernel/sql/port.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import { createSamples } from "./index.ts";

const NODES = 3;
const START = Date.UTC(2026, 0, 20);
/** Hours live 31 days; nothing of these walks may be that old. */
const FARTHEST = days(10);
const END = START + days(12);

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("sample" as const), no: fc.nat(NODES - 1), cpu: fc.nat(100) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("pass" as const), minutes: fc.integer({ min: 1, max: 90 }) }) },
  // Eight hours apart are those that need the same table.
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("set" as const),
      hours: fc.oneof(fc.constantFrom(-24, -16, -8, 8, 16, 24, 48), fc.integer({ min: -30, max: 30 })),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("house" as const), isRace: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ do: "flush" as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("break" as const), after: fc.nat(12), isCrash: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Steps after which several hours, of which two need the same table, and a day are rolled up and written to at once. */
const knot = fc
  .record({
    nodes: fc.tuple(fc.nat(NODES - 1), fc.nat(NODES - 1), fc.nat(NODES - 1), fc.nat(NODES - 1)),
    isWritten: fc.boolean(),
    minutes: fc.integer({ min: 5, max: 65 }),
    away: fc.constantFrom(-16, -8, 8, 16, 24, 32),
    back: fc.constantFrom(-24, -8, 0, 1, 8, 24),
  })
  .map(({ nodes: [a, b, c, d], isWritten, minutes, away, back }): Step[] => [
    { do: "sample", no: a, cpu: 1 },
    { do: "flush" },
    { do: "pass", minutes },
    { do: "sample", no: b, cpu: 2 },
    ...(isWritten ? [{ do: "flush" } as const] : []),
    { do: "sample", no: c, cpu: 3 },
    { do: "set", hours: away },
    { do: "sample", no: d, cpu: 4 },
    { do: "set", hours: back },
    { do: "house", isRace: true },
  ]);

const walks = fc
  .array(fc.oneof({ weight: 12, arbitrary: step.map((each) => [each]) }, { weight: 1, arbitrary: knot }), {
    minLength: 10,
    maxLength: 40,
    size: "max",
  })
  .map((parts) => parts.flat());

/** Races that once went wrong. */
const EXAMPLES: [Step[], number[]][] = [
  // An hour is rolled up for its table while its day is: the day was closed without it.
  [
    [
      { do: "sample", no: 0, cpu: 0 },
      { do: "flush" },
      { do: "pass", minutes: 60 },
      { do: "sample", no: 0, cpu: 15 },
      { do: "set", hours: 24 },
      { do: "sample", no: 0, cpu: 18 },
      { do: "house", isRace: true },
    ],
    [1, 1, 0, 1],
  ],
  // The first samples of a node are being written while their hour is rolled up.
  [
    [
      { do: "sample", no: 0, cpu: 1 },
      { do: "flush" },
      { do: "pass", minutes: 60 },
      { do: "sample", no: 0, cpu: 2 },
      { do: "flush" },
      { do: "sample", no: 1, cpu: 3 },
      { do: "pass", minutes: 90 },
      { do: "house", isRace: true },
    ],
    [0, 0, 1, 1, 1, 1, 1],
  ],
];

interface Sums {
  n: number;
  min: number;
  max: number;
  sum: number;
}

/** A database that refuses everything after so many changes. */
function breakable(db: SqlDb) {
  let left = Number.POSITIVE_INFINITY;
  const spend = () => {
    left -= 1;
    if (left < 0) throw new Error("the disk is full");
  };
  const broken: SqlDb = {
    ...db,
    scoped: () => broken,
    run: async (sql, values) => {
      spend();
      return db.run(sql, values);
    },
    tx: async (fn) => {
      spend();
      return db.tx(fn);
    },
  };
  return {
    db: broken,
    breakAfter(changes: number): void {
      left = changes;
    },
  };
}

/**
 * A database that takes one of the statements that wait, by `turns`, so that a race goes the same way every time; without
 * any, the engine has its way.
 */
function inTurns(db: SqlDb, turns: readonly number[]): SqlDb {
  if (turns.length === 0) return db;
  const waiting: (() => Promise<unknown>)[] = [];
  let taken = 0;
  let isTaking = false;
  async function take(): Promise<void> {
    isTaking = true;
    while (waiting.length > 0) {
      // Whoever goes on after the last statement asks for the next one first.
      for (let tick = 0; tick < 30; tick++) await null;
      const [next] = waiting.splice((turns[taken++ % turns.length] ?? 0) % waiting.length, 1);
      await next?.();
    }
    isTaking = false;
  }
  const turn = <T>(work: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push(() => work().then(resolve, reject));
      if (!isTaking) void take();
    });
  const inTurn: SqlDb = {
    ...db,
    scoped: () => inTurn,
    all: (sql, values) => turn(() => db.all(sql, values)),
    get: (sql, values) => turn(() => db.get(sql, values)),
    run: (sql, values) => turn(() => db.run(sql, values)),
    tx: (fn) => turn(() => db.tx(fn)),
  };
  return inTurn;
}

/** What hours or days of all samples come to, by node and start. */
function sumUp(samples: readonly { no: number; at: number; cpu: number }[], span: number): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const { no, at, cpu } of samples) {
    const key = `${no} ${Math.floor(at / span) * span}`;
    const known = sums.get(key) ?? { n: 0, min: cpu, max: cpu, sum: 0 };
    const more = { min: Math.min(known.min, cpu), max: Math.max(known.max, cpu) };
    sums.set(key, { n: known.n + 1, ...more, sum: known.sum + cpu });
  }
  return sums;
}

onEachEngine("samples while the clock is set", (engine) => {
  const databases = freshDatabases(engine);

  async function walk(real: SqlDb, steps: readonly Step[], turns: readonly number[]): Promise<void> {
    for (const table of ["raw_hours", "claimed_hours", "open_days", "roll_h", "roll_d", "roll_base"])
      await real.run(`DELETE FROM ${table}`);
    const { db, breakAfter } = breakable(inTurns(real, turns));
    const clock = createFakeClock(START);
    const { log } = createTestLog();
    const open = () => createSamples({ samplesDb: db, clock, log });
    let store = open();
    const all: { no: number; at: number; cpu: number }[] = [];
    const keepHouse = async (isRace = false) => {
      await store.start();
      // What waits is written while hours are rolled up.
      if (isRace) await store.flush();
      await store.stop();
    };
    for (const each of steps) {
      if (each.do === "sample") {
        const { no, cpu } = each;
        // No two samples of one moment, also where a walk may not go farther.
        while (all.some(({ at }) => at === clock.now())) clock.jump(1);
        const sample = { no, at: clock.now(), cpu };
        all.push(sample);
        store.append({ ...sample, memory: 1, disk: 1, net_in: 1, net_out: Number.NaN });
      }
      if (each.do === "pass") clock.jump(minutes(each.minutes));
      if (each.do === "set") {
        const target = clock.now() + hours(each.hours);
        clock.jump(Math.min(Math.max(target, START - FARTHEST), START + FARTHEST) - clock.now());
      }
      if (each.do === "flush") await store.flush();
      if (each.do === "house") await keepHouse(each.isRace);
      if (each.do === "break") {
        // What a kill may cost is not the question here.
        if (each.isCrash) await store.flush();
        breakAfter(each.after);
        await keepHouse().catch(() => {});
        breakAfter(Number.POSITIVE_INFINITY);
        if (each.isCrash) store = open();
      }
    }
    await store.flush();
    clock.jump(END - clock.now());
    await keepHouse();
    for (const [span, read] of [
      [hours(1), store.hourly],
      [days(1), store.daily],
    ] as const) {
      const expected = sumUp(all, span);
      let found = 0;
      for (let no = 0; no < NODES; no++) {
        for (const { t, n, cpu } of await read(no, 0, END)) {
          const wanted = expected.get(`${no} ${t}`);
          expect({ n, min: cpu.min, max: cpu.max }).toEqual({
            n: wanted?.n ?? 0,
            min: wanted?.min ?? null,
            max: wanted?.max ?? null,
          });
          expect(Math.abs((cpu.avg ?? 0) - (wanted ? wanted.sum / wanted.n : 0))).toBeLessThan(0.06);
          found += 1;
        }
      }
      expect(found).toBe(expected.size);
    }
  }

  test("every sample is in its hour and its day once, whatever is set, stopped or refused", async () => {
    // Row security holds for whoever empties the tables too.
    const real = (await databases.open()).scoped({ "app.system": "on" });
    await createSamples({ samplesDb: real, clock: createFakeClock(START), log: createTestLog().log }).start();
    const numRuns = runs(engine === "sqlite" ? 40 : 5);
    await fc.assert(
      fc.asyncProperty(
        walks,
        fc.oneof(
          { weight: 1, arbitrary: fc.constant([]) },
          { weight: 3, arbitrary: fc.array(fc.nat(2), { maxLength: 40 }) },
        ),
        (steps, turns) => walk(real, steps, turns),
      ),
      { numRuns, examples: EXAMPLES },
    );
  });
});
