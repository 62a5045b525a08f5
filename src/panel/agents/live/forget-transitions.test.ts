import { expect, test } from "bun:test";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { liveTables } from "./journal-store.ts";

onEachEngine("changes of a restless node", (engine) => {
  const databases = panelDatabases(engine);

  test("are forgotten in parts that let others between, whether there are too many or they are too old", async () => {
    const db = await databases.open();
    const panel = await createTestPanel(db);
    const { tenant_id } = await panel.join("owner");
    await createTestNodes(panel).enrol(tenant_id, "busy");
    let largest = 0;
    const tables = liveTables({
      ...db,
      scoped(settings) {
        const own = db.scoped(settings);
        return {
          ...own,
          async run(sql, values) {
            const changed = await own.run(sql, values);
            largest = Math.max(largest, changed);
            return changed;
          },
        };
      },
    });
    await panel.system.run(
      `INSERT INTO node_transitions (tenant_id, node_id, at, from_status, to_status, reasons)
       WITH RECURSIVE many (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM many WHERE at < 5000)
       SELECT CAST(? AS TEXT), 'busy', at, 'online', 'degraded', '[]' FROM many`,
      [tenant_id],
    );
    const left = async () => {
      const sql = "SELECT count(*) AS count, min(at) AS first FROM node_transitions WHERE tenant_id = ?";
      const row = await panel.system.get<{ count: number; first: number }>(sql, [tenant_id]);
      return [Number(row?.count), Number(row?.first)];
    };
    await tables.forgetSurplus(2_600);
    expect(await left()).toEqual([2_600, 2_401]);
    await tables.forget(5_000);
    expect(await left()).toEqual([1, 5_000]);
    expect(largest).toBe(1_000);
  });
});
