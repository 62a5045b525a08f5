import type { SqlDb } from "../../../kernel/sql/port.ts";

/** One more than the hours that are kept whole, for the one that runs. */
export const SLOTS = 8;

const FIGURES = ["cpu", "memory", "disk", "net_in", "net_out"] as const;
const SPREADS = FIGURES.flatMap((name) => [`${name}_min`, `${name}_avg`, `${name}_max`]);

/** The figures in the order of their columns. */
export const FIGURE_COLUMNS: readonly string[] = FIGURES;
export const SPREAD_COLUMNS: readonly string[] = SPREADS;

/**
 * The tables. `raw_0` to `raw_7` hold an hour each, in turn, and are emptied whole: their names stay the same, and so do
 * the statements that are kept prepared. `raw_hours` says which hour a table holds and whether it was rolled up. When the
 * clock goes back to an hour whose table was emptied (`claimed_hours`), what was rolled up of it before is in `roll_base`.
 * `open_days` are those with hours that their day does not hold yet; `round` rises with each.
 */
export function schema(engine: SqlDb["engine"]): string {
  // Rows lie in the order of the key; PostgreSQL has nothing like it.
  const options = engine === "sqlite" ? ", WITHOUT ROWID" : "";
  const table = (name: string, columns: readonly string[]) =>
    `CREATE TABLE IF NOT EXISTS ${name} (${columns.join(", ")})${engine === "sqlite" ? ` STRICT${options}` : ""};`;
  const figures = (names: readonly string[]) => names.map((name) => `${name} INTEGER`);
  const key = ["no INTEGER NOT NULL", "at INTEGER NOT NULL"];
  const raw = Array.from({ length: SLOTS }, (_, slot) =>
    table(`raw_${slot}`, [...key, ...figures(FIGURES), "PRIMARY KEY (no, at)"]),
  );
  const rolled = ["roll_h", "roll_base", "roll_d"].map((name) =>
    table(name, [...key, "n INTEGER NOT NULL", ...figures(SPREADS), "PRIMARY KEY (no, at)"]),
  );
  return [
    ...raw,
    ...rolled,
    table("raw_hours", ["slot INTEGER PRIMARY KEY", "hour INTEGER NOT NULL", "rolled INTEGER NOT NULL"]),
    table("claimed_hours", ["hour INTEGER PRIMARY KEY"]),
    table("open_days", ["day INTEGER PRIMARY KEY", "round INTEGER NOT NULL"]),
  ].join("\n");
}
