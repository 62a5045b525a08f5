import { type RowsSource, rowsSource } from "../../../kernel/sql/rows-source.ts";
import { escapeLike } from "../../../lib/like-pattern.ts";
import type { NameSource } from "../../base.ts";
import type { SystemDb, SystemTx, TenantDb } from "../../data/tenant-db.ts";
import type { Kind, NodeState, State } from "./contract.ts";
import { countAnew, noteStageStart } from "./tally-store.ts";

/** A rollout as it is stored. Times in milliseconds; `plan` and `progress` are JSON. */
export interface RolloutRow {
  tenant_id: string;
  id: string;
  name: string;
  kind: Kind;
  target_version: string;
  plan: string;
  is_legacy: number;
  state: State;
  stage: number;
  is_started: number;
  is_open: number;
  progress: string;
  version: number;
  nodes: number;
  created_by: string;
  created_at: number;
  finished_at: number | null;
}

/** With the name of whoever began it; null when they are gone. */
export interface NamedRolloutRow extends RolloutRow {
  created_by_name: string | null;
}

/** One node of a rollout as it is stored. */
export interface NodeRow {
  rank: number;
  node_id: string;
  stage: number;
  hostname: string;
  from_version: string;
  app_id: string | null;
  has_cpu: number;
  has_error_rate: number;
  state: NodeState;
  since_ms: number;
  done_at: number | null;
  is_excused: number;
  is_away: number;
  detail: string | null;
  command_id: string | null;
  revert_id: string | null;
}

/** With what became of its two commands. */
export interface FollowedRow extends NodeRow {
  forward: string | null;
  forward_error: string | null;
  revert: string | null;
  revert_error: string | null;
}

export interface TimelineRow {
  at: number;
  kind: string;
  stage: number;
  text: string;
  from_state: State;
  to_state: State;
  member_id: string | null;
  comment: string | null;
}

const COLUMNS = `tenant_id, id, name, kind, target_version, plan, is_legacy, state, stage, is_started, is_open, progress, version,
  nodes, created_by, created_at, finished_at`;
const NODE_COLUMNS = `rank, node_id, stage, hostname, from_version, app_id, has_cpu, has_error_rate, state, since_ms, done_at, is_excused, is_away,
  detail, command_id, revert_id`;

/** Columns of a node that change, in the order of `nodeWriter`. */
const NODE_FIELDS = [
  ["rank", "integer"],
  ["node_id", "text"],
  ["stage", "integer"],
  ["hostname", "text"],
  ["from_version", "text"],
  ["app_id", "text"],
  ["has_cpu", "integer"],
  ["has_error_rate", "integer"],
  ["state", "text"],
  ["since_ms", "integer"],
  ["done_at", "integer"],
  ["is_excused", "integer"],
  ["is_away", "integer"],
  ["detail", "text"],
  ["command_id", "text"],
  ["revert_id", "text"],
] as const;

const bindNodes = (source: RowsSource, rows: readonly NodeRow[]) =>
  source.bind(rows.map((row) => NODE_FIELDS.map(([name]) => row[name])));

/** Rollouts with the names of those who began them. */
const named = ([members]: readonly NameSource[]): string =>
  `SELECT ${COLUMNS}, ${members ? `(${members.select("own.created_by")})` : "NULL"} AS created_by_name FROM rollouts own`;

/** Rollouts of the workspace, the newest first. */
export function listRollouts(
  db: TenantDb,
  members: readonly NameSource[],
  { before, withLegacy, limit }: { before: string | null; withLegacy: boolean; limit: number },
): Promise<NamedRolloutRow[]> {
  const older = before === null ? "" : " AND id < ?";
  const kinds = withLegacy ? "" : " AND is_legacy = 0";
  return db.all(`${named(members)} WHERE tenant_id = :tenant${older}${kinds} ORDER BY id DESC LIMIT ?`, [
    ...(before === null ? [] : [before]),
    limit,
  ]);
}

/** Those with a text in their name or version, those under way first, then the latest. */
export function findByText(
  db: TenantDb,
  text: string,
  limit: number,
): Promise<Pick<RolloutRow, "id" | "name" | "target_version" | "state">[]> {
  const words = `%${escapeLike(text.toLowerCase())}%`;
  return db.all(
    `SELECT id, name, target_version, state FROM rollouts WHERE tenant_id = :tenant
     AND (lower(name) LIKE ? ESCAPE '\\' OR lower(target_version) LIKE ? ESCAPE '\\')
     ORDER BY is_open DESC, created_at DESC, id DESC LIMIT ?`,
    [words, words, limit],
  );
}

export function findRollout(db: TenantDb, members: readonly NameSource[], id: string): Promise<NamedRolloutRow | null> {
  return db.get(`${named(members)} WHERE tenant_id = :tenant AND id = ?`, [id]);
}

export function listNodes(db: TenantDb, id: string): Promise<NodeRow[]> {
  return db.all(
    `SELECT ${NODE_COLUMNS} FROM rollout_nodes WHERE tenant_id = :tenant AND rollout_id = ? ORDER BY rank`,
    [id],
  );
}

/** The timeline with the names of those whose doing it was, the newest first. */
export function listTimeline(
  db: TenantDb,
  [members]: readonly NameSource[],
  id: string,
  limit: number,
): Promise<(TimelineRow & { by_name: string | null })[]> {
  const name = members ? `(${members.select("line.member_id")})` : "NULL";
  return db.all(
    `SELECT at, kind, stage, text, from_state, to_state, member_id, comment, ${name} AS by_name FROM rollout_timeline line
     WHERE tenant_id = :tenant AND rollout_id = ? ORDER BY no DESC LIMIT ?`,
    [id, limit],
  );
}

/** The groups of the workspace. */
export async function listGroupIds(db: TenantDb): Promise<Set<string>> {
  const rows = await db.all<{ id: string }>("SELECT id FROM node_groups WHERE tenant_id = :tenant");
  return new Set(rows.map(({ id }) => id));
}

/** Of a statement that looks through nodes of a few rollouts, the condition that names these: the others may have millions. */
const inRollouts = (condition: string): string =>
  `tenant_id = ? AND rollout_id IN (SELECT id FROM rollouts WHERE tenant_id = ? AND ${condition})`;
export const BUSY_NODES = `SELECT node_id FROM rollout_nodes WHERE ${inRollouts("is_open = 1")}
  AND state NOT IN ('skipped_offline', 'cancelled', 'reverted', 'revert_failed')`;
export const SENT_NODES = `SELECT node_id FROM rollout_nodes WHERE ${inRollouts("kind = 'os_version' AND target_version = ?")}
  AND coalesce(command_id, '') <> ''`;

/** Nodes that take part in a rollout that is not over. */
export async function listBusyNodes(db: SystemDb | SystemTx, tenantId: string): Promise<Set<string>> {
  const rows = await db.all<{ node_id: string }>(BUSY_NODES, [tenantId, tenantId]);
  return new Set(rows.map(({ node_id }) => node_id));
}

/** A statement that selects what rollouts know of a node, whose workspace and id the SQL expressions give. */
export const selectOfNode = (tenantId: string, id: string): string =>
  `SELECT 1 FROM rollout_nodes WHERE rollout_nodes.tenant_id = ${tenantId} AND rollout_nodes.node_id = ${id}`;

/** Rollouts of all workspaces that are to be followed. */
export function listOpen(db: SystemDb): Promise<{ tenant_id: string; id: string }[]> {
  return db.all("SELECT tenant_id, id FROM rollouts WHERE is_open = 1 ORDER BY tenant_id, id");
}

/** System versions that a node was sent by rollouts that were not taken back. */
export async function listTrials(db: SystemDb, nodeId: string): Promise<string[]> {
  const rows = await db.all<{ version: string }>(
    `SELECT DISTINCT own.target_version AS version FROM rollout_nodes sent
     JOIN nodes n ON n.tenant_id = sent.tenant_id AND n.id = sent.node_id AND n.deleted_at IS NULL
     JOIN rollouts own ON own.tenant_id = sent.tenant_id AND own.id = sent.rollout_id
     WHERE sent.node_id = ? AND sent.command_id IS NOT NULL AND own.kind = 'os_version'
       AND own.state NOT IN ('rolling_back', 'rolled_back')`,
    [nodeId],
  );
  return rows.map(({ version }) => version);
}

/** System versions that rollouts of a workspace lead to, as far as they were not taken back. */
export async function listTrialsOfWorkspace(db: SystemDb, tenantId: string): Promise<string[]> {
  const rows = await db.all<{ version: string }>(
    `SELECT DISTINCT target_version AS version FROM rollouts
     WHERE tenant_id = ? AND kind = 'os_version' AND state NOT IN ('rolling_back', 'rolled_back')`,
    [tenantId],
  );
  return rows.map(({ version }) => version);
}

/** What rollouts of the system to one version have come to. */
export interface Tries {
  /** One is not over. */
  isUnderWay: boolean;
  /** One was taken back, or is being so. */
  isTakenBack: boolean;
  /** Nodes that were sent it, whatever came of it. */
  sent: ReadonlySet<string>;
}

export async function readTries(db: SystemDb, tenantId: string, version: string): Promise<Tries> {
  const rollouts = await db.all<Pick<RolloutRow, "id" | "state" | "is_open">>(
    `SELECT id, state, is_open FROM rollouts WHERE tenant_id = ? AND kind = 'os_version' AND target_version = ?`,
    [tenantId, version],
  );
  const sent = await db.all<{ node_id: string }>(SENT_NODES, [tenantId, tenantId, version]);
  return {
    isUnderWay: rollouts.some(({ is_open }) => is_open === 1),
    isTakenBack: rollouts.some(({ state }) => state === "rolling_back" || state === "rolled_back"),
    sent: new Set(sent.map(({ node_id }) => node_id)),
  };
}

export function findForStep(from: SystemDb | SystemTx, tenantId: string, id: string): Promise<RolloutRow | null> {
  return from.get(`SELECT ${COLUMNS} FROM rollouts WHERE tenant_id = ? AND id = ?`, [tenantId, id]);
}

/** Keeps everybody else from changing a rollout until the transaction ends. */
export async function lockRollout(tx: SystemTx, tenantId: string, id: string): Promise<void> {
  await tx.run("UPDATE rollouts SET version = version WHERE tenant_id = ? AND id = ?", [tenantId, id]);
}

/** Which rollouts of a workspace are not over, and how often each has changed: as long as it is the same, no other node takes part in one. */
export async function readOpen(from: SystemDb | SystemTx, tenantId: string): Promise<{ count: number; mark: string }> {
  const rows = await from.all<Pick<RolloutRow, "id" | "version">>(
    "SELECT id, version FROM rollouts WHERE tenant_id = ? AND is_open = 1 ORDER BY id",
    [tenantId],
  );
  return { count: rows.length, mark: JSON.stringify(rows) };
}

/** Characters of an error that a rollout takes over from a command: it is told with all of its nodes. */
const ERROR_MAX = 200;
const shortError = (command: string): string =>
  `CASE WHEN length(${command}.error) > ${ERROR_MAX} THEN substr(${command}.error, 1, ${ERROR_MAX - 1}) || '…' ELSE ${command}.error END`;

/** Nodes of a rollout in their order, with what became of their commands: at most `limit` of those after a rank. */
export function listForStep(
  from: SystemDb | SystemTx,
  tenantId: string,
  id: string,
  { after, limit }: { after: number; limit: number },
): Promise<FollowedRow[]> {
  const columns = NODE_COLUMNS.split(",").map((name) => `own.${name.trim()}`);
  return from.all(
    `SELECT ${columns.join(", ")}, ahead.status AS forward, ${shortError("ahead")} AS forward_error, back.status AS revert,
       ${shortError("back")} AS revert_error
     FROM rollout_nodes own
     LEFT JOIN commands ahead ON ahead.tenant_id = own.tenant_id AND ahead.id = own.command_id
     LEFT JOIN commands back ON back.tenant_id = own.tenant_id AND back.id = own.revert_id
     WHERE own.tenant_id = ? AND own.rollout_id = ? AND own.rank > ? ORDER BY own.rank LIMIT ?`,
    [tenantId, id, after, limit],
  );
}

export async function insertRollout(tx: SystemTx, row: RolloutRow): Promise<void> {
  await tx.run(`INSERT INTO rollouts (${COLUMNS}) VALUES (${"?, ".repeat(16)}?)`, [
    ...[row.tenant_id, row.id, row.name, row.kind, row.target_version, row.plan, row.is_legacy, row.state, row.stage],
    ...[row.is_started, row.is_open, row.progress, row.version, row.nodes, row.created_by, row.created_at],
    row.finished_at,
  ]);
}

/** Keeps a step; false when another one came first. */
export async function updateRollout(
  tx: SystemTx,
  row: Pick<
    RolloutRow,
    "tenant_id" | "id" | "state" | "stage" | "is_started" | "is_open" | "progress" | "finished_at" | "version"
  >,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE rollouts SET state = ?, stage = ?, is_started = ?, is_open = ?, progress = ?, finished_at = ?, version = version + 1
     WHERE tenant_id = ? AND id = ? AND version = ?`,
    [
      ...[row.state, row.stage, row.is_started, row.is_open, row.progress, row.finished_at],
      ...[row.tenant_id, row.id, row.version],
    ],
  );
  return changed === 1;
}

/** Makes the functions that write nodes of a rollout, however many. */
export function nodeWriter(engine: SystemDb["engine"]) {
  const source = rowsSource(engine, NODE_FIELDS);
  const names = NODE_FIELDS.map(([name]) => name).join(", ");
  const insertSql = `INSERT INTO rollout_nodes (tenant_id, rollout_id, ${names})
    SELECT CAST(? AS TEXT), CAST(? AS TEXT), ${names} FROM (${source.sql}) AS given`;
  const updateSql = `UPDATE rollout_nodes SET state = given.state, since_ms = given.since_ms, done_at = given.done_at,
      is_excused = given.is_excused, is_away = given.is_away, detail = given.detail, command_id = given.command_id,
      revert_id = given.revert_id
    FROM (${source.sql}) AS given
    WHERE rollout_nodes.tenant_id = ? AND rollout_nodes.rollout_id = ? AND rollout_nodes.rank = given.rank`;
  return {
    async insert(tx: SystemTx, tenantId: string, id: string, rows: readonly NodeRow[]): Promise<void> {
      await tx.run(insertSql, [tenantId, id, ...bindNodes(source, rows)]);
      await countAnew(tx, tenantId, id);
    },
    async update(tx: SystemTx, tenantId: string, id: string, rows: readonly NodeRow[]): Promise<void> {
      if (rows.length === 0) return;
      await tx.run(updateSql, [...bindNodes(source, rows), tenantId, id]);
      await countAnew(tx, tenantId, id);
    },
  };
}

/** Lines that the timeline of one rollout keeps: pausing and going on is done as often as somebody likes. */
const KEPT_LINES = 2_000;

/** Adds lines to the timeline, and forgets the oldest of very many; when each stage began last stays. */
export async function insertTimeline(
  tx: SystemTx,
  tenantId: string,
  id: string,
  lines: readonly TimelineRow[],
): Promise<void> {
  const row = await tx.get<{ last: number | null }>(
    "SELECT max(no) AS last FROM rollout_timeline WHERE tenant_id = ? AND rollout_id = ?",
    [tenantId, id],
  );
  let no = row?.last ?? 0;
  for (const line of lines) {
    no += 1;
    await tx.run(
      `INSERT INTO rollout_timeline (tenant_id, rollout_id, no, at, kind, stage, text, from_state, to_state, member_id, comment)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        ...[tenantId, id, no, line.at, line.kind, line.stage, line.text, line.from_state, line.to_state],
        ...[line.member_id, line.comment],
      ],
    );
    if (line.kind === "stage_started") await noteStageStart(tx, tenantId, id, line);
  }
  const whole = "tenant_id = ? AND rollout_id = ?";
  const starts = `SELECT max(no) FROM rollout_timeline WHERE ${whole} AND kind = 'stage_started' GROUP BY stage`;
  await tx.run(`DELETE FROM rollout_timeline WHERE ${whole} AND no <= ? AND no NOT IN (${starts})`, [
    ...[tenantId, id, no - KEPT_LINES, tenantId, id],
  ]);
}
