import { SQL } from "bun";
import type { Driver, Session, Settings } from "./port.ts";
import { fromPostgres, numberPlaceholders, toPostgres, translateSchema } from "./postgres-dialect.ts";

const POOL = 20;

/** The part of Bun's client that is used here; a transaction has it too. */
interface Client {
  unsafe(sql: string, values?: unknown[]): Promise<Record<string, unknown>[] & { count?: number | null }>;
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
async function applySettings(client: Client, settings: Settings): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await client.unsafe("SELECT set_config($1, $2, true)", [name, value]);
}

/**
 * Connects to PostgreSQL through a pool of `connections`, which all open at the first need. Throws when it cannot be reached, and when the role
 * stands above row security: then nothing in the database would keep tenants apart.
 */
export async function openPostgres(url: string, connections = POOL): Promise<Driver> {
  const pool = new SQL(url, { max: connections, bigint: true });
  const [role] = await pool.unsafe(
    "SELECT current_user AS name, rolsuper OR rolbypassrls AS is_above FROM pg_roles WHERE rolname = current_user",
  );
  if (role?.is_above) {
    await pool.close();
    throw new Error(
      `the database role ${role.name} is not bound by row security; use one without SUPERUSER and BYPASSRLS that owns the database`,
    );
  }
  const transaction: Driver["transaction"] = (settings, work) =>
    pool.begin(async (client) => {
      await applySettings(client, settings);
      return work(sessionOf(client));
    });
  return {
    engine: "postgres",
    once: (settings, _isRead, work) =>
      Object.keys(settings).length === 0 ? work(sessionOf(pool)) : transaction(settings, work),
    transaction,
    close: () => pool.close({ timeout: 5 }),
  };
}
