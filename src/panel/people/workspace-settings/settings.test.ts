import { expect, spyOn, test } from "bun:test";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { until } from "../../../../tests/kit/until.ts";
import { narrow } from "../../data/tenant-db.ts";
import { lockWorkspace } from "../tenants/index.ts";

onEachEngine("settings of a workspace", (engine) => {
  const databases = panelDatabases(engine);

  test("of two who change different ones at once neither takes back what the other chose", async () => {
    const panel = await createTestPanel(await databases.open());
    const { token, tenant_id } = await panel.join("ada");
    const put = (body: object) => panel.call("PUT /api/v1/workspace/settings", { token, body });
    const letIn = spyOn(panel.ctx.tenants, "findMembership");
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const holding = panel.system.tx(async (tx) => {
      await lockWorkspace(narrow(tx, tenant_id));
      hold();
      await released;
    });
    await held;
    const both = [put({ record_terminal_sessions: false }), put({ agent_auto_update: false })];
    await until(() => letIn.mock.results.length > 1, { everyMs: 1, what: "the guard" });
    await Promise.all(letIn.mock.results.map(({ value }) => value));
    letIn.mockRestore();
    release();
    await holding;
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await panel.call("GET /api/v1/workspace/settings", { token });
    expect(body).toMatchObject({ record_terminal_sessions: false, agent_auto_update: false });
  });
});
