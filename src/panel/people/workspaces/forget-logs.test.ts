import { expect, test } from "bun:test";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { forgetLogs } from "./forget-logs.ts";

onEachEngine("the log of a workspace that was deleted", (engine) => {
  const databases = panelDatabases(engine);

  test("goes after it in parts, also when a run was broken off, and no other one does", async () => {
    const panel = await createTestPanel(await databases.open());
    const { system } = panel;
    const [ada, bo] = [await panel.join("ada"), await panel.join("bo")];
    const made = (await panel.call("POST /api/workspaces", { token: ada.token, body: { name: "Full" } })).body;
    const write = async (tenantId: string) => {
      for (let no = 0; no < 25; no++)
        await system.run(
          `INSERT INTO audit_entries (tenant_id, id, at, member_id, account_id, action, subject_id, details, ip)
           VALUES (?, ?, 0, 'm', 'a', 'scim.user_on', 's', '{}', '')`,
          [tenantId, `aud_${no}`],
        );
    };
    for (const id of [made.workspace.id, bo.tenant_id]) await write(id);
    const count = async (id: string) =>
      Number(
        (await system.get<{ count: number }>("SELECT count(*) AS count FROM audit_entries WHERE tenant_id = ?", [id]))
          ?.count,
      );
    const [ofBo, ofFull] = [await count(bo.tenant_id), await count(made.workspace.id)];
    const drop = await panel.call(`DELETE /api/workspaces/${made.workspace.id}`, { token: made.token });
    expect([drop.status, drop.body.status]).toEqual([200, "deleted"]);
    expect(await count(made.workspace.id)).toBe(ofFull);

    const stop = new AbortController();
    const parts: number[] = [];
    const counted: typeof system = {
      ...system,
      run: async (sql, values) => {
        const deleted = await system.run(sql, values);
        if (parts.push(deleted) === 2) stop.abort();
        return deleted;
      },
    };
    await forgetLogs({ system: counted, audit: panel.ctx.audit }, stop.signal, 10);
    expect([parts, await count(made.workspace.id)]).toEqual([[10, 10], ofFull - 20]);
    await panel.runJob("workspaces.forget_logs");
    expect([await count(made.workspace.id), await count(bo.tenant_id)]).toEqual([0, ofBo]);
  });
});
