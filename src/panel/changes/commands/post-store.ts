import { rowsSource } from "../../../kernel/sql/rows-source.ts";
import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";
import type { CommandKey, OpenCommand } from "./queue-store.ts";

/** A command that is about to be sent. */
export interface PostedRow {
  id: string;
  node_id: string;
  type: string;
  payload: string;
  created_by: string;
  created_at: number;
  expires_at: number;
}

/** Makes the function that writes many commands at once, each with the next number of its kind; gives those of nodes that are there. */
export function postWriter(
  engine: SystemDb["engine"],
): (tx: SystemTx, tenantId: string, rows: readonly PostedRow[]) => Promise<OpenCommand[]> {
  const numbers = rowsSource(engine, [
    ["node_id", "text"],
    ["type", "text"],
  ]);
  const commands = rowsSource(engine, [
    ["id", "text"],
    ["node_id", "text"],
    ["type", "text"],
    ["payload", "text"],
    ["generation", "integer"],
    ["created_by", "text"],
    ["created_at", "integer"],
    ["expires_at", "integer"],
  ]);
  const numberSql = `INSERT INTO command_generations (tenant_id, node_id, type, last)
    SELECT n.tenant_id, n.id, given.type, CAST(? AS BIGINT) FROM (${numbers.sql}) AS given
    JOIN nodes n ON n.tenant_id = ? AND n.id = given.node_id AND n.deleted_at IS NULL WHERE 1 = 1
    ON CONFLICT (tenant_id, node_id, type) DO UPDATE SET last = CASE
      WHEN command_generations.last >= excluded.last THEN command_generations.last + 1 ELSE excluded.last END
    RETURNING node_id, last`;
  const commandSql = `INSERT INTO commands (tenant_id, id, node_id, type, payload, generation, status, created_by, created_at, expires_at)
    SELECT CAST(? AS TEXT), id, node_id, type, payload, generation, 'queued', created_by, created_at, expires_at
    FROM (${commands.sql}) AS given WHERE 1 = 1`;
  return async (tx, tenantId, rows) => {
    const at = rows[0]?.created_at ?? 0;
    const given = numbers.bind(rows.map(({ node_id, type }) => [node_id, type]));
    const found = await tx.all<{ node_id: string; last: number }>(numberSql, [at, ...given, tenantId]);
    const last = new Map(found.map((one) => [one.node_id, one.last]));
    const sent = rows.flatMap((row) => {
      const generation = last.get(row.node_id);
      return generation === undefined ? [] : [{ ...row, generation }];
    });
    const values = sent.map((row) => [
      ...[row.id, row.node_id, row.type, row.payload, row.generation],
      ...[row.created_by, row.created_at, row.expires_at],
    ]);
    await tx.run(commandSql, [tenantId, ...commands.bind(values)]);
    return sent.map(({ id, node_id, type, payload, generation }) => ({
      ...{ tenant_id: tenantId, id, node_id, type, payload, generation },
      status: "queued",
    }));
  };
}

/** Makes the function that ends commands without a result, of these those that `which` fits; it gives them. */
export function withdrawer(
  engine: SystemDb["engine"],
  which: "finished_at IS NULL" | "status = 'queued'",
): (tx: SystemTx, tenantId: string, ids: readonly string[], now: number) => Promise<CommandKey[]> {
  const source = rowsSource(engine, [["id", "text"]]);
  const sql = `UPDATE commands SET status = 'cancelled', finished_at = ? FROM (${source.sql}) AS given
    WHERE commands.tenant_id = ? AND commands.id = given.id AND commands.${which}
    RETURNING commands.tenant_id AS tenant_id, commands.id AS id, commands.node_id AS node_id`;
  return async (tx, tenantId, ids, now) =>
    ids.length === 0 ? [] : tx.all(sql, [now, ...source.bind(ids.map((id) => [id])), tenantId]);
}
