import type { Whose } from "../../lib/fair-turns.ts";

/** What a statement may be given. Truth values are stored as 0 and 1, times as whole milliseconds. */
export type SqlValue = string | number | Uint8Array | null;

/** Statements on one database; the same SQL for every engine, with `?` for each value. */
export interface Queries {
  /** All rows of a reading statement. */
  all<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]>;
  /** The first row, or null. */
  get<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row | null>;
  /** Changes data; gives how many rows it changed. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
}

/** Statements inside a transaction: here `all` and `get` may also change data (`… RETURNING`). */
export interface Tx extends Queries {
  /** Several statements without values, as migrations are. */
  script(sql: string): Promise<void>;
  /** Runs `effect` once the transaction is committed; dropped on rollback. */
  afterCommit(effect: () => void): void;
  /** Runs `effect` once the transaction is over, however it ended, and after all that its commit has told. */
  afterEnd(effect: () => void): void;
}

/** A database of either engine. */
export interface SqlDb extends Queries {
  readonly engine: "sqlite" | "postgres";
  /**
   * Runs `fn` in one transaction, rolled back when it throws. SQLite runs one at a time; PostgreSQL runs them side by side
   * (READ COMMITTED), so that a rule over several rows begins by changing the row that stands for all of them.
   * Statements of the database itself are refused inside: they would wait for the transaction, or miss it.
   * Where transactions wait for each other PostgreSQL undoes one, and `fn` runs again: what it takes from memory it takes last.
   */
  tx<T>(fn: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * The same database with settings that hold for each of its statements; row security reads them, SQLite has none. `whose` says for
   * whom they are: where connections are scarce, all of them have their share. Left out, the program's own.
   */
  scoped(settings: Settings, whose?: Whose): SqlDb;
  /** The same database, in which nothing is changed unless the guard lets it. */
  guarded(guard: Guard): SqlDb;
  /** Ends what runs and closes. */
  close(): Promise<void>;
}

/** Statements as an engine offers them to the port. */
export interface Session {
  all(sql: string, values: readonly SqlValue[]): Promise<unknown[]>;
  run(sql: string, values: readonly SqlValue[]): Promise<number>;
  script(sql: string): Promise<void>;
}

/** What has to hold for anything to be changed. */
export interface Guard {
  /** Sent at the beginning of each transaction; the last one gives a row as long as it holds. */
  statements: readonly { sql: string; values: readonly SqlValue[] }[];
  /** What is thrown when it does not. */
  refusal(): Error;
}

/** With what statements are sent, and for whom. */
export interface Scope {
  settings: Settings;
  whose: Whose;
  guard?: Guard;
}

/** Asks a guard at the beginning of a transaction. Throws its refusal. */
export async function askGuard(session: Pick<Session, "all">, guard: Guard | undefined): Promise<void> {
  if (!guard) return;
  const told = await Promise.all(guard.statements.map(({ sql, values }) => session.all(sql, values)));
  if (told.at(-1)?.length === 0) throw guard.refusal();
}

/** Thrown where nobody knows whether a transaction was committed, and it will be known later. */
export class CommitUnknown extends Error {
  /** Whether it was. */
  readonly outcome: Promise<boolean>;

  constructor(cause: unknown, outcome: Promise<boolean>) {
    super("it is not known whether the transaction was committed", { cause });
    this.outcome = outcome;
  }
}

/** For whom is worked where nobody else is named: the program itself. */
export const OWN: Whose = ["", ""];
/** The group of all who are not signed in; its members are where they are. */
export const VISITORS = "visitors";
/** What the program does by itself, as nodes bring it, and what visitors ask for have the share of so many workspaces each. */
const OWN_WEIGHT = 4;
/** How much of what is scarce a group may have, in shares of a workspace. */
export const weightOf = (group: string): number => (group === OWN[0] || group === VISITORS ? OWN_WEIGHT : 1);
/** How many changes a site of visitors may have under way at once, and an account in a workspace. */
const MOST_OF_SITE = 2;
const MOST_OF_ACCOUNT = 3;
/**
 * How many changes a part of a group may have under way at once: those of one site wait for each other's rows rather than hold the
 * connections of all others who are not signed in, and those of one account leave some to its colleagues.
 */
export function mostOfPart(group: string, depth: number): number {
  if (group === OWN[0] || depth !== 1) return Number.POSITIVE_INFINITY;
  return group === VISITORS ? MOST_OF_SITE : MOST_OF_ACCOUNT;
}

/** One engine. */
export interface Driver {
  readonly engine: SqlDb["engine"];
  /** Runs `work`, one statement, outside any transaction; `isRead` when it only reads. */
  once<T>(scope: Scope, isRead: boolean, work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction; once more, and so on a few times, where the database undid it for the sake of another. Throws
   * CommitUnknown where the answer to the commit was lost and nobody could be asked yet what became of it.
   */
  transaction<T>(scope: Scope, work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export type Settings = Readonly<Record<string, string>>;
