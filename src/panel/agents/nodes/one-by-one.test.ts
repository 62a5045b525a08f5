import { beforeAll, expect, test } from "bun:test";
import { TEST_SEAL } from "../../../../tests/kit/authority.ts";
import { createMemoryLive } from "../../../../tests/kit/memory-live.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createPanelBase } from "../../../../tests/kit/panel-base.ts";
import { createTestNodes, type TestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import { createNodes } from "./index.ts";

onEachEngine("certificates, one after another", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let enrolled: TestNodes;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
    enrolled = createTestNodes(panel);
  });

  /** The panel's nodes over the same tables; `begun` is how many transactions there were, `most` how many at the same time. */
  async function counted() {
    const asked = { begun: 0, now: 0, most: 0 };
    const system: SystemDb = {
      ...panel.system,
      async tx(fn) {
        asked.begun += 1;
        asked.now += 1;
        asked.most = Math.max(asked.most, asked.now);
        try {
          return await panel.system.tx(fn);
        } finally {
          asked.now -= 1;
        }
      },
    };
    const { log } = createTestLog();
    const live = createMemoryLive(panel.clock);
    const nodes = createNodes({
      ...createPanelBase(panel.clock, { log, seal: TEST_SEAL }),
      ...{ system, tenants: panel.ctx.tenants, live },
    });
    await nodes.start();
    const { renew, register } = createTestNodes({ nodes, live, system: panel.system, clock: panel.clock });
    return { asked, register, renew: (id: string) => renew(id, nodes.directory.find(id)?.current ?? "") };
  }

  test("those who wait for their turn hold no connection meanwhile", async () => {
    const { tenant_id } = await panel.join("many");
    const ids = Array.from({ length: 6 }, (_, no) => `many-${no}`);
    for (const id of ids) await enrolled.enrol(tenant_id, id);
    const { asked, renew } = await counted();
    expect(await Promise.all(ids.map(renew))).toHaveLength(ids.length);
    expect(asked).toMatchObject({ begun: ids.length, most: 1 });
  });

  test("a token that nobody made is refused without a turn", async () => {
    const { asked, register } = await counted();
    expect(await register("made up", "nobody").catch((error: unknown) => error)).toMatchObject({
      code: "token_refused",
    });
    expect(asked.begun).toBe(0);
  });

  test("whoever had enough is told so without a turn", async () => {
    const { tenant_id } = await panel.join("eager");
    await enrolled.enrol(tenant_id, "eager");
    const { asked, renew } = await counted();
    for (let times = 0; times < 20; times++) await renew("eager");
    expect(await renew("eager").catch((error: unknown) => error)).toMatchObject({ code: "too_many_requests" });
    expect(asked.begun).toBe(20);
  });
});
