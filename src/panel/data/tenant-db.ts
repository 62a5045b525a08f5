import { AsyncLocalStorage } from "node:async_hooks";
import { AppError } from "../../kernel/http/errors.ts";
import { OWN, type Queries, type SqlDb, type SqlValue, type Tx } from "../../kernel/sql/port.ts";
import type { Whose } from "../../lib/fair-turns.ts";

// Not exported: nothing but this file can make what carries them.
const TENANT = Symbol("tenant");
const SYSTEM = Symbol("system");
const DOER = Symbol("doer");

/** Throws the refusal where what let somebody in has ended since. */
export type Standing = () => Promise<void>;

const ALWAYS: Standing = async () => {};

/** For whom something is done, and as long as they may. */
interface Doer {
  whose: Whose;
  standing: Standing;
}

/** Questions to one workspace's rows: every SQL text names `:tenant`, which is always that workspace. */
export interface TenantQueries extends Pick<Queries, "all" | "get"> {
  readonly tenant_id: string;
}

/** A transaction on one workspace's rows. */
export interface TenantTx extends TenantQueries, Pick<Tx, "run" | "afterCommit" | "afterEnd"> {
  readonly [TENANT]: true;
}

/**
 * The database as one workspace sees it; made from a token, and all that handlers get. Changes are made in transactions, and nothing of
 * one stays when what let its doer in ended before it was done: `tx` throws what the guard would answer.
 */
export interface TenantDb extends TenantQueries {
  readonly [TENANT]: true;
  readonly [DOER]: Doer;
  tx<T>(fn: (tx: TenantTx) => Promise<T>): Promise<T>;
  /** The same for what is written down of somebody, whether or not they may still do anything. */
  forRecord(): TenantDb;
}

/** A transaction across workspaces. */
export type SystemTx = Pick<Tx, "all" | "get" | "run" | "afterCommit" | "afterEnd"> & { readonly [SYSTEM]: true };

/** The database across workspaces, for the few things that belong to none: accounts, sessions, the list of workspaces. */
export interface SystemDb extends Queries {
  readonly [SYSTEM]: true;
  readonly engine: SqlDb["engine"];
  /** The same, whose statements have their share of the connections with what else is done for these; otherwise they are the panel's own. */
  onBehalfOf(whose: Whose): SystemDb;
  /**
   * The same, for what somebody does who was let in: it waits in their share, and nothing stays of a transaction when what let them in ended
   * before it was done.
   */
  by(actor: { db: TenantDb }): SystemDb;
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

function queriesOf(queries: Queries, tenantId: string): TenantQueries & Pick<Queries, "run"> {
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
 * A transaction that undoes itself when the standing of its doer has ended: the guard was asked before the wait for a slot, and before that
 * for a row, in which somebody may have taken from them what let them in.
 */
function txWhile<T>(db: SqlDb, standing: Standing, fn: (tx: Tx) => Promise<T>): Promise<T> {
  // Asked as from outside the transaction: it may itself be what ends the standing.
  const outside = AsyncLocalStorage.snapshot();
  return db.tx(async (tx) => {
    await outside(standing);
    const done = await fn(tx).catch(async (error: unknown) => {
      // Who is in no more is told that, not what is missing because of it.
      if (error instanceof AppError) await outside(standing);
      throw error;
    });
    await outside(standing);
    return done;
  });
}

/**
 * The database of one workspace, for one of its accounts. Only the guard makes one, from the claims of a token that it has checked. It
 * waits for connections as one of all workspaces, and in it as one of all accounts.
 */
export function openTenant(db: SqlDb, tenantId: string, accountId = "", standing: Standing = ALWAYS): TenantDb {
  const whose: Whose = [tenantId, accountId];
  const own = db.scoped({ "app.tenant": tenantId }, whose);
  const { tenant_id, all, get } = queriesOf(own, tenantId);
  return {
    [TENANT]: true,
    [DOER]: { whose, standing },
    ...{ tenant_id, all, get },
    tx: (fn) =>
      txWhile(own, standing, (tx) =>
        fn({ [TENANT]: true, ...queriesOf(tx, tenantId), afterCommit: tx.afterCommit, afterEnd: tx.afterEnd }),
      ),
    forRecord: () => openTenant(db, tenantId, accountId),
  };
}

/** Of a transaction across workspaces the rows of one alone. */
export const narrow = (tx: SystemTx, tenantId: string): TenantTx => ({
  [TENANT]: true,
  ...queriesOf(tx, tenantId),
  afterCommit: tx.afterCommit,
  afterEnd: tx.afterEnd,
});

/** The database across workspaces. */
export function openSystem(db: SqlDb, whose: Whose = OWN, standing: Standing = ALWAYS): SystemDb {
  const all = db.scoped({ "app.system": "on" }, whose);
  return {
    [SYSTEM]: true,
    engine: db.engine,
    onBehalfOf: (others) => openSystem(db, others, standing),
    by: ({ db: { [DOER]: doer } }) => openSystem(db, doer.whose, doer.standing),
    all: all.all,
    get: all.get,
    run: all.run,
    tx: (fn) => txWhile(all, standing, (tx) => fn({ [SYSTEM]: true, ...tx })),
  };
}
