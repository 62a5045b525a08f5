import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeDatabase, openDatabase } from "../../src/kernel/db/open.ts";
import { days, minutes } from "../../src/lib/duration.ts";
import { createSeriesBook } from "../../src/node/monitoring/metrics/series/book.ts";
import { FIGURES, KINDS, kindOf } from "../../src/node/monitoring/metrics/series/columns.ts";
import type { Values } from "../../src/node/monitoring/metrics/series/fold.ts";
import { prune, rollUp } from "../../src/node/monitoring/metrics/series/rollup.ts";
import { migrateMetrics } from "../../src/node/open-series.ts";
import { createFakeClock } from "../kit/fake-clock.ts";
import type { Measure } from "./bench.ts";
import { entitiesOf, likelyFigures } from "./seed-series.ts";

const APPS = Array.from({ length: 20 }, (_, index) => `app_${String(index).padStart(26, "0")}`);
const YEAR_DAYS = 366;
/** So many days at the end have every minute; before, two an hour are enough: none of those minutes is left in the end. */
const WHOLE_DAYS = 31;

/** A year of the host and its apps through the real recorder, roll-up and pruning, on a clock that runs fast. */
async function live(path: string): Promise<void> {
  const clock = createFakeClock(Date.UTC(2025, 0, 1));
  const db = openDatabase(path, "normal");
  db.run("PRAGMA synchronous = OFF");
  migrateMetrics(db, "2025-01-01T00:00:00.000Z");
  const { recorder } = createSeriesBook(db, clock, () => {});
  const entities = entitiesOf(APPS).flatMap((name) => {
    const kind = kindOf(name);
    return kind ? [{ name, kind }] : [];
  });
  for (let minute = 0; minute < YEAR_DAYS * 1440; minute++) {
    await clock.advance(minutes(1));
    if (minute < (YEAR_DAYS - WHOLE_DAYS) * 1440 && minute % 30 !== 0) continue;
    const t = clock.now();
    recorder.add(
      new Map(entities.map(({ name, kind }, place): [string, Values] => [name, likelyFigures(kind, place, t)])),
    );
    if (minute % 60 !== 0) continue;
    for (const slices of [rollUp(db, clock), prune(db, clock)]) for (const _ of slices);
  }
  closeDatabase(db);
}

/** Stored values of all tiers: averages, maxima and counts. */
function countValues(path: string): { values: number; rows: number; days: number } {
  const db = openDatabase(path, "normal");
  let values = 0;
  let rows = 0;
  for (const tier of ["m1", "h1", "d1"]) {
    for (const kind of KINDS) {
      const { count } = db.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${tier}_${kind}`).get() ?? {
        count: 0,
      };
      rows += count;
      values += count * Object.keys(FIGURES[kind]).length * 2;
    }
  }
  const { days: kept } = db.query<{ days: number }, []>("SELECT count(*) AS days FROM d1_host").get() ?? { days: 0 };
  db.close();
  return { values, rows, days: kept };
}

/** The size of a year of history. */
export const year: Measure = {
  name: "year",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "orrery-bench-year-"));
    try {
      const path = join(folder, "metrics.db");
      const begun = performance.now();
      await live(path);
      const bytes = statSync(path).size;
      const { values, rows, days: kept } = countValues(path);
      const note = `${rows} rows with ${values} values, ${kept} days, ${((performance.now() - begun) / 1000).toFixed(0)} s to simulate`;
      return [
        {
          measure: `a year of the host and ${APPS.length} containers`,
          value: bytes / 1e6,
          unit: "MB",
          limit: { kind: "most", value: 10 },
          baseline: null,
          note,
        },
        {
          measure: "a stored value",
          value: bytes / values,
          unit: "bytes",
          limit: { kind: "most", value: 12 },
          baseline: null,
          note: `keys, counts and free pages included; ${days(1) / minutes(1)} minutes, 720 hours, 365 days`,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
