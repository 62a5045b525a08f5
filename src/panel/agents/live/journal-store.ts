import type { SqlDb, SqlValue } from "../../../kernel/sql/port.ts";
import { rowsSource } from "../../../kernel/sql/rows-source.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import type { NewFacts } from "./facts.ts";
import type { Reason, Verdict } from "./health.ts";
import type { Onsets } from "./onsets.ts";
import type { NodeFigures, Transition } from "./port.ts";

/** A node's figures with the number and workspace they belong to. */
export interface FiguresRow {
  no: number;
  tenant_id: string;
  figures: NodeFigures;
  since: Onsets;
}

/** What has to be on disk before a node is answered. */
export interface Entry {
  node: FiguresRow;
  fresh: NewFacts | null;
  transition: Transition | null;
}

/** A node as it was when the panel stopped. */
export interface StoredFigures extends FiguresRow {
  status: Verdict["status"];
  reasons: Reason[];
}

interface Row {
  no: number;
  tenant_id: string;
  last_seen: number;
  cpu: number | null;
  memory: number | null;
  disk: number | null;
  net_in: number | null;
  net_out: number | null;
  uptime_seconds: number | null;
  critical: number;
  status: Verdict["status"];
  reasons: string;
  since: string;
}

const MEASURED = ["cpu", "memory", "disk", "net_in", "net_out", "uptime_seconds"] as const;
const KEPT = ["last_seen", ...MEASURED, "critical", "since"] as const;
const FIGURES = [
  ["no", "integer"],
  ["tenant_id", "text"],
  ["last_seen", "integer"],
  ...MEASURED.map((name) => [name, "real"] as const),
  ["critical", "integer"],
  ["since", "text"],
] as const;

const PAGE = `SELECT no, tenant_id, last_seen, ${MEASURED.join(", ")}, critical, since, status, reasons
  FROM node_figures WHERE no > ? ORDER BY no LIMIT ?`;

/** Changes that are forgotten in one statement, so that nobody waits for all that a restless node made. */
const FORGOTTEN_AT_ONCE = 1_000;
const forgetOldest = (which: string): string => `DELETE FROM node_transitions WHERE (tenant_id, node_id, at) IN (
  SELECT tenant_id, node_id, at FROM node_transitions WHERE ${which} ORDER BY at LIMIT ?)`;
const FORGET_OLD = forgetOldest("at < ?");
const FORGET_SURPLUS = forgetOldest("tenant_id = ? AND node_id = ? AND at <= ?");

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);
const measured = (value: number | null): number => value ?? Number.NaN;

const figuresValues = ({ no, tenant_id, figures, since }: FiguresRow): (string | number | null)[] => [
  ...[no, tenant_id, figures.last_seen],
  ...MEASURED.map((name) => known(figures[name])),
  figures.critical ? 1 : 0,
  JSON.stringify(since),
];

const storedOf = (row: Row): StoredFigures => ({
  no: row.no,
  tenant_id: row.tenant_id,
  figures: {
    last_seen: row.last_seen,
    cpu: measured(row.cpu),
    memory: measured(row.memory),
    disk: measured(row.disk),
    net_in: measured(row.net_in),
    net_out: measured(row.net_out),
    // Only what is told now says how a node's requests go.
    error_rate: Number.NaN,
    requests: Number.NaN,
    uptime_seconds: measured(row.uptime_seconds),
    critical: row.critical === 1,
  },
  status: row.status,
  reasons: JSON.parse(row.reasons),
  since: JSON.parse(row.since),
});

const assign = (names: readonly string[]) => names.map((name) => `${name} = excluded.${name}`).join(", ");

/** The statements behind the live store; each takes many nodes at once. */
export function liveTables(db: SqlDb) {
  const all = db.scoped({ "app.system": "on" });

  async function forgetPartly(sql: string, values: readonly SqlValue[]): Promise<void> {
    while ((await all.run(sql, [...values, FORGOTTEN_AT_ONCE])) === FORGOTTEN_AT_ONCE);
  }

  const names = FIGURES.map(([name]) => name).join(", ");
  const figures = rowsSource(db.engine, FIGURES);
  const judged = rowsSource(db.engine, [...FIGURES, ["status", "text"], ["reasons", "text"]]);
  const transitions = rowsSource(db.engine, [
    ["tenant_id", "text"],
    ["node_id", "text"],
    ["at", "integer"],
    ["from_status", "text"],
    ["to_status", "text"],
    ["reasons", "text"],
  ]);
  const fresh = rowsSource(db.engine, [
    ["no", "integer"],
    ["hostname", "text"],
    ["version", "text"],
    ["first_seen_at", "integer"],
    ["inventory", "text"],
    ["inventory_hash", "text"],
    ["apps", "text"],
  ]);
  const FIGURES_ONLY = `INSERT INTO node_figures (${names}) ${figures.sql} ON CONFLICT (no) DO UPDATE SET ${assign(["tenant_id", ...KEPT])}`;
  const JUDGE = `INSERT INTO node_figures (${names}, status, reasons) ${judged.sql}
    ON CONFLICT (no) DO UPDATE SET ${assign(["tenant_id", ...KEPT, "status", "reasons"])}`;
  // One of before is there when the clock was set back.
  const TRANSITION = `INSERT INTO node_transitions (tenant_id, node_id, at, from_status, to_status, reasons) ${transitions.sql}
    ON CONFLICT (tenant_id, node_id, at) DO UPDATE SET ${assign(["to_status", "reasons"])}`;
  const FRESH = `UPDATE nodes SET hostname = told.hostname, version = told.version, marked_offline = 0,
    first_seen_at = coalesce(nodes.first_seen_at, told.first_seen_at),
    inventory = coalesce(told.inventory, nodes.inventory),
    inventory_hash = coalesce(told.inventory_hash, nodes.inventory_hash), apps = coalesce(told.apps, nodes.apps)
    FROM (${fresh.sql}) AS told WHERE nodes.no = told.no AND nodes.deleted_at IS NULL`;

  return {
    /** Writes what happened to some nodes, each of them named once, all or nothing. */
    async write(entries: readonly Entry[]): Promise<void> {
      const told = entries.flatMap(({ node, fresh: facts }) => (facts ? [{ no: node.no, ...facts }] : []));
      const changed = entries.flatMap(({ node, transition }) => (transition ? [{ node, transition }] : []));
      const changes = changed.map(({ transition }) => transition);
      await all.tx(async (tx) => {
        if (told.length > 0)
          await tx.run(
            FRESH,
            fresh.bind(
              told.map((each) => [
                ...[each.no, each.hostname, each.version, each.first_seen_at, each.inventory],
                ...[each.inventory === null ? null : sha256Hex(each.inventory), each.apps],
              ]),
            ),
          );
        const same = entries.flatMap(({ node, transition }) => (transition ? [] : [node]));
        if (same.length > 0) await tx.run(FIGURES_ONLY, figures.bind(same.map(figuresValues)));
        if (changed.length === 0) return;
        await tx.run(
          JUDGE,
          judged.bind(
            changed.map(({ node, transition: { to, reasons } }) => [
              ...figuresValues(node),
              ...[to, JSON.stringify(reasons)],
            ]),
          ),
        );
        await tx.run(
          TRANSITION,
          transitions.bind(
            changes.map((each) => [
              ...[each.tenant_id, each.node_id, each.at, each.from, each.to],
              JSON.stringify(each.reasons),
            ]),
          ),
        );
      });
    },
    /** Nodes by number, at most `limit` of those after `afterNo`. */
    page: async (afterNo: number, limit: number): Promise<StoredFigures[]> =>
      (await all.all<Row>(PAGE, [afterNo, limit])).map(storedOf),
    /** For how long the panel listened in its latest runs, newest first. */
    runs: () =>
      all.all<{ began_at: number; listened_ms: number }>(
        "SELECT began_at, listened_ms FROM listening_runs ORDER BY began_at DESC LIMIT 1000",
      ),
    noteRun: (beganAt: number, listenedMs: number) =>
      all.run(
        `INSERT INTO listening_runs (began_at, listened_ms) VALUES (?, ?)
          ON CONFLICT (began_at) DO UPDATE SET listened_ms = excluded.listened_ms`,
        [beganAt, listenedMs],
      ),
    /** Forgets runs that began before a moment. */
    forgetRuns: (beganAt: number) => all.run("DELETE FROM listening_runs WHERE began_at < ?", [beganAt]),
    /** Forgets what nodes measured that were deleted before `at` (milliseconds). */
    forgetDeleted: (at: number) =>
      all.run("DELETE FROM node_figures WHERE no IN (SELECT no FROM nodes WHERE deleted_at < ?)", [at]),
    /** Forgets changes before `at` (milliseconds). */
    forget: (at: number) => forgetPartly(FORGET_OLD, [at]),
    /** Forgets the oldest changes of every node that has more than `most` of them, of nodes that were deleted too. */
    async forgetSurplus(most: number): Promise<void> {
      for (let last = { tenant_id: "", id: "" }; ; ) {
        const page = await all.all<typeof last>(
          "SELECT tenant_id, id FROM nodes WHERE (tenant_id, id) > (?, ?) ORDER BY tenant_id, id LIMIT 500",
          [last.tenant_id, last.id],
        );
        for (const { tenant_id, id } of page) {
          const [first] = await all.all<{ at: number }>(
            "SELECT at FROM node_transitions WHERE tenant_id = ? AND node_id = ? ORDER BY at DESC LIMIT 1 OFFSET ?",
            [tenant_id, id, most],
          );
          if (first) await forgetPartly(FORGET_SURPLUS, [tenant_id, id, first.at]);
        }
        const end = page.at(-1);
        if (!end) return;
        last = end;
      }
    },
  };
}

/** Removes everything that is kept here about a node that is forgotten. */
export async function clearNode(tx: SystemTx, { tenant_id, id, no }: { tenant_id: string; id: string; no: number }) {
  await tx.run("DELETE FROM node_figures WHERE no = ?", [no]);
  await tx.run("DELETE FROM node_transitions WHERE tenant_id = ? AND node_id = ?", [tenant_id, id]);
}

export type LiveTables = ReturnType<typeof liveTables>;
