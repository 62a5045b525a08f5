import { expect, test } from "bun:test";
import { usePeople } from "../../../../tests/kit/one-person.ts";
import type { Person } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";

onEachEngine("the owner who comes in without an enforced sign-on", (engine) => {
  const makePeople = usePeople(engine);

  /** A workspace whose sign-on is enforced for all but one owner, and a token of another one who came by it. */
  async function makeEnforced() {
    const world = await makePeople();
    const { panel, owner, id } = world;
    const exempt = await panel.invite(owner, `exempt-${owner.member_id}`, "org_owner");
    const give = (who: Person, factor: 0 | 1) =>
      panel.system.run("UPDATE accounts SET has_factor = ? WHERE id = ?", [factor, who.account_id]);
    await give(exempt, 1);
    world.addPerson("boss");
    const boss = (await world.signIn("boss")).body.user.id;
    await panel.system.run("UPDATE members SET role = 'org_owner' WHERE id = ?", [boss]);
    const { token } = (await world.signIn("boss")).body;
    const asBoss = (route: string, body?: unknown) => panel.call(route, { token, body });
    const choose = ({ member_id: break_glass_member_id }: Person) =>
      asBoss(`POST /api/sso/connectors/${id}/enforce`, { break_glass_member_id });
    expect((await choose(exempt)).body.state).toBe("enforced");
    const look = async (who: Person) => (await panel.call("GET /api/team/members", { token: who.token })).body.code;
    expect(await look(exempt)).toBeUndefined();
    return { ...world, exempt, give, asBoss, choose, look };
  }
  type World = Awaited<ReturnType<typeof makeEnforced>>;

  test("is an owner with a second factor, or comes in as everybody does", async () => {
    const { panel, exempt, give, look, scim } = await makeEnforced();
    await give(exempt, 0);
    expect(await look(exempt)).toBe("sso_required");
    await give(exempt, 1);
    expect(await look(exempt)).toBeUndefined();
    await panel.system.run("UPDATE members SET role = 'org_admin' WHERE id = ?", [exempt.member_id]);
    expect(await look(exempt)).toBe("sso_required");
    // The directory leaves only an owner alone who is the one.
    expect((await scim(`DELETE /Users/${exempt.member_id}`)).status).toBe(204);
  });

  test("stays one until another is named", async () => {
    const { panel, owner, exempt, give, asBoss, choose, look, scim } = await makeEnforced();
    const asExempt = (route: string) => panel.call(route, { token: exempt.token });
    const member = `/api/team/members/${exempt.member_id}`;
    const asked = [
      await asBoss(`PUT ${member}/role`, { role: "org_admin" }),
      await asBoss(`DELETE ${member}`),
      await asBoss(`POST ${member}/factor-reset`),
      await asExempt(`POST /api/workspaces/${exempt.tenant_id}/leave`),
    ];
    expect(asked.map(({ status, body }) => [status, body.code, body.error])).toEqual(
      asked.map(() => [409, "break_glass_kept", "last_owner"]),
    );
    expect(await look(exempt)).toBeUndefined();
    const kept = await scim(`DELETE /Users/${exempt.member_id}`);
    expect([kept.status, kept.body.detail]).toEqual([403, expect.stringContaining("without single sign-on")]);
    expect((await asBoss(`PUT ${member}/role`, { role: "org_owner" })).status).toBe(200);
    await give(owner, 1);
    expect((await choose(owner)).body.state).toBe("enforced");
    expect((await asBoss(`PUT ${member}/role`, { role: "org_admin" })).status).toBe(200);
    expect(await look(exempt)).toBe("sso_required");
    expect((await scim(`DELETE /Users/${exempt.member_id}`)).status).toBe(204);
  });

  /** Gives somebody one security key, as far as the account goes. */
  const addKey = ({ panel }: World, { account_id }: Person, id: string) =>
    panel.system.run(
      `INSERT INTO security_keys (id, account_id, name, credential_id, public_key, counter, transports, rp_id, created_at)
       VALUES (?, ?, 'Key', ?, '', 0, '[]', 'localhost', 0)`,
      [id, account_id, id],
    );

  test("keeps their last second factor while the sign-on is enforced", async () => {
    const world = await makeEnforced();
    const { panel, exempt, owner, give, choose } = world;
    const key = `key_${exempt.member_id}`;
    await addKey(world, exempt, key);
    const remove = () => panel.call(`DELETE /api/auth/webauthn/credentials/${key}`, { token: exempt.token });
    const kept = await remove();
    expect([kept.status, kept.body.code]).toEqual([409, "factor_wanted"]);
    await give(owner, 1);
    await choose(owner);
    expect((await remove()).status).toBe(200);
  });

  test("a reset that was begun before they became the one takes nothing off", async () => {
    const { panel, owner, exempt, give, asBoss, choose, id } = await makeEnforced();
    const { account_id, tenant_id } = exempt;
    await panel.system.run("DELETE FROM members WHERE account_id = ? AND tenant_id <> ?", [account_id, tenant_id]);
    await give(owner, 1);
    await choose(owner);
    expect((await asBoss(`POST /api/team/members/${exempt.member_id}/factor-reset`)).status).toBe(202);
    expect((await choose(exempt)).body.id).toBe(id);
    panel.clock.jump(24 * 3600_000 + 1);
    await panel.runJob("factor-resets.apply");
    const row = await panel.system.get("SELECT has_factor FROM accounts WHERE id = ?", [account_id]);
    expect(row).toEqual({ has_factor: 1 });
  });
});
