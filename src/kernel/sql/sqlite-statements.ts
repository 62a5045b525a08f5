import type { Database, Statement } from "bun:sqlite";

/** The runtime itself keeps twenty, which a program with hundreds of texts goes through in a moment. */
const MOST = 300;

/** The prepared statement of a text. */
export type Statements = (sql: string) => Statement;

/** Keeps the statements of a connection that were used last, `most` of them: preparing one costs many times what a small one takes. */
export function createStatements(db: Pick<Database, "prepare">, most = MOST): Statements {
  const kept = new Map<string, Statement>();
  return (sql) => {
    const known = kept.get(sql);
    if (known) kept.delete(sql);
    const statement = known ?? db.prepare(keepPlan(sql));
    kept.set(sql, statement);
    const [oldest] = kept.size > most ? kept : [];
    if (oldest) {
      kept.delete(oldest[0]);
      oldest[1].finalize();
    }
    return statement;
  };
}

/**
 * SQLite looks at the values of bare `?` when it plans joins, and plans them anew at every run, since those may be others. It does not
 * look behind a sign, which changes nothing else.
 */
function keepPlan(sql: string): string {
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\?/g, (part) => (part === "?" ? "+?" : part));
}
