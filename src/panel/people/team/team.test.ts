import { beforeAll, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";

onEachEngine("team", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
  });
  const setRole = (token: string, id: string, role: string) =>
    panel.call(`PUT /api/team/members/${id}/role`, { token, body: { role } });

  test("lists the members of the own workspace with their presence", async () => {
    const owner = await panel.join("owner");
    const joined = new Date(panel.clock.now()).toISOString();
    const viewer = await panel.invite(owner, "viewer", "org_viewer");
    await panel.system.run("UPDATE members SET status = 'disabled' WHERE id = ?", [viewer.member_id]);
    await panel.clock.advance(61_000);
    const all = (await panel.call("GET /api/team/members", { token: owner.token })).body;
    expect(all.map(({ email }: { email: string }) => email).toSorted()).toEqual([owner.email, viewer.email]);
    const active = (await panel.call("GET /api/team/members?active_only=true", { token: owner.token })).body;
    expect(active).toEqual([
      {
        id: owner.member_id,
        email: owner.email,
        display_name: "owner",
        role: "org_owner",
        status: "active",
        presence: "idle",
        last_seen_at: joined,
        current_page: null,
        second_factor: false,
        mail: null,
        is_visitor: false,
      },
    ]);
  });

  test("who manages the team sees whose account a password alone guards", async () => {
    const owner = await panel.join("guarding");
    const guarded = await panel.invite(owner, "key-holder", "org_viewer");
    const other = await panel.invite(owner, "newcomer", "org_manager");
    await panel.system.run("UPDATE accounts SET has_factor = 1 WHERE id = ?", [guarded.account_id]);
    const seenBy = async (token: string) => {
      const { body } = await panel.call("GET /api/team/members", { token });
      const pairs = body.map(({ id, second_factor }: { id: string; second_factor: boolean | null }) => [
        id,
        second_factor,
      ]);
      return Object.fromEntries(pairs);
    };
    const ids = [owner.member_id, guarded.member_id, other.member_id];
    const told = (answers: (boolean | null)[]) => Object.fromEntries(ids.map((id, index) => [id, answers[index]]));
    expect(await seenBy(owner.token)).toEqual(told([false, true, false]));
    expect(await seenBy(other.token)).toEqual(told([null, null, null]));
    expect(await seenBy(guarded.token)).toEqual(told([null, null, null]));
  });

  test("whoever calls is here, without signing in or renewing anew", async () => {
    const owner = await panel.join("caller");
    await panel.clock.advance(600_000);
    const list = async () => (await panel.call("GET /api/team/members", { token: owner.token })).body[0];
    expect((await list()).presence).toBe("offline");
    await panel.clock.advance(1_000);
    const other = await panel.join("later-caller");
    await panel.clock.advance(1_000);
    await panel.call("GET /api/auth/me", { token: other.token });
    const before = panel.clock.now();
    await panel.clock.advance(1_000);
    await list();
    await panel.runJob("sessions.seen");
    const seen = "SELECT last_active_at AS at FROM members WHERE id = ?";
    expect(await panel.system.get<{ at: number }>(seen, [other.member_id])).toEqual({ at: before });
    expect(await list()).toMatchObject({
      presence: "online",
      last_seen_at: new Date(panel.clock.now()).toISOString(),
    });
  });

  test("role changes are for owners and admins, owners for owners, and audited", async () => {
    const owner = await panel.join("boss");
    const admin = await panel.invite(owner, "admin", "org_admin");
    const viewer = await panel.invite(owner, "looker", "org_viewer");
    const changed = await setRole(admin.token, viewer.member_id, "org_manager");
    expect(changed.body).toEqual({
      id: viewer.member_id,
      email: viewer.email,
      role: "org_manager",
      previous_role: "org_viewer",
    });
    expect((await setRole(viewer.token, viewer.member_id, "org_owner")).body.error).toBe("forbidden");
    expect((await setRole(admin.token, viewer.member_id, "org_owner")).body.code).toBe("owner_required");
    expect((await setRole(admin.token, owner.member_id, "org_viewer")).body.code).toBe("owner_required");
    expect((await setRole(owner.token, owner.member_id, "org_viewer")).body.error).toBe("last_owner");
    expect((await setRole(owner.token, "mem_none", "org_viewer")).status).toBe(404);
    const stranger = await panel.join("stranger");
    expect((await setRole(stranger.token, viewer.member_id, "org_viewer")).status).toBe(404);
    const entries = await panel
      .tenant(owner.tenant_id)
      .all("SELECT action, member_id, subject_id, details FROM audit_entries WHERE tenant_id = :tenant");
    expect(entries).toEqual([
      {
        action: "team.role_change",
        member_id: admin.member_id,
        subject_id: viewer.member_id,
        details: '{"role":"org_manager","previous_role":"org_viewer"}',
      },
    ]);
  });

  test("of two owners who demote each other at the same time one stays", async () => {
    const first = await panel.join("first");
    const second = await panel.invite(first, "other", "org_owner");
    const answers = await Promise.all([
      setRole(first.token, second.member_id, "org_viewer"),
      setRole(second.token, first.member_id, "org_viewer"),
    ]);
    expect(answers.map(({ status }) => status === 200).toSorted()).toEqual([false, true]);
  });

  test("members are removed, and stay in the list when the audit log names them", async () => {
    const owner = await panel.join("remover");
    const admin = await panel.invite(owner, "removeradmin", "org_admin");
    const viewer = await panel.invite(owner, "removerviewer", "org_viewer");
    const remove = (token: string, id: string) => panel.call(`DELETE /api/team/members/${id}`, { token });
    expect((await remove(viewer.token, admin.member_id)).body.error).toBe("forbidden");
    expect((await remove(admin.token, owner.member_id)).body.code).toBe("owner_required");
    expect((await remove(owner.token, owner.member_id)).body.code).toBe("remove_self");
    expect((await remove(owner.token, "mem_none")).status).toBe(404);
    expect((await remove(admin.token, viewer.member_id)).body).toMatchObject({ status: "removed", mode: "deleted" });
    expect((await panel.call("GET /api/auth/me", { token: viewer.token })).status).toBe(401);
    expect((await remove(owner.token, admin.member_id)).body.mode).toBe("disabled");
    expect((await panel.call("GET /api/auth/me", { token: admin.token })).status).toBe(401);
    const list = (query = "") => panel.call(`GET /api/team/members${query}`, { token: owner.token });
    expect((await list()).body.map(({ status }: { status: string }) => status).toSorted()).toEqual([
      "active",
      "disabled",
    ]);
    expect((await list("?active_only=true")).body).toHaveLength(1);
    const { entries } = (await panel.call("GET /api/audit/logs?action=team.remove", { token: owner.token })).body;
    expect(entries.map(({ details }: { details: { email: string } }) => details.email)).toEqual([
      "removeradmin@example.org",
      "removerviewer@example.org",
    ]);
  });

  test("who was removed and stays in the list comes back in their role, signing in anew", async () => {
    const owner = await panel.join("restorer");
    const admin = await panel.invite(owner, "restoredadmin", "org_admin");
    const second = await panel.invite(owner, "restoredowner", "org_owner");
    const viewer = await panel.invite(owner, "restoredviewer", "org_viewer");
    const extra = await panel.invite(owner, "restoredextra", "org_viewer");
    const restore = (token: string, id: string) => panel.call(`POST /api/team/members/${id}/restore`, { token });
    const remove = (token: string, id: string) => panel.call(`DELETE /api/team/members/${id}`, { token });
    // Each of them stands in the log, and so stays in the list.
    await remove(admin.token, extra.member_id);
    await panel.call("PUT /api/v1/workspace/mode", { token: second.token, body: { mode: "msp" } });
    expect((await restore(owner.token, admin.member_id)).body.code).toBe("member_active");
    expect((await restore(owner.token, "mem_none")).body.code).toBe("member_not_found");
    for (const { member_id } of [admin, second])
      expect((await remove(owner.token, member_id)).body.mode).toBe("disabled");
    expect((await restore(viewer.token, admin.member_id)).body.error).toBe("forbidden");
    expect((await restore(owner.token, admin.member_id)).body).toMatchObject({ status: "active", role: "org_admin" });
    expect((await panel.call("GET /api/auth/me", { token: admin.token })).status).toBe(401);
    expect((await panel.call("POST /api/auth/refresh", { token: admin.token })).status).toBe(401);
    const back = await panel.signIn(admin);
    expect((await panel.call("GET /api/auth/me", { token: back })).status).toBe(200);
    expect((await restore(back, second.member_id)).body.code).toBe("owner_required");
    expect((await restore(owner.token, second.member_id)).body.role).toBe("org_owner");
    const { entries } = (await panel.call("GET /api/audit/logs?action=team.restore", { token: owner.token })).body;
    expect(entries.map(({ subject }: { subject: { id: string } }) => subject.id)).toEqual([
      second.member_id,
      admin.member_id,
    ]);
  });

  test("of two owners who remove each other one stays", async () => {
    const first = await panel.join("each");
    const second = await panel.invite(first, "other", "org_owner");
    const answers = await Promise.all([
      panel.call(`DELETE /api/team/members/${second.member_id}`, { token: first.token }),
      panel.call(`DELETE /api/team/members/${first.member_id}`, { token: second.token }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = await panel.system.all("SELECT id FROM members WHERE tenant_id = ? AND status = 'active'", [
      first.tenant_id,
    ]);
    expect(left).toHaveLength(1);
  });
});
