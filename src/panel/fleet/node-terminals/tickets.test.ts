import { expect, test } from "bun:test";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { mayStay } from "./tickets.ts";

onEachEngine("whoever is at a terminal", (engine) => {
  const databases = panelDatabases(engine);

  test("stays as long as they may come in the way that the workspace wants", async () => {
    const panel = await createTestPanel(await databases.open());
    const owner = await panel.join("owner");
    const { token: _, email: __, ...admin } = await panel.invite(owner, "admin", "org_admin");
    const session = await panel.system.get<{ id: string }>("SELECT id FROM sessions WHERE member_id = ?", [
      admin.member_id,
    ]);
    const stays = (is_wsl = false) => {
      const own = { role: "org_admin", is_staff: false, session_id: session?.id ?? "", is_wsl } as const;
      const actor = { ...admin, ...own, db: panel.tenant(owner.tenant_id) };
      return mayStay(panel.ctx, { actor, ip: "192.0.2.1", node_id: "atlas", app: "", service: null });
    };
    expect(await stays()).toBe(true);
    await panel.system.run("UPDATE accounts SET has_factor = 1 WHERE id = ?", [owner.account_id]);
    await panel.system.run("UPDATE tenants SET require_2fa = 1 WHERE tenant_id = ?", [owner.tenant_id]);
    expect(await stays()).toBe(false);
    await panel.system.run("UPDATE tenants SET require_2fa = 0, sign_in = 'sso' WHERE tenant_id = ?", [
      owner.tenant_id,
    ]);
    expect([await stays(), await stays(true)]).toEqual([false, true]);
  });
});
