import type { SqlValue } from "../../kernel/sql/port.ts";
import type { SystemTx } from "./tenant-db.ts";

/** What `count(*) AS count` of a statement gives. */
export async function countRows(tx: SystemTx, sql: string, values: readonly SqlValue[] = []): Promise<number> {
  return (await tx.get<{ count: number }>(sql, values))?.count ?? 0;
}
