import { beforeAll, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../tests/kit/panel-nodes.ts";
import { freshDatabases, onEachEngine } from "../../../tests/kit/sql-databases.ts";
import { makeThings } from "../../../tests/kit/tenant-things.ts";
import { collectMigrations } from "../../kernel/feature.ts";
import { migrateSqlDb } from "../../kernel/sql/migrate.ts";
import { panelFeatures } from "../features.ts";
import { migratePanel } from "../open-data.ts";
import { secureTenantTables } from "./row-security.ts";
import { openSystem, openTenant } from "./tenant-db.ts";

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

  test("what a member does across workspaces waits in the share of the member", () => {
    const shares: unknown[] = [];
    const db: typeof panel.db = {
      ...panel.db,
      scoped(settings, whose) {
        shares.push(whose);
        return panel.db.scoped(settings, whose);
      },
    };
    openSystem(db).by({ db: openTenant(db, "ten_a", "acc_a") });
    openSystem(db).onBehalfOf(["ten_a", "acc_b"]);
    expect(shares).toEqual([
      ["", ""],
      ["ten_a", "acc_a"],
      ["ten_a", "acc_a"],
      ["", ""],
      ["ten_a", "acc_b"],
    ]);
  });

  if (engine !== "postgres") return;

  test("a migration that changes rows changes those of every workspace", async () => {
    const db = await databases.open();
    const before = collectMigrations(panelFeatures).filter(
      ({ feature, number }) => !(feature === "sessions" && number > 1),
    );
    const now = "2026-01-01T00:00:00.000Z";
    const nothing = async () => {};
    await migrateSqlDb(db, before, now, nothing, (tx) => secureTenantTables(db.engine, tx));
    const system = db.scoped({ "app.system": "on" });
    await system.run(
      "INSERT INTO accounts (id, email, display_name, password_hash, created_at) VALUES ('a', 'e', 'n', 'h', 0)",
    );
    await system.run("INSERT INTO tenants (tenant_id, name, created_at) VALUES ('t', 'n', 0)");
    await system.run(
      "INSERT INTO members (tenant_id, id, account_id, role, last_active_at, created_at) VALUES ('t', 'm', 'a', 'org_owner', 7, 0)",
    );
    await system.run(
      "INSERT INTO sessions (tenant_id, id, member_id, account_id, created_at) VALUES ('t', 's', 'm', 'a', 5)",
    );
    await migratePanel(db, now, "");
    expect(await system.all("SELECT family, renewed_at FROM sessions")).toEqual([{ family: "s", renewed_at: 7 }]);
  });

  test("a migration whose table nobody is said to see is refused whole; tables of others stop nothing", async () => {
    const db = await databases.open();
    const now = "2026-01-01T00:00:00.000Z";
    await db.tx((tx) => tx.script("CREATE TABLE notes_of_the_admin (id TEXT)"));
    const migrate = (name: string) => {
      const sql = `CREATE TABLE ${name} (id TEXT PRIMARY KEY)`;
      const more = { feature: "later", number: 1, sql };
      return migrateSqlDb(
        db.scoped({ "app.system": "on" }),
        [...collectMigrations(panelFeatures), more],
        now,
        async () => {},
        (tx) => secureTenantTables(db.engine, tx),
      );
    };
    expect(await migrate("passed_over").catch(String)).toContain("the table passed_over has no tenant_id");
    expect(await db.all("SELECT relname FROM pg_class WHERE relname IN ('passed_over', 'nodes')")).toEqual([]);
    await migratePanel(db, now, "");
    expect(await db.all("SELECT relforcerowsecurity AS f FROM pg_class WHERE relname = 'notes_of_the_admin'")).toEqual([
      { f: false },
    ]);
  });

  /** Every table of the panel, and whether row security is forced on it. */
  const listTables = () =>
    panel.db.all<{ name: string; forced: boolean }>(
      `SELECT relname AS name, relforcerowsecurity AS forced FROM pg_class
       WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
    );

  test("every table but those that hold nothing of a workspace is under forced row security", async () => {
    // Made when they are needed first.
    await panel.samples.range(1, 0, 1);
    const open = (await listTables()).filter(({ forced }) => !forced).map(({ name }) => name);
    // What was migrated, how long the panel listened, and which hours and days the tables of samples hold.
    expect(open).toEqual(["claimed_hours", "listening_runs", "migrations", "open_days", "raw_hours"]);
  });

  test("whoever works for one workspace sees rows of every table of that one only, and nobody else sees any", async () => {
    const nodes = createTestNodes(panel);
    const people = [await panel.join("gina"), await panel.join("hugo")];
    for (const person of people) {
      await makeThings(panel, nodes, person, `of${person.account_id.slice(4)}`);
    }
    await panel.samples.flush();
    const tables = (await listTables()).filter(({ forced }) => forced).map(({ name }) => name);
    const system = panel.db.scoped({ "app.system": "on" });
    const filled: string[] = [];
    for (const name of tables) {
      expect([name, await panel.db.all(`SELECT * FROM ${name}`)]).toEqual([name, []]);
      const all = (await system.all(`SELECT * FROM ${name}`)).map((row) => JSON.stringify(row));
      const seen = [];
      for (const { tenant_id } of people) {
        const own = await panel.db.scoped({ "app.tenant": tenant_id }).all(`SELECT * FROM ${name}`);
        seen.push(...own.map((row) => JSON.stringify(row)));
      }
      // Nothing is seen by both, and nothing that is not there.
      expect([name, new Set(seen).size, seen.every((row) => all.includes(row))]).toEqual([name, seen.length, true]);
      if (seen.length > 0) filled.push(name);
    }
    expect(filled).toEqual(expect.arrayContaining(["accounts", "members", "node_figures", "nodes", "tenants"]));
    expect(filled.some((name) => name.startsWith("raw_"))).toBe(true);
  });

  test("PostgreSQL itself keeps workspaces apart", async () => {
    const eve = await panel.join("eve");
    const other = await panel.join("frank");
    const db = panel.tenant(eve.tenant_id);
    // Statements that forget the rule see no more than the ones that keep it.
    expect(await db.all("SELECT tenant_id FROM tenants WHERE '' <> :tenant")).toEqual([{ tenant_id: eve.tenant_id }]);
    expect(
      await db.tx((tx) =>
        tx.run("UPDATE members SET role = 'org_viewer' WHERE '' <> :tenant AND id = ?", [other.member_id]),
      ),
    ).toBe(0);
    const foreign = "UPDATE members SET tenant_id = ? WHERE tenant_id = :tenant";
    expect(await db.tx((tx) => tx.run(foreign, [other.tenant_id])).catch((error) => String(error))).toContain(
      "row-level security",
    );
  });
});
