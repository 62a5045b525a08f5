import type { SqlDb, Tx } from "../../kernel/sql/port.ts";

const RULE =
  "tenant_id = nullif(current_setting('app.tenant', true), '') OR current_setting('app.system', true) = 'on'";

/**
 * Puts every table with a `tenant_id` under forced row security: PostgreSQL itself then shows a workspace its own rows only,
 * whatever a statement forgets. SQLite has nothing like it.
 */
export async function secureTenantTables(engine: SqlDb["engine"], tx: Tx): Promise<void> {
  if (engine !== "postgres") return;
  const tables = await tx.all<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
     WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND NOT c.relforcerowsecurity`,
  );
  for (const { name } of tables) {
    await tx.script(`ALTER TABLE "${name}" ENABLE ROW LEVEL SECURITY;
      ALTER TABLE "${name}" FORCE ROW LEVEL SECURITY;
      CREATE POLICY own_tenant ON "${name}" USING (${RULE});`);
  }
}
