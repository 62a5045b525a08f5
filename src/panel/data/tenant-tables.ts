/** The tables with rows of workspaces, those that stand on others first: in this order they can be emptied. */
export function listTenantTables(migrations: readonly { sql: string }[]): string[] {
  const made = migrations.flatMap(({ sql }) => [...sql.matchAll(/CREATE TABLE (\w+) \(([^;]*);/g)]);
  const own = made.filter(([, , columns = ""]) => /^\s*tenant_id TEXT/m.test(columns));
  return own.map(([, name = ""]) => name).toReversed();
}
