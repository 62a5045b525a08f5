import { beforeAll, expect, test } from "bun:test";
import type { TestPanel } from "../../../../tests/kit/panel-app.ts";
import { SCIM_PATCH, useDirectories } from "../../../../tests/kit/scim-directory.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";

const patch = (value: boolean) => ({
  schemas: [SCIM_PATCH],
  Operations: [{ op: "replace", path: "active", value }],
});

onEachEngine("whom a member removed", (engine) => {
  const { makeWorld, panel: ofTest } = useDirectories(engine);
  let panel: TestPanel;
  beforeAll(() => {
    panel = ofTest();
  });
  /** A directory, somebody whom it brought and made an admin by a group, and the addresses of those who may enter. */
  const makeEve = async () => {
    const world = await makeWorld();
    const eve = await world.addUser("eve");
    const members = [{ value: eve.id }];
    const group = (await world.scim("POST /Groups", { displayName: "Ops", members })).body;
    await world.call(`PUT /api/scim/groups/${group.id}`, { role: "org_admin" });
    expect(await world.roleOf(eve.id)).toBe("org_admin");
    const remove = async () => (await world.call(`DELETE /api/team/members/${eve.id}`)).body.mode;
    const listIn = async () =>
      (await world.call("GET /api/team/members?active_only=true")).body.map(({ email }: { email: string }) => email);
    return { ...world, eve, email: `eve@${world.host}`, remove, listIn };
  };

  test("comes back by no directory, though nothing is left of the membership and its account is forgotten", async () => {
    const { owner, eve, email, remove, addUser, scim, listIn } = await makeEve();
    expect(await remove()).toBe("deleted");
    for (const forgotten of [false, true]) {
      if (forgotten) await panel.runJob("tenants.forget_accounts");
      expect((await scim(`PATCH /Users/${eve.id}`, patch(true))).status).toBe(404);
      expect((await addUser("eve")).code).toBe("scim_refused");
      expect(await listIn()).toEqual([owner.email]);
    }
    expect(await panel.system.get("SELECT 1 AS one FROM accounts WHERE email = ?", [email])).toBeNull();
  });

  test("comes back by no directory that had turned them off, or deleted them, before", async () => {
    for (const end of ["off", "gone"]) {
      const { owner, eve, scim, remove, addUser, listIn } = await makeEve();
      const member = await panel.ctx.tenants.findMembership(owner.tenant_id, eve.id);
      if (end === "off") await scim(`PATCH /Users/${eve.id}`, patch(false));
      else await scim(`DELETE /Users/${eve.id}`);
      // What they did there keeps the membership.
      await panel.system.run(
        "UPDATE audit_entries SET member_id = ? WHERE tenant_id = ? AND action = 'scim.user_add'",
        [member?.member_id ?? "", owner.tenant_id],
      );
      expect(await remove()).toBe("disabled");
      if (end === "off") expect((await scim(`PATCH /Users/${eve.id}`, patch(true))).body.scimType).toBe("mutability");
      else expect((await addUser("eve")).code).toBe("scim_refused");
      expect(await listIn()).toEqual([owner.email]);
    }
  });

  test("comes back by an invitation, or when they are restored, and is the directory's again", async () => {
    const invited = await makeEve();
    await invited.remove();
    const { body } = await invited.call("POST /api/invitations/bulk", { emails: [invited.email], role: "org_viewer" });
    const [, token] = body.invited[0].url.split("#");
    const joining = { token, name: "Eve", password: "correct horse battery" };
    await panel.runJob("tenants.forget_accounts");
    expect((await panel.call("POST /api/auth/accept-invite", { body: joining })).status).toBe(200);
    expect(await invited.listIn()).toContain(invited.email);

    const restored = await makeEve();
    const off = (value: boolean) => restored.scim(`PATCH /Users/${restored.eve.id}`, patch(value));
    await off(false);
    await panel.system.run("UPDATE audit_entries SET member_id = ? WHERE tenant_id = ? AND action = 'scim.user_add'", [
      restored.eve.id,
      restored.owner.tenant_id,
    ]);
    await restored.remove();
    expect((await off(true)).status).toBe(400);
    expect((await restored.call(`POST /api/team/members/${restored.eve.id}/restore`)).status).toBe(200);
    expect((await off(false)).body.active).toBe(false);
    expect((await off(true)).body.active).toBe(true);
  });
});
