import { beforeAll, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../tests/kit/panel-app.ts";
import { freshDatabases, onEachEngine } from "../../../tests/kit/sql-databases.ts";

onEachEngine("tenant database", (engine) => {
  const databases = freshDatabases(engine);
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
  });

  test("a statement must name the workspace, and gets only the token's", async () => {
    const ada = await panel.join("ada");
    await panel.join("bob");
    const db = panel.tenant(ada.tenant_id);
    const failure = await db.all("SELECT id FROM members").catch(String);
    expect(failure).toContain("must name :tenant");
    expect(await db.all("SELECT id FROM members WHERE tenant_id = :tenant AND ':tenant' <> ?", ["x"])).toEqual([
      { id: ada.member_id },
    ]);
  });

  test("a membership cannot point into another workspace", async () => {
    const ada = await panel.join("carol");
    const bob = await panel.join("dave");
    const values = [ada.tenant_id, "ses_x", bob.member_id, ada.account_id];
    const sql = "INSERT INTO sessions (tenant_id, id, member_id, account_id, created_at) VALUES (?, ?, ?, ?, 0)";
    expect(await panel.system.run(sql, values).catch(() => "refused")).toBe("refused");
  });

  if (engine !== "postgres") return;

  test("PostgreSQL itself keeps workspaces apart", async () => {
    const eve = await panel.join("eve");
    const other = await panel.join("frank");
    const tables = await panel.db.all<{ name: string; forced: boolean }>(
      `SELECT c.relname AS name, c.relforcerowsecurity AS forced FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
       WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["audit_entries", "members", "nodes"]));
    expect(tables.every(({ forced }) => forced)).toBe(true);
    for (const { name } of tables) expect(await panel.db.all(`SELECT * FROM ${name}`)).toEqual([]);
    const db = panel.tenant(eve.tenant_id);
    // Statements that forget the rule see no more than the ones that keep it.
    expect(await db.all("SELECT tenant_id FROM tenants WHERE '' <> :tenant")).toEqual([{ tenant_id: eve.tenant_id }]);
    expect(
      await db.run("UPDATE members SET role = 'org_viewer' WHERE '' <> :tenant AND id = ?", [other.member_id]),
    ).toBe(0);
    const foreign = "UPDATE members SET tenant_id = ? WHERE tenant_id = :tenant";
    expect(await db.run(foreign, [other.tenant_id]).catch((error) => String(error))).toContain("row-level security");
  });
});
