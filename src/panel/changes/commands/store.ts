import type { NameSource } from "../../base.ts";
import type { SystemTx, TenantDb, TenantTx } from "../../data/tenant-db.ts";
import type { CommandStatus } from "./contract.ts";

/** A command as it is stored. Times in milliseconds. */
export interface CommandRow {
  id: string;
  node_id: string;
  type: string;
  payload: string;
  generation: number;
  status: CommandStatus;
  /** The beginning of it when it is long. */
  output: string | null;
  is_output_cut: number;
  error: string | null;
  created_by: string;
  created_at: number;
  expires_at: number;
  sent_at: number | null;
  finished_at: number | null;
}

/** With the name of whoever sent it; null when they are gone. */
export interface NamedCommandRow extends CommandRow {
  created_by_name: string | null;
}

const COLUMNS = `id, node_id, type, payload, generation, status, output, is_output_cut, error, created_by, created_at, expires_at,
  sent_at, finished_at`;

/**
 * The next number of a kind of command for a node; null when the workspace has no such node. It follows the clock, so that it
 * rises even after a restored backup.
 */
export async function nextGeneration(tx: TenantTx, nodeId: string, type: string, now: number): Promise<number | null> {
  const row = await tx.get<{ last: number }>(
    `INSERT INTO command_generations (tenant_id, node_id, type, last)
     SELECT tenant_id, id, CAST(? AS TEXT), CAST(? AS BIGINT) FROM nodes
     WHERE tenant_id = :tenant AND id = ? AND deleted_at IS NULL
     ON CONFLICT (tenant_id, node_id, type) DO UPDATE SET last = CASE
       WHEN command_generations.last >= excluded.last THEN command_generations.last + 1 ELSE excluded.last END
     RETURNING last`,
    [type, now, nodeId],
  );
  return row?.last ?? null;
}

/** A statement that selects the commands of a node, whose workspace and id the SQL expressions give. */
export const selectOfNode = (tenantId: string, id: string): string =>
  `SELECT 1 FROM commands WHERE commands.tenant_id = ${tenantId} AND commands.node_id = ${id}`;

/** Forgets how far the numbers of a node that is forgotten had come. */
export async function deleteGenerations(tx: SystemTx, node: { tenant_id: string; id: string }): Promise<void> {
  const sql = "DELETE FROM command_generations WHERE tenant_id = ? AND node_id = ?";
  await tx.run(sql, [node.tenant_id, node.id]);
}

export async function insertCommand(tx: TenantTx, row: CommandRow): Promise<void> {
  await tx.run(`INSERT INTO commands (tenant_id, ${COLUMNS}) VALUES (:tenant, ${"?, ".repeat(13)}?)`, [
    row.id,
    row.node_id,
    row.type,
    row.payload,
    row.generation,
    row.status,
    row.output,
    row.is_output_cut,
    row.error,
    row.created_by,
    row.created_at,
    row.expires_at,
    row.sent_at,
    row.finished_at,
  ]);
}

/** Commands with the names of those who sent them. */
const named = ([members]: readonly NameSource[]): string =>
  `SELECT ${COLUMNS}, ${members ? `(${members.select("sent.created_by")})` : "NULL"} AS created_by_name FROM commands sent`;

/** Commands of the workspace, the newest first; `before` an id, filters null for all. */
export function listCommands(
  db: TenantDb,
  members: readonly NameSource[],
  filter: { nodeId: string | null; status: CommandStatus | null; before: string | null; limit: number },
): Promise<NamedCommandRow[]> {
  const conditions: [string, string | null][] = [
    ["node_id = ?", filter.nodeId],
    ["status = ?", filter.status],
    ["id < ?", filter.before],
  ];
  const used = conditions.filter(([, value]) => value !== null);
  const where = used.map(([text]) => ` AND ${text}`).join("");
  return db.all(`${named(members)} WHERE tenant_id = :tenant${where} ORDER BY id DESC LIMIT ?`, [
    ...used.map(([, value]) => value),
    filter.limit,
  ]);
}

/** One command, with the whole output while that is kept. */
export async function findCommand(
  db: TenantDb,
  members: readonly NameSource[],
  id: string,
): Promise<NamedCommandRow | null> {
  const row = await db.get<NamedCommandRow>(`${named(members)} WHERE tenant_id = :tenant AND id = ?`, [id]);
  if (!row?.is_output_cut) return row;
  const sql = "SELECT output FROM command_outputs WHERE tenant_id = :tenant AND command_id = ?";
  const whole = await db.get<{ output: string }>(sql, [id]);
  return whole === null ? row : { ...row, output: whole.output, is_output_cut: 0 };
}

/** Ends a command that was not handed out. */
export async function cancelCommand(tx: TenantTx, id: string, now: number): Promise<void> {
  await tx.run(
    "UPDATE commands SET status = 'cancelled', finished_at = ? WHERE tenant_id = :tenant AND id = ? AND finished_at IS NULL",
    [now, id],
  );
}
