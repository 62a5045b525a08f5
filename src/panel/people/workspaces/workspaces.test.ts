import { beforeAll, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { makeThings } from "../../../../tests/kit/tenant-things.ts";
import { collectMigrations } from "../../../kernel/feature.ts";
import { listTenantTables } from "../../data/tenant-tables.ts";
import { panelFeatures } from "../../features.ts";

onEachEngine("workspaces", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
  });

  test("a new workspace becomes the current one, and the old token cannot be renewed", async () => {
    const ada = await panel.join("ada");
    const body = { name: "Second Place", mode: "msp" };
    const made = await panel.call("POST /api/workspaces", { token: ada.token, body });
    expect(made.status).toBe(200);
    expect(made.body.workspace).toMatchObject({
      name: "Second Place",
      plan: "free",
      status: "active",
      mode: "msp",
      mode_chosen: true,
      role: "org_owner",
      parent_tenant_id: null,
      initials: "SP",
      current: true,
    });
    expect((await panel.call("POST /api/auth/refresh", { token: ada.token })).body.code).toBe("session_replaced");
    const list = (await panel.call("GET /api/workspaces", { token: made.body.token })).body;
    expect(list.current_id).toBe(made.body.workspace.id);
    expect(list.workspaces.map(({ current }: { current: boolean }) => current).toSorted()).toEqual([false, true]);
    const client = { name: "Client", as_client: true };
    const linked = await panel.call("POST /api/workspaces", { token: made.body.token, body: client });
    expect(linked.body.workspace.parent_tenant_id).toBe(made.body.workspace.id);
    const refused = await panel.call("POST /api/workspaces", { token: linked.body.token, body: client });
    expect([refused.status, refused.body.code]).toEqual([403, "not_an_msp"]);
  });

  test("switching needs an active membership in an active workspace", async () => {
    const host = await panel.join("host");
    const guest = await panel.join("guest");
    const go = (token: string) => panel.call(`POST /api/workspaces/${host.tenant_id}/switch`, { token });
    expect((await go(guest.token)).status).toBe(404);
    const member = await panel.invite(host, "member", "org_viewer");
    await panel.system.run("UPDATE members SET status = 'disabled' WHERE id = ?", [member.member_id]);
    expect((await panel.call("GET /api/auth/me", { token: member.token })).status).toBe(401);
    await panel.system.run("UPDATE members SET status = 'active' WHERE id = ?", [member.member_id]);
    await panel.system.run("UPDATE tenants SET status = 'suspended' WHERE tenant_id = ?", [host.tenant_id]);
    expect((await panel.call("GET /api/team/members", { token: member.token })).body.code).toBe("workspace_suspended");
    expect((await go(member.token)).body).toMatchObject({ code: "workspace_not_active", error: "reauth_required" });
    expect((await panel.call("GET /api/workspaces", { token: member.token })).status).toBe(200);
  });

  test("the list tells what waits in each workspace for whoever asks", async () => {
    const ada = await panel.join("busy");
    const nodes = createTestNodes(panel);
    for (const id of ["busy-1", "busy-2"]) await nodes.enrol(ada.tenant_id, id);
    // Two servers with one cause are one incident, once it has lasted a minute.
    for (let beat = 0; beat < 4; beat++) {
      for (const id of ["busy-1", "busy-2"]) await nodes.heartbeat(id, { metrics: { cpu_percent: 99 } });
      await panel.runJob("incidents.judge");
      await panel.clock.advance(25_000);
    }
    const waits = async (token: string) =>
      (await panel.call("GET /api/workspaces", { token })).body.workspaces
        .filter(({ id }: { id: string }) => id === ada.tenant_id)
        .map((found: Record<string, number>) => [found["open_incidents"], found["unread_notifications"]]);
    const [viewer, teacher] = [
      await panel.invite(ada, "busyviewer", "org_viewer"),
      await panel.invite(ada, "busyteacher", "org_teacher"),
    ];
    expect([await waits(ada.token), await waits(viewer.token)]).toEqual([[[1, 1]], [[1, 1]]]);
    expect(await waits(teacher.token)).toEqual([[0, 0]]);
    await panel.call("POST /api/notifications/read-all", { token: viewer.token });
    expect([await waits(ada.token), await waits(viewer.token)]).toEqual([[[1, 1]], [[1, 0]]]);
    const other = (await panel.call("POST /api/workspaces", { token: ada.token, body: { name: "Quiet" } })).body;
    expect(other.workspace).toMatchObject({ open_incidents: 0, unread_notifications: 0 });
    const back = await panel.call(`POST /api/workspaces/${ada.tenant_id}/switch`, { token: other.token });
    expect(back.body.workspace).toMatchObject({ open_incidents: 1, unread_notifications: 1 });
  });

  test("owners and admins rename a workspace, others do not", async () => {
    const owner = await panel.join("namer");
    const rename = (token: string, name = "Kölner Rechenzentrum") =>
      panel.call(`PATCH /api/workspaces/${owner.tenant_id}`, { token, body: { name } });
    expect((await rename(owner.token)).body).toMatchObject({
      name: "Kölner Rechenzentrum",
      initials: "KR",
      current: true,
    });
    const admin = await panel.invite(owner, "nameradmin", "org_admin");
    expect((await rename(admin.token, "Other")).status).toBe(200);
    const manager = await panel.invite(owner, "namermanager", "org_manager");
    expect((await rename(manager.token)).body).toMatchObject({ code: "workspace_role_missing", error: "forbidden" });
    expect((await rename((await panel.join("namerstranger")).token)).status).toBe(404);
    expect((await rename(owner.token, " ")).status).toBe(400);
  });

  test("an owner deletes a workspace with everything in it, when nothing runs there any more", async () => {
    const ada = await panel.join("deleter");
    const nodes = createTestNodes(panel);
    const made = (await panel.call("POST /api/workspaces", { token: ada.token, body: { name: "Spare" } })).body;
    const spare = { ...ada, token: made.token, member_id: made.user.id, tenant_id: made.workspace.id };
    const drop = (token: string, id: string) => panel.call(`DELETE /api/workspaces/${id}`, { token });
    const things = await makeThings(panel, nodes, spare, "spare");
    const admin = await panel.invite(spare, "deleteradmin", "org_admin");
    expect((await drop(admin.token, spare.tenant_id)).body.code).toBe("workspace_role_missing");
    const inUse = await drop(spare.token, spare.tenant_id);
    expect(inUse.body).toMatchObject({ code: "workspace_in_use", params: { nodes: 1, clients: 1, served: 0 } });
    await panel.call(`DELETE /api/fleet/instances/${things.instances}`, { token: spare.token });
    await panel.system.run("DELETE FROM tenants WHERE parent_tenant_id = ?", [spare.tenant_id]);
    const gone = await drop(spare.token, spare.tenant_id);
    expect(gone.body).toMatchObject({ status: "deleted", workspace_id: spare.tenant_id });
    expect(gone.body.user.tenant_id).toBe(ada.tenant_id);
    for (const token of [spare.token, admin.token])
      expect((await panel.call("GET /api/auth/me", { token })).status).toBe(401);
    const tables = listTenantTables(collectMigrations(panelFeatures));
    for (const table of tables)
      expect([table, await panel.system.all(`SELECT * FROM ${table} WHERE tenant_id = ?`, [spare.tenant_id])]).toEqual([
        table,
        [],
      ]);
    const others = await panel.call("GET /api/workspaces", { token: gone.body.token });
    expect(others.body.workspaces).toHaveLength(1);
    expect((await drop(gone.body.token, ada.tenant_id)).body.error).toBe("last_workspace");
  });

  test("the service provider's log tells that a client was deleted", async () => {
    const msp = await panel.join("provider");
    await panel.call("PUT /api/v1/workspace/mode", { token: msp.token, body: { mode: "msp" } });
    const body = { name: "Client", as_client: true };
    const made = (await panel.call("POST /api/workspaces", { token: msp.token, body })).body;
    expect((await panel.call(`DELETE /api/workspaces/${made.workspace.id}`, { token: made.token })).status).toBe(200);
    const token = await panel.signIn(msp);
    const { entries } = (await panel.call("GET /api/audit/logs?action=workspace.delete", { token })).body;
    expect(entries.map(({ details }: { details: object }) => details)).toEqual([{ name: "Client" }]);
  });

  test("every table of a workspace is known by its migration", async () => {
    const tables = listTenantTables(collectMigrations(panelFeatures));
    const found =
      engine === "sqlite"
        ? await panel.system.all<{ name: string }>(
            "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) p ON p.name = 'tenant_id' WHERE m.type = 'table'",
          )
        : await panel.system.all<{ name: string }>(
            `SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'tenant_id'
             AND table_schema = current_schema()`,
          );
    expect(tables.toSorted()).toEqual(found.map(({ name }) => name).toSorted());
  });

  test("leaving keeps the last owner and the last workspace", async () => {
    const owner = await panel.join("owner");
    const leave = (id: string, token: string) => panel.call(`POST /api/workspaces/${id}/leave`, { token });
    const alone = await leave(owner.tenant_id, owner.token);
    expect([alone.status, alone.body.error]).toEqual([409, "last_owner"]);
    const viewer = await panel.invite(owner, "leaver", "org_viewer");
    const left = await leave(owner.tenant_id, viewer.token);
    expect(left.body).toMatchObject({ status: "left", workspace_id: owner.tenant_id, mode: "deleted" });
    expect(left.body.user.tenant_id).not.toBe(owner.tenant_id);
    expect((await panel.call("GET /api/auth/me", { token: viewer.token })).status).toBe(401);
    expect((await leave(owner.tenant_id, left.body.token)).status).toBe(404);

    const second = await panel.invite(owner, "second", "org_owner");
    await panel.call("PUT /api/v1/workspace/mode", { token: second.token, body: { mode: "family" } });
    expect((await leave(owner.tenant_id, second.token)).body.mode).toBe("disabled");
  });

  test("of two owners who leave at the same time one stays", async () => {
    const first = await panel.join("one");
    await panel.call("POST /api/workspaces", { token: first.token, body: { name: "Spare" } });
    const second = await panel.invite(first, "two", "org_owner");
    const back = await panel.signIn(first);
    const answers = await Promise.all(
      [back, second.token].map((token) => panel.call(`POST /api/workspaces/${first.tenant_id}/leave`, { token })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test("settings and mode", async () => {
    const owner = await panel.join("setter");
    const viewer = await panel.invite(owner, "watcher", "org_viewer");
    const staff = await panel.invite(owner, "staff", "org_viewer");
    await panel.system.run("UPDATE accounts SET global_role = 'admin', has_factor = 1 WHERE id = ?", [
      staff.account_id,
    ]);
    const put = (token: string, body: object, what = "settings") =>
      panel.call(`PUT /api/v1/workspace/${what}`, { token, body });
    expect((await panel.call("GET /api/v1/workspace/settings", { token: viewer.token })).body).toMatchObject({
      require_2fa: false,
      record_terminal_sessions: false,
      agent_auto_update: null,
      language: null,
      without_effect: [],
    });
    const changed = await put(owner.token, { record_terminal_sessions: true, agent_auto_update: false });
    expect(changed.body).toMatchObject({
      require_2fa: false,
      record_terminal_sessions: true,
      agent_auto_update: false,
      without_effect: [],
    });
    const refused = await put(viewer.token, { require_2fa: true });
    expect([refused.status, refused.body.error]).toEqual([403, "forbidden"]);
    expect((await put(staff.token, { require_2fa: true })).body.code).toBe("staff_use_admin_console");
    expect((await put(staff.token, { mode: "msp" }, "mode")).body.code).toBe("staff_use_admin_console");
    const step = await panel.call("POST /api/auth/onboarding", { token: staff.token, body: { mode: "msp" } });
    expect(step.body.code).toBe("staff_use_admin_console");
    expect((await put(owner.token, { mode: "school" }, "mode")).body).toEqual({ mode: "school", chosen: true });
    expect((await panel.call("GET /api/v1/workspace/mode", { token: viewer.token })).body).toEqual({
      mode: "school",
      chosen: true,
    });
  });
});
