import { type ReservedSQL, SQL } from "bun";
import type { Clock } from "../../lib/clock.ts";
import { createFairSlots } from "../../lib/fair-slots.ts";
import { giveWay, type TakeTurn } from "../../lib/fair-turns.ts";
import {
  askGuard,
  type Driver,
  mostOfPart,
  OWN,
  type Scope,
  type Session,
  type Settings,
  VISITORS,
  weightOf,
} from "./port.ts";
import { againWhereUndone, againWhileHeld } from "./postgres-again.ts";
import { Attempt, createCommits } from "./postgres-commits.ts";
import { fromPostgres, numberPlaceholders, toPostgres, translateSchema } from "./postgres-dialect.ts";
import { createLines, type Line } from "./postgres-lines.ts";
import { createOrder } from "./postgres-order.ts";

const POOL = 20;
/** The part of the connections for statements that only read: many of the long ones would share the same processors, and none end sooner. */
const READING = 0.5;
/** The part of these, and of the others, that is kept for those who ask for little. */
const SPARE = { reading: 0.6, changing: 0.25 };
/** For so long a change that a visitor asks for waits for a row that others hold, all its tries together. */
const ROW_WAIT_MS = 2_000;
/** What is made of so many rows may take as long as a turn of the event loop should at most. */
const MANY_ROWS = 200;

type Rows = Record<string, unknown>[] & { count?: number | null };

/** The part of Bun's client that is used here; a transaction has it too. */
interface Client {
  unsafe(sql: string, values?: unknown[]): Promise<Rows>;
}

/** How connections are shared. */
export interface PostgresOptions {
  /** How many statements are under way at once at most, each on one. */
  connections?: number;
  /** Asked before much that was read is handed on; left out, nobody waits. */
  takeTurn?: TakeTurn;
  /** How long what visitors change waits for a row that others hold. */
  rowWaitMs?: number;
}

function sessionOf(client: Client): Session {
  const send = (sql: string, values: Parameters<Session["all"]>[1]) =>
    client.unsafe(numberPlaceholders(sql), values.map(toPostgres));
  return {
    all: async (sql, values) => (await send(sql, values)).map(fromPostgres),
    run: async (sql, values) => (await send(sql, values)).count ?? 0,
    script: async (sql) => void (await client.unsafe(translateSchema(sql))),
  };
}

/** Gives the settings to the transaction alone, so that a pooled connection carries none of them on. */
const applySettings = (client: Client, settings: Settings): Promise<Rows>[] =>
  Object.entries(settings).map(([name, value]) => client.unsafe("SELECT set_config($1, $2, true)", [name, value]));

/**
 * One statement in a transaction of its own. All of it is sent at once: whoever waited for each answer would wait for four turns of the
 * event loop, which are long in a crowd. What fails takes the rest with it, and without its settings a statement sees nothing.
 */
async function sendAlone(client: ReservedSQL, settings: Settings, sql: string, values?: unknown[]): Promise<Rows> {
  // Bun sends a statement when somebody waits for it, so that their order here counts.
  const before = [client`BEGIN`, ...applySettings(client, settings)];
  const told = await Promise.allSettled([...before, client.unsafe(sql, values), client`COMMIT`]);
  // What the statement itself says comes before what became of the others by it.
  const found = told[before.length];
  for (const one of [found, ...told]) if (one?.status === "rejected") throw one.reason;
  return found?.status === "fulfilled" ? found.value : [];
}

/** What is sent over a connection, whose answers are listened for. */
const heard = (line: Line, client: Client): Client => ({
  unsafe: (sql, values) => line.asked(client.unsafe(sql, values)),
});

/** A transaction on a connection. */
const begin = <T>(line: Line, work: (client: Client) => Promise<T>): Promise<T> =>
  line.asked(line.client.begin((client) => line.resting(() => work(heard(line, client)))));

async function sendOver(line: Line, settings: Settings, sql: string, values?: unknown[]): Promise<Rows> {
  if (Object.keys(settings).length === 0) return line.asked(line.client.unsafe(sql, values));
  const client = await line.asked(line.client.reserve());
  try {
    return await line.asked(sendAlone(client, settings, sql, values));
  } finally {
    client.release();
  }
}

/** Throws when the role stands above row security: then nothing in the database would keep tenants apart. */
async function checkRole(pool: SQL): Promise<void> {
  const [role] = await pool.unsafe(
    "SELECT current_user AS name, rolsuper OR rolbypassrls AS is_above FROM pg_roles WHERE rolname = current_user",
  );
  if (!role?.is_above) return;
  throw new Error(
    `the database role ${role.name} is not bound by row security; use one without SUPERUSER and BYPASSRLS that owns the database`,
  );
}

/** Opens one connection under a name, by which the server can be asked about it. */
const openNamed = (url: string, name: string): SQL =>
  new SQL(url, { max: 1, bigint: true, connection: { application_name: name } });

/**
 * Connects to PostgreSQL through a pool of connections. Those for whom statements are sent share them, so that nobody has to wait until
 * all is done that others asked for. Throws when it cannot be reached, and when the role stands above row security: then nothing in the
 * database would keep tenants apart.
 */
export async function openPostgres(
  url: string,
  clock: Pick<Clock, "after" | "every" | "monotonic" | "sleep">,
  { connections = POOL, takeTurn = () => undefined, rowWaitMs = ROW_WAIT_MS }: PostgresOptions = {},
): Promise<Driver> {
  const lines = createLines((name) => openNamed(url, name), clock);
  try {
    await lines.use((line) => checkRole(line.client));
  } catch (error) {
    await lines.close();
    throw error;
  }
  const share = (size: number, spare: number) => ({ size, spare: Math.floor(size * spare), weightOf });
  const readers = Math.ceil(connections * READING);
  const toRead = createFairSlots(clock, share(readers, SPARE.reading));
  // What only reads waits for nobody's rows.
  const changers = share(Math.max(1, connections - readers), SPARE.changing);
  const toChange = createFairSlots(clock, { ...changers, mostOfPart });

  const inOrder = createOrder(clock);
  const commits = createCommits(lines.ask, clock);

  /** One transaction; who waits for another try has no connection meanwhile. */
  const change = <T>({ settings, whose, guard }: Scope, work: (session: Session) => Promise<T>): Promise<T> =>
    inOrder((committing) =>
      againWhereUndone(clock, () =>
        toChange(whose, () =>
          lines.use((line) => {
            const attempt = new Attempt<T>(() => lines.cut(line));
            return commits.follow(attempt, () =>
              begin(line, async (client) => {
                const session = sessionOf(client);
                await Promise.all([
                  ...applySettings(client, settings),
                  attempt.begin(client),
                  askGuard(session, guard),
                ]);
                const result = await work(session);
                committing(() => commits.askAbout(attempt));
                return attempt.end(result);
              }),
            );
          }),
        ),
      ),
    );

  const send = (settings: Settings, sql: string, values?: unknown[]): Promise<Rows> =>
    lines.use((line) => sendOver(line, settings, sql, values));

  const outside = ({ settings, whose }: Scope, isRead: boolean): Client => ({
    async unsafe(sql, values) {
      const rows = await (isRead ? toRead : toChange)(whose, () => send(settings, sql, values));
      // The connection is others' by now. Much of this is what makes turns long, and each should be one of its own.
      if (rows.length >= MANY_ROWS && whose[0] !== OWN[0]) await giveWay(takeTurn, whose);
      return rows;
    },
  });

  return {
    engine: "postgres",
    once: (scope, isRead, work) => againWhereUndone(clock, () => work(sessionOf(outside(scope, isRead)))),
    transaction: (scope, work) =>
      scope.whose[0] !== VISITORS
        ? change(scope, work)
        : againWhileHeld(clock, rowWaitMs, (ms) =>
            change({ ...scope, settings: { ...scope.settings, lock_timeout: `${ms}ms` } }, work),
          ),
    async close() {
      commits.close();
      await lines.close();
    },
  };
}
