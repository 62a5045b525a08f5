import { beforeAll, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { freshDatabases, onEachEngine } from "../../../../tests/kit/sql-databases.ts";

onEachEngine("team", (engine) => {
  const databases = freshDatabases(engine);
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
  });
  const setRole = (token: string, id: string, role: string) =>
    panel.call(`PUT /api/team/members/${id}/role`, { token, body: { role } });

  test("lists the members of the own workspace with their presence", async () => {
    const owner = await panel.join("owner");
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
        last_seen_at: "2026-01-01T00:00:00.000Z",
        current_page: null,
      },
    ]);
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
});
