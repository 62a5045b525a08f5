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
    const accountOf = async (id: string) =>
      (await panel.ctx.tenants.findMembership(world.owner.tenant_id, id))?.account_id ?? "";
    /** Gives the account of a member another address, as its owner may who has a passphrase. */
    const moveTo = async (address: string, id = eve.id) => {
      const account = await accountOf(id);
      await panel.system.tx(async (tx) => {
        await panel.ctx.tenants.updatePasswordHash(tx, account, "hash of a passphrase");
        expect(await panel.ctx.tenants.updateEmail(tx, account, address)).toBe(true);
      });
    };
    return { ...world, eve, email: `eve@${world.host}`, remove, listIn, moveTo };
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

  test("comes back by nothing that the directory knew them by, though they gave their account another address before", async () => {
    const { owner, host, remove, addUser, listIn, moveTo, scim, email } = await makeEve();
    await moveTo(`eve@private-${host}`);
    expect(await remove()).toBe("deleted");
    const mail = (login: string) => ({ emails: [{ primary: true, value: `${login}@${host}` }] });
    const ways = [
      {},
      { userName: "other" },
      { externalId: "other", userName: "other" },
      { externalId: "ext-eve", ...mail("other") },
      { externalId: undefined, ...mail("other") },
      { externalId: undefined, userName: email.toUpperCase(), ...mail("other") },
    ];
    for (const more of ways) expect((await addUser("eve", more)).code).toBe("scim_refused");
    expect((await addUser("other", { externalId: "ext-eve" })).code).toBe("scim_refused");
    // Nor as what somebody else becomes.
    const other = await addUser("other");
    for (const value of [{ externalId: "ext-eve" }, { userName: email }, mail("eve")]) {
      const change = { schemas: [SCIM_PATCH], Operations: [{ op: "replace", value }] };
      expect((await scim(`PATCH /Users/${other.id}`, change)).body.code).toBe("scim_refused");
    }
    expect(await listIn()).toEqual([owner.email, `other@${host}`]);
    // Turning off is always possible, and nothing by which they come in again as Eve.
    const off = {
      schemas: [SCIM_PATCH],
      Operations: [{ op: "replace", value: { active: false, externalId: "ext-eve" } }],
    };
    expect((await scim(`PATCH /Users/${other.id}`, off)).body.active).toBe(false);
    expect((await scim(`PATCH /Users/${other.id}`, patch(true))).body.scimType).toBe("mutability");
  });

  test("comes back by no address that the directory gave them before", async () => {
    const { host, eve, remove, addUser, scim } = await makeEve();
    const value = { userName: "eva", emails: [{ primary: true, value: `eva@${host}` }], externalId: "ext-eva" };
    const changed = { schemas: [SCIM_PATCH], Operations: [{ op: "replace", value }] };
    expect((await scim(`PATCH /Users/${eve.id}`, changed)).body.emails[0].value).toBe(`eva@${host}`);
    expect(await remove()).toBe("deleted");
    expect((await addUser("eve")).code).toBe("scim_refused");
  });

  test("keeps nobody out who has the name of theirs that is no address, and whom the directory tells apart", async () => {
    const { host, remove, addUser, scim, eve } = await makeEve();
    const named = { schemas: [SCIM_PATCH], Operations: [{ op: "replace", value: { userName: "JSmith" } }] };
    expect((await scim(`PATCH /Users/${eve.id}`, named)).body.userName).toBe("JSmith");
    await remove();
    const newcomer = { userName: "jsmith", emails: [{ primary: true, value: `jane@${host}` }] };
    expect((await addUser("jane", { ...newcomer, externalId: undefined })).code).toBe("scim_refused");
    const jane = await addUser("jane", newcomer);
    expect(jane.userName).toBe("jsmith");
    // Nor whom it gives that name alone, or with another id: the row has one of its own.
    await scim(`DELETE /Users/${jane.id}`);
    const bob = await addUser("bob", { userName: "bob" });
    const name = (value: Record<string, unknown>) =>
      scim(`PATCH /Users/${bob.id}`, { schemas: [SCIM_PATCH], Operations: [{ op: "replace", value }] });
    expect((await name({ userName: "jsmith" })).body.userName).toBe("jsmith");
    expect((await name({ userName: "bob" })).status).toBe(200);
    expect((await name({ userName: "jsmith", externalId: "ext-bob2" })).status).toBe(200);
    const ida = await addUser("ida", { userName: "ida", externalId: undefined });
    await scim(`DELETE /Users/${bob.id}`);
    const change = { schemas: [SCIM_PATCH], Operations: [{ op: "replace", value: { userName: "jsmith" } }] };
    expect((await scim(`PATCH /Users/${ida.id}`, change)).body.code).toBe("scim_refused");
  });

  test("leaves those in who have an address that was theirs, and comes back when any of their addresses is invited", async () => {
    const { host, email, remove, addUser, listIn, moveTo, call, scim } = await makeEve();
    await moveTo(`eve@private-${host}`);
    // The directory calls Eve something else by now, and somebody else has what she had.
    const { body } = await scim(`GET /Users?filter=${encodeURIComponent(`userName eq "${email}"`)}`);
    const value = { userName: "eve", emails: [{ primary: true, value: `eve.s@${host}` }] };
    const renamed = { schemas: [SCIM_PATCH], Operations: [{ op: "replace", value }] };
    expect((await scim(`PATCH /Users/${body.Resources[0].id}`, renamed)).status).toBe(200);
    const other = await addUser("eve", { externalId: "ext-other" });
    expect(await remove()).toBe("deleted");
    const off = async (one: boolean) => (await scim(`PATCH /Users/${other.id}`, patch(one))).body.active;
    expect([await off(false), await off(true)]).toEqual([false, true]);
    expect((await addUser("eve.s", { externalId: "ext-eve" })).code).toBe("scim_refused");

    const invited = (await call("POST /api/invitations/bulk", { emails: [`eve.s@${host}`], role: "org_viewer" })).body;
    const [, token] = invited.invited[0].url.split("#");
    const joining = { token, name: "Eve", password: "correct horse battery" };
    const back = await panel.call("POST /api/auth/accept-invite", { body: joining });
    expect(back.status).toBe(200);
    expect(await listIn()).toContain(`eve.s@${host}`);
    await scim(`DELETE /Users/${back.body.user_id}`);
    expect((await addUser("eve.s", { externalId: "ext-eve" })).userName).toBe(`eve.s@${host}`);
  });
});
