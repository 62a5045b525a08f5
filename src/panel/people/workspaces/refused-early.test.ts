import { expect, test } from "bun:test";
import { suite } from "../../../../tests/kit/env.ts";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";

suite("workspaces that somebody else changes", ["postgres"], () => {
  const databases = panelDatabases("postgres");

  test("whoever may not leave or delete one is told so at once, and waits for none of its rows", async () => {
    const panel = await createTestPanel(await databases.open());
    const owner = await panel.join("owner");
    const viewer = await panel.invite(owner, "viewer", "org_viewer");
    const stranger = await panel.join("stranger");
    const [held, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = panel.ctx.system.tx(async (tx) => {
      await panel.ctx.tenants.lockMembers(tx, owner.tenant_id);
      held.resolve();
      await ended.promise;
    });
    await held.promise;
    const codes = [];
    for (const [{ token }, route] of [
      [stranger, `DELETE /api/workspaces/${owner.tenant_id}`],
      [stranger, `POST /api/workspaces/${owner.tenant_id}/leave`],
      [viewer, `DELETE /api/workspaces/${owner.tenant_id}`],
      [owner, `POST /api/workspaces/${owner.tenant_id}/leave`],
    ] as const)
      codes.push((await panel.call(route, { token })).body.code);
    ended.resolve();
    await holder;
    expect(codes).toEqual(["workspace_not_found", "workspace_not_found", "workspace_role_missing", "last_owner"]);
  });
});
