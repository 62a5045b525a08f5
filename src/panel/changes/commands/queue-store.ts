import { rowsSource } from "../../../kernel/sql/rows-source.ts";
import { cutText } from "../../../lib/cut-text.ts";
import type { CommandResult } from "../../../shared/agent-protocol/index.ts";
import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";
import { type CommandStatus, SAID_MAX } from "./contract.ts";
import { insertOutput } from "./output-store.ts";

/** A command that is not over. */
export interface OpenCommand {
  tenant_id: string;
  id: string;
  node_id: string;
  type: string;
  payload: string;
  generation: number;
  status: "queued" | "sent" | "running";
}

/** Whose node a command is for. */
export type CommandKey = Pick<OpenCommand, "tenant_id" | "id" | "node_id">;

/** Commands of all workspaces that are not over, in the order in which they were made, after the one with this id. */
export function listOpenCommands(db: SystemDb, afterId: string, limit: number): Promise<OpenCommand[]> {
  return db.all(
    `SELECT tenant_id, id, node_id, type, payload, generation, status FROM commands
     WHERE finished_at IS NULL AND id > ? ORDER BY id LIMIT ?`,
    [afterId, limit],
  );
}

/** Makes the function that notes that commands leave for their nodes; it gives the ids of those that were not over yet. */
export function sentWriter(db: SystemDb): (commands: readonly CommandKey[], at: number) => Promise<Set<string>> {
  const leaving = rowsSource(db.engine, [
    ["tenant_id", "text"],
    ["id", "text"],
  ]);
  // Those that were sent already count too: whoever asks may not have heard of it.
  const sql = `UPDATE commands SET status = 'sent', sent_at = coalesce(sent_at, CAST(? AS BIGINT))
    FROM (${leaving.sql}) AS leaving
    WHERE commands.tenant_id = leaving.tenant_id AND commands.id = leaving.id AND commands.status IN ('queued', 'sent')
    RETURNING commands.id`;
  return async (commands, at) => {
    const values = [at, ...leaving.bind(commands.map(({ tenant_id, id }) => [tenant_id, id]))];
    const rows = await db.tx((tx) => tx.all<{ id: string }>(sql, values));
    return new Set(rows.map(({ id }) => id));
  };
}

/** What a node says became of a command. */
export interface Told {
  tenantId: string;
  nodeId: string;
  result: CommandResult;
  at: number;
}

/** A command that is over. */
export interface EndedCommand extends CommandKey {
  type: string;
  status: CommandStatus;
}

/** Told of commands that ended, in the transaction that ends them. */
export type OnEnded = (tx: SystemTx, ended: EndedCommand) => Promise<void>;

/**
 * Writes what nodes say; what is over, or not the node's own, stays as it is. Of a long output the whole is kept once the command is
 * over; gives how many bytes that were.
 */
export function settleCommands(db: SystemDb, told: readonly Told[], onEnded: OnEnded): Promise<number> {
  return db.tx(async (tx) => {
    let kept = 0;
    for (const { tenantId, nodeId, result, at } of told) {
      const { id, status, output = null, error } = result;
      const said = output === null ? null : cutText(output, SAID_MAX);
      const isCut = said !== output;
      const changed = await tx.get<EndedCommand>(
        `UPDATE commands SET status = ?, output = ?, is_output_cut = ?, error = ?, sent_at = coalesce(sent_at, ?), finished_at = ?
         WHERE tenant_id = ? AND id = ? AND node_id = ? AND finished_at IS NULL
         RETURNING tenant_id, id, node_id, type, status`,
        [status, said, Number(isCut), error ?? null, at, status === "running" ? null : at, tenantId, id, nodeId],
      );
      if (!changed || status === "running") continue;
      if (output !== null && isCut) {
        const bytes = Buffer.byteLength(output);
        await insertOutput(tx, changed, output, bytes);
        kept += bytes;
      }
      await onEnded(tx, changed);
    }
    return kept;
  });
}

/** Ends some commands whose time is over; parameters: the moment of their end, of now, and how many. */
export const EXPIRE = `UPDATE commands SET finished_at = ?,
    error = CASE WHEN status = 'queued' THEN 'The node did not come for it in time.'
      ELSE 'The node never said what became of it.' END, status = 'failed'
  WHERE finished_at IS NULL AND (tenant_id, id) IN (
    SELECT tenant_id, id FROM commands WHERE finished_at IS NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?)
  RETURNING tenant_id, id, node_id, type, status`;

/** Ends commands whose time is over, at most `limit` of them; gives them. */
export function expireCommands(db: SystemDb, now: number, limit: number, onEnded: OnEnded): Promise<EndedCommand[]> {
  return db.tx(async (tx) => {
    const ended = await tx.all<EndedCommand>(EXPIRE, [now, now, limit]);
    for (const each of ended) await onEnded(tx, each);
    return ended;
  });
}

/** Ends what waits for a node that was deleted; gives it. */
export function abandonCommands(db: SystemDb, tenantId: string, nodeId: string, now: number): Promise<CommandKey[]> {
  const sql = `UPDATE commands SET status = 'failed', error = 'The node was deleted.', finished_at = ?
    WHERE tenant_id = ? AND node_id = ? AND finished_at IS NULL RETURNING tenant_id, id, node_id`;
  return db.tx((tx) => tx.all<CommandKey>(sql, [now, tenantId, nodeId]));
}

/** Forgets commands that were over before a moment, at most `limit` of them; gives how many. */
export function pruneCommands(db: SystemDb, before: number, limit: number): Promise<number> {
  const old = "SELECT tenant_id, id FROM commands WHERE finished_at < ? ORDER BY finished_at LIMIT ?";
  return db.run(`DELETE FROM commands WHERE (tenant_id, id) IN (${old})`, [before, limit]);
}

/** Rows that go in one statement, so that nobody waits for a month of them. */
const BATCH = 1_000;

/**
 * Forgets the oldest commands that are over, in workspaces with more than `least` of them and more than `perNode` for each of their
 * nodes.
 */
export async function pruneSurplus(db: SystemDb, least: number, perNode: number): Promise<void> {
  const tenants = await db.all<{ tenant_id: string; nodes: number }>(
    `SELECT t.tenant_id, (SELECT count(*) FROM nodes n WHERE n.tenant_id = t.tenant_id AND n.deleted_at IS NULL) AS nodes
     FROM tenants t`,
  );
  for (const { tenant_id, nodes } of tenants) {
    const last = await db.get<{ id: string }>(
      "SELECT id FROM commands WHERE tenant_id = ? AND finished_at IS NOT NULL ORDER BY id DESC LIMIT 1 OFFSET ?",
      [tenant_id, Math.max(least, Number(nodes) * perNode)],
    );
    const old =
      "SELECT id FROM commands WHERE tenant_id = ? AND id <= ? AND finished_at IS NOT NULL ORDER BY id LIMIT ?";
    const sql = `DELETE FROM commands WHERE tenant_id = ? AND id IN (${old})`;
    while (last && (await db.run(sql, [tenant_id, tenant_id, last.id, BATCH])) === BATCH);
  }
}
