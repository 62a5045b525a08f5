import { OWN, type Queries, type SqlDb, type SqlValue, type Tx } from "../../kernel/sql/port.ts";
import type { Whose } from "../../lib/fair-turns.ts";

// Not exported: nothing but this file can make what carries them.
const TENANT = Symbol("tenant");
const SYSTEM = Symbol("system");

/** Statements on one workspace's rows: every SQL text names `:tenant`, which is always that workspace. */
export interface TenantQueries extends Queries {
  readonly tenant_id: string;
}

/** A transaction on one workspace's rows. */
export interface TenantTx extends TenantQueries, Pick<Tx, "afterCommit"> {
  readonly [TENANT]: true;
}

/** The database as one workspace sees it; made from a token, and all that handlers get. */
export interface TenantDb extends TenantQueries {
  readonly [TENANT]: true;
  tx<T>(fn: (tx: TenantTx) => Promise<T>): Promise<T>;
}

/** A transaction across workspaces. */
export type SystemTx = Pick<Tx, "all" | "get" | "run" | "afterCommit"> & { readonly [SYSTEM]: true };

/** The database across workspaces, for the few things that belong to none: accounts, sessions, the list of workspaces. */
export interface SystemDb extends Queries {
  readonly [SYSTEM]: true;
  readonly engine: SqlDb["engine"];
  /** The same, whose statements have their share of the connections with what else is done for these; otherwise they are the panel's own. */
  onBehalfOf(whose: Whose): SystemDb;
  tx<T>(fn: (tx: SystemTx) => Promise<T>): Promise<T>;
}

/** A statement whose `:tenant` became a `?`; `slots` tells for each `?` whether the workspace belongs there. */
interface Bound {
  text: string;
  isTenant: boolean[];
}

const bounds = new Map<string, Bound>();

/** Throws for a statement that does not say which workspace's rows it means. */
function bindTenant(sql: string): Bound {
  const known = bounds.get(sql);
  if (known) return known;
  const isTenant: boolean[] = [];
  const text = sql.replace(/'(?:[^']|'')*'|:tenant\b|\?/g, (part) => {
    if (part.startsWith("'")) return part;
    isTenant.push(part !== "?");
    return "?";
  });
  if (!isTenant.includes(true)) throw new Error(`a statement on a workspace's rows must name :tenant: ${sql}`);
  const bound = { text, isTenant };
  bounds.set(sql, bound);
  return bound;
}

function queriesOf(queries: Queries, tenantId: string): TenantQueries {
  const bind = (sql: string, values: readonly SqlValue[] = []): [string, SqlValue[]] => {
    const { text, isTenant } = bindTenant(sql);
    const left = [...values];
    return [text, isTenant.map((is) => (is ? tenantId : (left.shift() ?? null)))];
  };
  return {
    tenant_id: tenantId,
    all: async (sql, values) => queries.all(...bind(sql, values)),
    get: async (sql, values) => queries.get(...bind(sql, values)),
    run: async (sql, values) => queries.run(...bind(sql, values)),
  };
}

/**
 * The database of one workspace, for one of its accounts. Only the guard makes one, from the claims of a token that it has checked. It
 * waits for connections as one of all workspaces, and in it as one of all accounts.
 */
export function openTenant(db: SqlDb, tenantId: string, accountId = ""): TenantDb {
  const own = db.scoped({ "app.tenant": tenantId }, [tenantId, accountId]);
  return {
    [TENANT]: true,
    ...queriesOf(own, tenantId),
    tx: (fn) => own.tx((tx) => fn({ [TENANT]: true, ...queriesOf(tx, tenantId), afterCommit: tx.afterCommit })),
  };
}

/** Of a transaction across workspaces the rows of one alone. */
export const narrow = (tx: SystemTx, tenantId: string): TenantTx => ({
  [TENANT]: true,
  ...queriesOf(tx, tenantId),
  afterCommit: tx.afterCommit,
});

/** The database across workspaces. */
export function openSystem(db: SqlDb, whose: Whose = OWN): SystemDb {
  const all = db.scoped({ "app.system": "on" }, whose);
  return {
    [SYSTEM]: true,
    engine: db.engine,
    onBehalfOf: (others) => openSystem(db, others),
    all: all.all,
    get: all.get,
    run: all.run,
    tx: (fn) => all.tx((tx) => fn({ [SYSTEM]: true, ...tx })),
  };
}
