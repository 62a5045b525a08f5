import { beforeEach, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createStranger, MAILING, VICTIM } from "../../../../tests/kit/stranger.ts";
import { minutes } from "../../../lib/duration.ts";

onEachEngine("workspaces of accounts whose address a stranger registered", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let stranger: Awaited<ReturnType<typeof createStranger>>;

  beforeEach(async () => {
    panel = await createTestPanel(await databases.open(), MAILING);
    stranger = await createStranger(panel);
  });

  test("by mail its reader gets them alone: nobody and nothing comes in any more by what there was", async () => {
    const { call, invite, token, tenant_id, accomplice } = stranger;
    const late = await panel.join("late");
    const pending = await invite(token, late.email, "org_owner");
    const enrol = { name: "x", expires_in_hours: 100, max_uses: 1 };
    expect((await call("POST /api/fleet/tokens", token, enrol)).status).toBe(200);
    const room = { name: "r", service: "slack", url: "http://127.0.0.1:9/x", kinds: ["canary.paused"] };
    expect((await call("POST /api/chat-channels", token, room)).status).toBe(200);
    expect((await call("POST /api/support-access", token, { hours: 72, note: "x" })).status).toBe(200);
    await panel.system.run("UPDATE tenants SET plan = 'enterprise', sign_in = 'con' WHERE tenant_id = ?", [tenant_id]);
    await panel.system.run(
      "INSERT INTO sso_connectors (tenant_id, id, name, issuer, oidc_client, created_at, updated_at) VALUES (?, 'con', 'c', 'i', 'c', 0, 0)",
      [tenant_id],
    );
    await panel.system.run(
      `INSERT INTO scim_tokens (tenant_id, id, name, token_hash, hint, created_at, expires_at)
       VALUES (?, 'tok', 'd', 'h', 'abcd', 0, 9000000000000)`,
      [tenant_id],
    );
    const there = await stranger.entered();
    expect((await call("GET /api/auth/me", there)).body.role).toBe("org_owner");

    const owner = await stranger.comeIn("by mail");
    expect([owner.user.tenant_id, owner.user.role]).toEqual([tenant_id, "org_owner"]);
    expect(await stranger.team(owner.token)).toEqual({ [VICTIM]: "active", [accomplice.email]: "disabled" });
    expect((await call("GET /api/auth/me", there)).status).toBe(401);
    expect((await stranger.accept(pending, late.token)).body.code).toBe("invitation_unknown");
    expect((await call("GET /api/support-access", owner.token)).body.open).toBeNull();
    const kept = ["chat_channels", "scim_tokens", "sso_connectors", "registration_tokens WHERE revoked_at IS NULL"];
    for (const what of [...kept, "tenants WHERE sign_in IS NOT NULL"])
      expect([what, await panel.system.all(`SELECT 1 FROM ${what}`)]).toEqual([what, []]);
    const lines = await panel.system.all<{ action: string }>(
      "SELECT action FROM audit_entries WHERE tenant_id = ? AND member_id = 'visitor' ORDER BY action",
      [tenant_id],
    );
    expect(lines.map(({ action }) => action)).toEqual([
      ...["account.claim", "account.link_used", "chat_channel.remove", "fleet.token.revoke", "scim.token_remove"],
      ...["sso.connector_remove", "team.clear", "team.invite_revoke", "workspace.support_close"],
    ]);
    expect(await stranger.told()).toContain("Everybody else has lost their access");
    // Whoever is known is taken back with one act.
    const member = await stranger.memberOf(accomplice);
    expect((await call(`POST /api/team/members/${member}/restore`, owner.token)).status).toBe(200);
  });

  test("by the operator's link, which proves nothing of the mailbox, the others stay, and the letter names them", async () => {
    const { accomplice, tenant_id } = stranger;
    const owner = await stranger.comeIn("by the operator");
    expect(await stranger.team(owner.token)).toEqual({ [VICTIM]: "active", [accomplice.email]: "active" });
    expect(await stranger.told()).toContain(`“Stranger's workspace” (${accomplice.email})`);
    expect(await stranger.claims(tenant_id)).toHaveLength(1);
  });

  test("workspaces that another account owns lose nobody but the account, until they invite it anew", async () => {
    const { call, invite, accept } = stranger;
    const host = await panel.join("host");
    const colleague = await panel.invite(host, "colleague", "org_viewer");
    await panel.clock.advance(minutes(1));
    expect((await accept(await invite(host.token, VICTIM, "org_owner"), stranger.token)).status).toBe(200);
    const { token, user } = await stranger.comeIn("by mail");
    expect(user.tenant_id).toBe(stranger.tenant_id);
    expect(await stranger.workspaces(token)).toEqual(["Stranger's workspace"]);
    const others = { [host.email]: "active", [colleague.email]: "active" };
    expect(await stranger.team(host.token)).toEqual(others);
    expect(await stranger.told()).toContain(`“host” (${host.email})`);
    const again = await invite(host.token, VICTIM, "org_viewer");
    expect(await stranger.workspaces(token)).toHaveLength(1);
    expect((await accept(again, token)).status).toBe(200);
    expect(await stranger.team(host.token)).toEqual({ ...others, [VICTIM]: "active" });
    expect((await call("GET /api/auth/me", token)).status).toBe(200);
  });

  test("one whose only owner the account was made by who is there still is its own as well", async () => {
    const { call, invite, accept, accomplice } = stranger;
    await accept(await invite(accomplice.token, VICTIM, "org_owner"), stranger.token);
    const moved = (await call(`POST /api/workspaces/${accomplice.tenant_id}/switch`, stranger.token)).body.token;
    const path = `PUT /api/team/members/${accomplice.member_id}/role`;
    expect((await call(path, moved, { role: "org_admin" })).status).toBe(200);
    const { token, user } = await stranger.comeIn("by mail");
    expect(user.tenant_id).toBe(accomplice.tenant_id);
    expect(await stranger.team(token)).toEqual({ [VICTIM]: "active", [accomplice.email]: "disabled" });
    expect((await call("GET /api/auth/me", accomplice.token)).status).toBe(401);
  });
});
