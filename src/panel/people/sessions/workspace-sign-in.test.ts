import { beforeAll, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { hours } from "../../../lib/duration.ts";

onEachEngine("sessions of a workspace's own sign-in", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
  });
  /** A token of a session that the workspace's own sign-in began. */
  async function enter({ tenant_id, member_id }: Person): Promise<string> {
    const member = await panel.ctx.tenants.findMembership(tenant_id, member_id);
    if (!member) throw new Error("nobody to sign in");
    const id = await panel.ctx.system.tx((tx) =>
      panel.ctx.sessions.startWorkspaceSignIn(tx, member, { ip: "127.0.0.1" }),
    );
    return (await panel.ctx.sessions.loginBody(id, member)).token;
  }

  test("it says so in its token, also once renewed, and knows its workspace alone", async () => {
    const host = await panel.join("host");
    const guest = await panel.invite(host, "guest", "org_admin");
    const token = await enter(guest);
    expect(decodeJwt(token)["wsl"]).toBe(true);
    const renewed = (await panel.call("POST /api/auth/refresh", { token })).body.token;
    expect(decodeJwt(renewed)["wsl"]).toBe(true);
    expect(decodeJwt(await panel.signIn(guest))["wsl"]).toBeUndefined();
    const { workspaces } = (await panel.call("GET /api/workspaces", { token })).body;
    expect(workspaces.map(({ id }: { id: string }) => id)).toEqual([host.tenant_id]);
    const found = (await panel.call("GET /api/search/global?q=guest", { token })).body.results;
    expect(found.filter(({ source }: { source: string }) => source === "workspaces")).toEqual([]);
  });

  test("it neither reaches another workspace nor changes the account", async () => {
    const host = await panel.join("owner");
    const guest = await panel.invite(host, "mallory", "org_admin");
    const own = await panel.system.get<{ tenant_id: string }>(
      "SELECT tenant_id FROM members WHERE account_id = ? AND tenant_id <> ?",
      [guest.account_id, host.tenant_id],
    );
    const home = own?.tenant_id ?? "";
    const token = await enter(guest);
    const asks: [string, unknown][] = [
      [`POST /api/workspaces/${home}/switch`, undefined],
      ["POST /api/workspaces", { name: "Another" }],
      ["PUT /api/auth/profile", { name: "Somebody else" }],
      ["POST /api/auth/password", { old_password: "none", new_password: "another good phrase" }],
      ["POST /api/auth/totp/enable", undefined],
      ["POST /api/auth/recovery-codes", undefined],
      ["POST /api/auth/webauthn/register/begin", undefined],
      ["DELETE /api/auth/webauthn/credentials/key_x", undefined],
      ["PATCH /api/auth/webauthn/credentials/key_x", { name: "Mine" }],
    ];
    for (const [route, body] of asks) {
      const answer = await panel.call(route, { token, body });
      expect([route, answer.status, answer.body.error]).toEqual([route, 403, "reauth_required"]);
    }
    expect((await panel.call(`PATCH /api/workspaces/${home}`, { token, body: { name: "Taken" } })).status).toBe(404);
    expect((await panel.call(`DELETE /api/workspaces/${home}`, { token })).status).toBe(404);
    expect((await panel.call(`POST /api/workspaces/${home}/leave`, { token })).status).toBe(404);
    const left = await panel.call(`POST /api/workspaces/${host.tenant_id}/leave`, { token });
    expect(left.body).toMatchObject({ status: "left", reauth_required: true });
    expect(left.body.token).toBeUndefined();
  });

  test("the network that it came from is none that the account itself signed in from", async () => {
    const guest = await panel.invite(await panel.join("network-host"), "network-guest", "org_viewer");
    const { tenants, sessions, system } = panel.ctx;
    const member = await tenants.findMembership(guest.tenant_id, guest.member_id);
    if (!member) throw new Error("nobody to sign in");
    const visit = { ip: "198.51.100.9" };
    const isKnown = () => sessions.isKnownNetwork(guest.account_id, networkOf(visit.ip));
    await system.tx((tx) => sessions.startWorkspaceSignIn(tx, member, visit));
    expect(await isKnown()).toBe(false);
    await system.tx((tx) => sessions.startSession(tx, member, visit));
    expect(await isKnown()).toBe(true);
  });

  test("nobody is platform staff by it", async () => {
    const host = await panel.join("plain");
    const staff = await panel.invite(host, "staff", "org_viewer");
    await panel.system.run("UPDATE accounts SET global_role = 'admin', has_factor = 1 WHERE id = ?", [
      staff.account_id,
    ]);
    const body = { name: "Racks" };
    expect((await panel.call("POST /api/fleet/groups", { token: await panel.signIn(staff), body })).status).toBe(200);
    const token = await enter(staff);
    expect((await panel.call("POST /api/fleet/groups", { token, body: { name: "More" } })).status).toBe(403);
    expect((await panel.call("GET /api/auth/me", { token })).body.global_role).toBeNull();
  });

  test("many of them end no other session of the account, and none outlives a day", async () => {
    const person = await panel.join("busy");
    const first = await enter(person);
    for (let count = 0; count < 100; count++) await enter(person);
    expect((await panel.call("GET /api/auth/me", { token: person.token })).status).toBe(200);
    expect((await panel.call("GET /api/auth/me", { token: first })).status).toBe(401);
    const token = await enter(person);
    await panel.clock.advance(hours(23));
    const { token: renewed } = (await panel.call("POST /api/auth/refresh", { token })).body;
    expect((await panel.call("GET /api/auth/me", { token: renewed })).status).toBe(200);
    await panel.clock.advance(hours(1) + 1);
    expect((await panel.call("POST /api/auth/refresh", { token: renewed })).status).toBe(401);
  });

  test("where the workspace wants it, another way in gets no further than to it, but for one owner", async () => {
    const host = await panel.join("strict");
    const member = await panel.invite(host, "member", "org_admin");
    await panel.system.run("UPDATE tenants SET sign_in = 'sso_x' WHERE tenant_id = ?", [host.tenant_id]);
    await panel.system.run("UPDATE accounts SET has_factor = 1 WHERE id = ?", [host.account_id]);
    await panel.system.run("UPDATE members SET is_break_glass = 1 WHERE tenant_id = ? AND id = ?", [
      host.tenant_id,
      host.member_id,
    ]);
    const refused = await panel.call("GET /api/team/members", { token: member.token });
    expect([refused.status, refused.body.error, refused.body.sign_in]).toEqual([403, "sso_required", "sso_x"]);
    expect((await panel.call("GET /api/auth/me", { token: member.token })).body.sso_required).toBe("sso_x");
    expect((await panel.call("GET /api/workspaces", { token: member.token })).status).toBe(200);
    expect((await panel.call("GET /api/team/members", { token: host.token })).status).toBe(200);
    const token = await enter(member);
    expect((await panel.call("GET /api/team/members", { token })).status).toBe(200);
    expect((await panel.call("GET /api/auth/me", { token })).body.sso_required).toBeUndefined();
  });
});
