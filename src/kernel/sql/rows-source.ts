import type { SqlDb, SqlValue } from "./port.ts";

/** Many rows as values of one statement, whatever their number. */
export interface RowsSource {
  /** A SELECT of the rows, for `INSERT INTO … SELECT` or `FROM (…) AS rows`; made once, not per call. */
  readonly sql: string;
  /** What the statement gets for it, in the place where its text stands. */
  bind(rows: readonly (readonly (string | number | null)[])[]): SqlValue[];
}

export type RowsColumn = readonly [name: string, type: "text" | "integer" | "real"];

/** Rows of the given columns, as the engine takes them fastest: JSON on SQLite, one array a column on PostgreSQL. */
export function rowsSource(engine: SqlDb["engine"], columns: readonly RowsColumn[]): RowsSource {
  return engine === "sqlite" ? fromJson(columns) : fromArrays(columns);
}

function fromJson(columns: readonly RowsColumn[]): RowsSource {
  const fields = columns.map(([name], index) => `value ->> ${index} AS ${name}`);
  return {
    // Without a limit SQLite may read the JSON anew for every row of a table that it is joined with. It also keeps a following ON CONFLICT
    // from being read as part of a join.
    sql: `SELECT ${fields.join(", ")} FROM json_each(?) LIMIT -1`,
    bind: (rows) => [JSON.stringify(rows)],
  };
}

const ARRAY_OF = { text: "text", integer: "bigint", real: "double precision" } as const;

function fromArrays(columns: readonly RowsColumn[]): RowsSource {
  const arrays = columns.map(([, type]) => `CAST(? AS text)::${ARRAY_OF[type]}[]`);
  const names = columns.map(([name]) => name).join(", ");
  return {
    sql: `SELECT ${names} FROM unnest(${arrays.join(", ")}) AS given (${names}) WHERE 1 = 1`,
    bind: (rows) => columns.map((_, index) => `{${rows.map((row) => element(row[index] ?? null)).join(",")}}`),
  };
}

/** A value inside the text of an array. */
function element(value: string | number | null): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `"${value.replace(/["\\]/g, "\\$&")}"`;
}
