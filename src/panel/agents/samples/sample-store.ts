import type { SqlDb } from "../../../kernel/sql/port.ts";
import { rowsSource } from "../../../kernel/sql/rows-source.ts";
import { days, hours } from "../../../lib/duration.ts";
import { createGate } from "../../../lib/gate.ts";
import { secureTenantTables } from "../../data/row-security.ts";
import type { MinutePoint, RolledPoint, SamplePoint, Spread } from "./port.ts";
import type { SampleRow } from "./queue.ts";
import { FIGURE_COLUMNS, SLOTS, SPREAD_COLUMNS, schema } from "./schema.ts";

const HOUR = hours(1);
const DAY = days(1);
const SCALE = 100;

/** What a raw table holds. */
interface RawHour {
  /** Hours since 1970. */
  hour: number;
  isRolled: boolean;
  /** Another number after each write. */
  writes: number;
}

/** A day with hours that it does not hold yet. */
export interface OpenDay {
  /** Days since 1970. */
  day: number;
  round: number;
}

type Row = Record<string, number | null>;

const slotOf = (hour: number): number => hour % SLOTS;
const figures = FIGURE_COLUMNS.join(", ");
const spreads = SPREAD_COLUMNS.join(", ");
const update = ["n", ...SPREAD_COLUMNS].map((name) => `${name} = excluded.${name}`).join(", ");
const fromRaw = FIGURE_COLUMNS.map(
  (name) => `min(${name}) AS ${name}_min, avg(${name}) AS ${name}_avg, max(${name}) AS ${name}_max`,
).join(", ");
const fromParts = FIGURE_COLUMNS.map(
  (name) =>
    `min(${name}_min), round(sum(${name}_avg * n) * 1.0 / sum(CASE WHEN ${name}_avg IS NULL THEN NULL ELSE n END)), max(${name}_max)`,
).join(", ");

const TEXTS = Array.from({ length: SLOTS }, (_, slot) => ({
  read: `SELECT at, ${figures} FROM raw_${slot} WHERE no = ? AND at >= ? AND at < ? ORDER BY at`,
  minutes: `SELECT no, at / 60000 AS minute, CAST(avg(cpu) AS REAL) AS cpu, CAST(avg(memory) AS REAL) AS memory,
    CAST(avg(disk) AS REAL) AS disk, CAST(avg(net_in) AS REAL) AS net_in
    FROM raw_${slot} WHERE no >= ? AND no < ? AND at >= ? GROUP BY no, at / 60000 ORDER BY no, minute`,
  // Each alone is the end of an index; together they would be a scan.
  bounds: `SELECT (SELECT min(no) FROM raw_${slot}) AS low, (SELECT max(no) FROM raw_${slot}) AS high`,
  roll: `INSERT INTO roll_h (no, at, n, ${spreads})
    SELECT no, CAST(? AS BIGINT), sum(n), ${fromParts} FROM (
      SELECT no, count(*) AS n, ${fromRaw} FROM raw_${slot} WHERE no >= ? AND no < ? AND at >= ? AND at < ? GROUP BY no
      UNION ALL SELECT no, n, ${spreads} FROM roll_base WHERE no >= ? AND no < ? AND at = ?
    ) AS parts GROUP BY no
    ON CONFLICT (no, at) DO UPDATE SET ${update}`,
  // Without a condition SQLite drops the pages whole.
  empty: { sqlite: `DELETE FROM raw_${slot}`, postgres: `TRUNCATE raw_${slot}` },
}));

const ROLL_DAY = `INSERT INTO roll_d (no, at, n, ${spreads})
  SELECT no, CAST(? AS BIGINT), sum(n), ${fromParts} FROM roll_h WHERE no >= ? AND no < ? AND at >= ? AND at < ? GROUP BY no
  ON CONFLICT (no, at) DO UPDATE SET ${update}`;

const KEEP_BASE = `INSERT INTO roll_base (no, at, n, ${spreads}) SELECT no, at, n, ${spreads} FROM roll_h
  WHERE no >= ? AND no < ? AND at = ? ON CONFLICT (no, at) DO UPDATE SET ${update}`;

/** The tables of samples in a database, made when they are missing. */
export async function openSampleTables(bare: SqlDb) {
  const db = bare.scoped({ "app.system": "on" });
  await db.tx(async (tx) => {
    await tx.script(schema(db.engine));
    await secureTenantTables(db.engine, tx);
  });
  const source = rowsSource(db.engine, [
    ["no", "integer"],
    ["at", "integer"],
    ...FIGURE_COLUMNS.map((name) => [name, "integer"] as const),
  ]);
  const inserts = TEXTS.map(
    (_, slot) => `INSERT INTO raw_${slot} (no, at, ${figures}) ${source.sql} ON CONFLICT (no, at) DO NOTHING`,
  );
  const held = new Map<number, RawHour>();
  const marking = createGate(1);
  let writes = 0;
  const rows = await db.all<{ slot: number; hour: number; rolled: number }>("SELECT slot, hour, rolled FROM raw_hours");
  for (const { slot, hour, rolled } of rows) held.set(slot, { hour, isRolled: rolled === 1, writes });

  /** The table that holds an hour; null when it holds another one. */
  function rawOf(hour: number): RawHour | null {
    const raw = held.get(slotOf(hour));
    return raw?.hour === hour ? raw : null;
  }

  return {
    /** Runs what rolls up or claims hours, one after another: a table never changes hands, nor an hour its author, halfway. */
    alone: createGate(1),
    /** Whether the hour's table holds that hour. */
    isHeld: (hour: number): boolean => rawOf(hour) !== null,
    /** Whether the hour's table ever held it. */
    wasHeld: async (hour: number): Promise<boolean> =>
      (await db.get("SELECT hour FROM claimed_hours WHERE hour = ?", [hour])) !== null,
    /** Keeps what is rolled up of an hour already: what comes now is added to that. */
    keepBase: (hour: number, low: number, high: number) => db.run(KEEP_BASE, [low, high, hour * HOUR]),
    /** Makes the hour's table hold that hour and nothing else. */
    async claim(hour: number): Promise<void> {
      const slot = slotOf(hour);
      const before = held.get(slot)?.hour ?? hour;
      await db.tx(async (tx) => {
        await tx.run(TEXTS[slot]?.empty[db.engine] ?? "");
        if (before !== hour) await tx.run("DELETE FROM roll_base WHERE at = ?", [before * HOUR]);
        await tx.run("INSERT INTO claimed_hours (hour) VALUES (?) ON CONFLICT (hour) DO NOTHING", [hour]);
        await tx.run(
          "INSERT INTO raw_hours (slot, hour, rolled) VALUES (?, ?, 0) ON CONFLICT (slot) DO UPDATE SET hour = excluded.hour, rolled = 0",
          [slot, hour],
        );
      });
      held.set(slot, { hour, isRolled: false, writes });
    },
    /** Writes samples of an hour whose table holds it. One that was rolled up will be again. */
    insert: (hour: number, samples: readonly SampleRow[]): Promise<void> =>
      marking(async () => {
        const raw = rawOf(hour);
        if (!raw) throw new Error(`no table holds the hour ${hour}`);
        raw.writes = ++writes;
        if (raw.isRolled) await db.run("UPDATE raw_hours SET rolled = 0 WHERE slot = ?", [slotOf(hour)]);
        raw.isRolled = false;
        await db.run(inserts[slotOf(hour)] ?? "", source.bind(samples));
      }),
    async range(no: number, from: number, to: number): Promise<SamplePoint[]> {
      const points: SamplePoint[] = [];
      const wanted = [...held].filter(([, { hour }]) => hour * HOUR < to && (hour + 1) * HOUR > from);
      for (const [slot] of wanted.sort(([, a], [, b]) => a.hour - b.hour)) {
        const found = await db.all<Row>(TEXTS[slot]?.read ?? "", [no, from, to]);
        for (const row of found) points.push(pointOf(row));
      }
      return points;
    },
    async minutes(low: number, high: number, from: number): Promise<MinutePoint[]> {
      const points: MinutePoint[] = [];
      const wanted = [...held].filter(([, { hour }]) => (hour + 1) * HOUR > from);
      for (const [slot] of wanted.sort(([, a], [, b]) => a.hour - b.hour)) {
        const found = await db.all<Row>(TEXTS[slot]?.minutes ?? "", [low, high, from]);
        for (const row of found) points.push(minuteOf(row));
      }
      return points;
    },
    async rolled(table: "roll_h" | "roll_d", no: number, from: number, to: number): Promise<RolledPoint[]> {
      const sql =
        table === "roll_h"
          ? `SELECT at, n, ${spreads} FROM roll_h WHERE no = ? AND at >= ? AND at < ? ORDER BY at`
          : `SELECT at, n, ${spreads} FROM roll_d WHERE no = ? AND at >= ? AND at < ? ORDER BY at`;
      return (await db.all<Row>(sql, [no, from, to])).map(rolledOf);
    },
    /** The hour that stands in the way of `hour` and is not rolled up yet. */
    unrolledIn(hour: number): number | null {
      const raw = held.get(slotOf(hour));
      return raw && raw.hour !== hour && !raw.isRolled ? raw.hour : null;
    },
    /** Hours before `hour` that are not rolled up yet, oldest first. */
    pending: (hour: number): number[] =>
      [...held.values()]
        .filter((raw) => raw.hour < hour && !raw.isRolled)
        .map((raw) => raw.hour)
        .sort((a, b) => a - b),
    /** Lowest and highest number of a node with samples in an hour; null without any. */
    async bounds(hour: number): Promise<{ low: number; high: number } | null> {
      const found = await db.get<{ low: number | null; high: number | null }>(TEXTS[slotOf(hour)]?.bounds ?? "");
      return found && found.low !== null && found.high !== null ? { low: found.low, high: found.high } : null;
    },
    /** What `markRolled` asks for, when no write is under way: one could be half seen. Null when no table holds the hour. */
    writes: (hour: number): Promise<number | null> => marking(async () => rawOf(hour)?.writes ?? null),
    /** Rolls up the nodes from `low` up to but without `high`; any number of times. */
    rollHour: (hour: number, low: number, high: number) =>
      db.run(TEXTS[slotOf(hour)]?.roll ?? "", [
        ...[hour * HOUR, low, high, hour * HOUR, (hour + 1) * HOUR],
        ...[low, high, hour * HOUR],
      ]),
    /** Notes that an hour is rolled up, unless it was written to since `writes` told so. */
    markRolled: (hour: number, known: number): Promise<void> =>
      marking(async () => {
        const raw = rawOf(hour);
        if (raw?.writes !== known) return;
        raw.isRolled = true;
        await db.run("UPDATE raw_hours SET rolled = 1 WHERE slot = ? AND hour = ?", [slotOf(hour), hour]);
      }),
    /** Notes that an hour of a day has changed. */
    openDay: (day: number) =>
      db.run(
        "INSERT INTO open_days (day, round) VALUES (?, 0) ON CONFLICT (day) DO UPDATE SET round = open_days.round + 1",
        [day],
      ),
    /** Days before `day` that do not hold all their hours; oldest first. */
    openDays: (day: number): Promise<OpenDay[]> =>
      db.all("SELECT day, round FROM open_days WHERE day < ? ORDER BY day", [day]),
    rollDay: (day: number, low: number, high: number) =>
      db.run(ROLL_DAY, [day * DAY, low, high, day * DAY, (day + 1) * DAY]),
    /** Notes that a day holds its hours, unless one of them changed meanwhile. */
    closeDay: ({ day, round }: OpenDay) => db.run("DELETE FROM open_days WHERE day = ? AND round = ?", [day, round]),
    /** Forgets hours and days before the given times (milliseconds) of some nodes. */
    async forget(low: number, high: number, hoursBefore: number, daysBefore: number): Promise<void> {
      await db.run("DELETE FROM roll_h WHERE no >= ? AND no < ? AND at < ?", [low, high, hoursBefore]);
      await db.run("DELETE FROM roll_d WHERE no >= ? AND no < ? AND at < ?", [low, high, daysBefore]);
    },
    /** Forgets which hours before one were held. */
    forgetHeld: (hour: number) => db.run("DELETE FROM claimed_hours WHERE hour < ?", [hour]),
    /** The highest number of a node with hours. */
    async highest(): Promise<number> {
      const found = await db.get<{ no: number | null }>("SELECT max(no) AS no FROM roll_h");
      return found?.no ?? -1;
    },
  };
}

export type SampleTables = Awaited<ReturnType<typeof openSampleTables>>;

const value = (row: Row, name: string): number | null => {
  const stored = row[name] ?? null;
  return stored === null || name.startsWith("net") ? stored : stored / SCALE;
};

const pointOf = (row: Row): SamplePoint => ({
  t: row["at"] ?? 0,
  cpu: value(row, "cpu"),
  memory: value(row, "memory"),
  disk: value(row, "disk"),
  net_in: value(row, "net_in"),
  net_out: value(row, "net_out"),
});

const minuteOf = (row: Row): MinutePoint => ({
  no: row["no"] ?? 0,
  minute: row["minute"] ?? 0,
  cpu: value(row, "cpu"),
  memory: value(row, "memory"),
  disk: value(row, "disk"),
  net_in: value(row, "net_in"),
});

const spreadOf = (row: Row, name: string): Spread => ({
  min: value(row, `${name}_min`),
  avg: value(row, `${name}_avg`),
  max: value(row, `${name}_max`),
});

const rolledOf = (row: Row): RolledPoint => ({
  t: row["at"] ?? 0,
  n: row["n"] ?? 0,
  cpu: spreadOf(row, "cpu"),
  memory: spreadOf(row, "memory"),
  disk: spreadOf(row, "disk"),
  net_in: spreadOf(row, "net_in"),
  net_out: spreadOf(row, "net_out"),
});
