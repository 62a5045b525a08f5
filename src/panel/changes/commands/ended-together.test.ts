import { expect, test } from "bun:test";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import { until } from "../../../../tests/kit/until.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import { createCommandQueue } from "./queue.ts";
import { EXPIRE } from "./queue-store.ts";

/** Commands of one node that end in the same minute. */
const COUNT = 1_150;

onEachEngine("commands that end together", (engine) => {
  const databases = panelDatabases(engine);

  test("end, and are forgotten, in parts that let others between", async () => {
    const panel = await createTestPanel(await databases.open());
    const ada = await panel.join("ada");
    await createTestNodes(panel).enrol(ada.tenant_id, "ada-1");
    const told = new Map<object, number>();
    let largest = 0;
    const queue = createCommandQueue({
      ...{ clock: panel.clock, log: createTestLog().log, nodes: panel.nodes },
      system: {
        ...panel.system,
        async run(sql, values) {
          const changed = await panel.system.run(sql, values);
          largest = Math.max(largest, changed);
          return changed;
        },
      },
      bus: { onEmit: () => () => {}, emit: async (tx) => void told.set(tx, (told.get(tx) ?? 0) + 1) },
    });
    const ended: string[] = [];
    queue.onEnded((commands) => void ended.push(...commands.map(({ id }) => id)));
    await panel.system.run(
      `INSERT INTO commands (tenant_id, id, node_id, type, payload, generation, status, created_by, created_at, expires_at)
       WITH RECURSIVE many (no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM many WHERE no < ?)
       SELECT CAST(? AS TEXT), 'c-' || no, 'ada-1', 'inventory.refresh', '{}', no, 'queued', 'm', 0, CAST(? AS BIGINT) FROM many`,
      [COUNT, ada.tenant_id, panel.clock.now() + 1],
    );
    await queue.start();
    expect(queue.waiting("ada-1")).toBe(COUNT);
    await panel.clock.advance(minutes(1));
    await until(() => queue.waiting("ada-1") === 0);
    expect([...told.values()].reduce((sum, count) => sum + count, 0)).toBe(COUNT);
    expect(Math.max(...told.values())).toBeLessThanOrEqual(200);
    expect(new Set(ended).size).toBe(COUNT);
    panel.clock.jump(days(31));
    await panel.clock.advance(hours(1));
    await until(async () => (await panel.system.get("SELECT 1 AS one FROM commands LIMIT 1")) === null);
    queue.stop();
    expect(largest).toBeLessThanOrEqual(500);
  });

  if (engine === "sqlite")
    test("are found by when their time is over, without a look at all that wait", async () => {
      const { system } = await createTestPanel(await databases.open());
      const plan = await system.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${EXPIRE}`, [0, 0, 1]);
      const steps = plan.map(({ detail }) => detail).filter((detail) => /commands/.test(detail));
      expect(steps).toEqual([
        expect.stringMatching(/^SEARCH commands USING INDEX .*\(tenant_id=\? AND id=\?\)$/),
        "SEARCH commands USING INDEX commands_open (expires_at<?)",
      ]);
    });
});
