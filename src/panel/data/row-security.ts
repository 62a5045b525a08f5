import type { SqlDb, Tx } from "../../kernel/sql/port.ts";

const IS_SYSTEM = "current_setting('app.system', true) = 'on'";
const TENANT = "nullif(current_setting('app.tenant', true), '')";

/** Tables whose rows belong to a workspace by way of another table, or to none; null for those that everybody may see. */
const SPECIAL: Readonly<Record<string, string | null>> = {
  // People are in several workspaces, which see those who are in them.
  accounts: `EXISTS (SELECT 1 FROM members m WHERE m.account_id = accounts.id AND m.tenant_id = ${TENANT})`,
  account_links: "false",
  authority: "false",
  email_changes: "false",
  email_proofs: "false",
  former_addresses: `EXISTS (SELECT 1 FROM members m WHERE m.account_id = former_addresses.account_id AND m.tenant_id = ${TENANT})`,
  mail_queue: "false",
  node_counter: "false",
  recovery_codes: "false",
  registration: "false",
  security_keys: "false",
  sign_in_places: "false",
  totp: "false",
  // When the panel listened, what was migrated, and which hours and days the tables of samples hold.
  claimed_hours: null,
  listening_runs: null,
  migrations: null,
  open_days: null,
  raw_hours: null,
};

/** Who sees rows of a table, besides those who work for all: the workspace that they belong to. Undefined where nothing says so. */
function ruleOf(table: string, columns: ReadonlySet<string>, hasNodes: boolean): string | null | undefined {
  const special = SPECIAL[table];
  if (special !== undefined) return special;
  if (columns.has("tenant_id")) return `tenant_id = ${TENANT}`;
  // What is kept of nodes by their number, of which there is much.
  if (!columns.has("no")) return undefined;
  return hasNodes ? `EXISTS (SELECT 1 FROM nodes n WHERE n.no = ${table}.no AND n.tenant_id = ${TENANT})` : "false";
}

/**
 * Puts every table with rows of workspaces under forced row security: PostgreSQL itself then shows a workspace its own rows only,
 * whatever a statement forgets. SQLite has nothing like it. Throws where this transaction made a table and nothing says who sees
 * its rows; tables that others keep in the same database are left alone.
 */
export async function secureTenantTables(engine: SqlDb["engine"], tx: Tx): Promise<void> {
  if (engine !== "postgres") return;
  const rows = await tx.all<{ name: string; columns: string; is_new: boolean }>(
    `SELECT c.relname AS name, string_agg(a.attname, ' ') AS columns,
       c.xmin::text = (txid_current() % 4294967296)::text AS is_new FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND NOT c.relforcerowsecurity
     GROUP BY c.relname, c.xmin::text`,
  );
  const found = await tx.get<{ is_there: number }>("SELECT (to_regclass('nodes') IS NOT NULL)::int AS is_there");
  for (const { name, columns, is_new } of rows) {
    const rule = ruleOf(name, new Set(columns.split(" ")), found?.is_there === 1);
    if (rule === undefined && is_new)
      throw new Error(
        `the table ${name} has no tenant_id, and SPECIAL in row-security.ts does not say who sees its rows`,
      );
    if (rule === undefined || rule === null) continue;
    // Asked first: what works for all looks nothing up for each row.
    await tx.script(`ALTER TABLE "${name}" ENABLE ROW LEVEL SECURITY;
      ALTER TABLE "${name}" FORCE ROW LEVEL SECURITY;
      CREATE POLICY own_tenant ON "${name}" USING (${IS_SYSTEM} OR ${rule});`);
  }
}
