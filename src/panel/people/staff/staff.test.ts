import { beforeAll, expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { hours } from "../../../lib/duration.ts";
import { deleteOldPermits, endPermit, insertPermit, insertVisit } from "./store.ts";

onEachEngine("the staff of a panel", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let count = 0;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
  });

  /** A workspace, and somebody of the staff who is in another one. */
  async function makeWorld() {
    count += 1;
    const owner = await panel.join(`owner${count}`);
    const staff = await panel.join(`staff${count}`);
    await panel.system.run("UPDATE accounts SET global_role = 'admin', has_factor = 1 WHERE id = ?", [
      staff.account_id,
    ]);
    const as = async (person: Person, route: string, body?: unknown) =>
      panel.call(route, { token: await panel.signIn(person), ...(body === undefined ? {} : { body }) });
    const at = `/api/staff/workspaces/${owner.tenant_id}`;
    const log = async (): Promise<string[]> =>
      (await as(owner, "GET /api/audit/logs")).body.entries.map(({ action }: { action: string }) => action);
    return { owner, staff, as, at, log };
  }

  test("the console is for staff with a second factor alone, whatever else somebody may", async () => {
    const { owner, staff, as } = await makeWorld();
    const routes = panel.routes.filter(({ rule }) => rule.kind === "permission" && rule.staff === true);
    expect(routes.length).toBe(5);
    for (const { method, path } of routes) {
      const route = `${method} ${path.replace("{id}", owner.tenant_id)}`;
      expect([route, (await as(owner, route)).body.code]).toEqual([route, "staff_only"]);
      await panel.system.run("UPDATE accounts SET has_factor = 0 WHERE id = ?", [staff.account_id]);
      expect([route, (await as(staff, route)).body.code]).toEqual([route, "staff_factor_required"]);
      await panel.system.run("UPDATE accounts SET has_factor = 1 WHERE id = ?", [staff.account_id]);
      expect((await panel.call(route)).status).toBe(401);
    }
  });

  test("workspaces are found by name and owner, suspended, opened again and put on another plan, and each log says so", async () => {
    const { owner, staff, as, at, log } = await makeWorld();
    for (const q of [`OWNER${count}`, owner.tenant_id, owner.email]) {
      const { items, total } = (await as(staff, `GET /api/staff/workspaces?q=${encodeURIComponent(q)}`)).body;
      expect([total, items]).toMatchObject([1, [{ id: owner.tenant_id, owners: [owner.email], members: 1, nodes: 0 }]]);
    }
    expect((await as(staff, "GET /api/staff/workspaces?q=%25")).body.total).toBe(0);
    expect((await as(staff, "GET /api/staff/workspaces?limit=1&offset=1")).body.items.length).toBe(1);
    expect((await as(staff, `POST ${at}/suspend`, { reason: "Not paid" })).body.status).toBe("suspended");
    expect((await as(staff, `POST ${at}/suspend`, { reason: "Not paid" })).body.code).toBe("staff_workspace_same");
    expect((await as(owner, "GET /api/team/members")).body.code).toBe("workspace_suspended");
    // The page says so, and knows when it is over.
    expect((await as(owner, "GET /api/auth/me")).body.workspace_suspended).toBe(true);
    const query = `GET /api/staff/workspaces?status=suspended&q=${owner.tenant_id}`;
    expect((await as(staff, query)).body.total).toBe(1);
    expect((await as(staff, `POST ${at}/resume`)).body.status).toBe("active");
    expect((await as(owner, "GET /api/auth/me")).body.workspace_suspended).toBeUndefined();
    expect((await as(staff, `PUT ${at}/plan`, { plan: "team" })).body.plan).toBe("team");
    expect(await log()).toEqual(
      expect.arrayContaining(["workspace.suspend", "workspace.resume", "workspace.plan_by_staff"]),
    );
    expect((await as(staff, "POST /api/staff/workspaces/ten_none/resume")).body.code).toBe("staff_workspace_not_found");
  });

  test("staff comes in only while the workspace lets it, as a viewer that all can see, and is out at once when that ends", async () => {
    const { owner, staff, as, at, log } = await makeWorld();
    expect((await as(staff, `POST ${at}/enter`)).body.code).toBe("staff_not_let_in");
    const given = await as(owner, "POST /api/support-access", { hours: 2, note: "A disk is full" });
    expect(given.body.open).toMatchObject({ note: "A disk is full", visitors: [] });
    expect((await as(owner, "POST /api/support-access", { hours: 2, note: "" })).body.code).toBe("staff_permit_open");
    const before = await as(staff, `POST /api/workspaces/${owner.tenant_id}/switch`);
    expect(before.status).toBe(404);
    expect((await as(staff, `POST ${at}/enter`)).status).toBe(204);
    expect((await as(staff, `POST ${at}/enter`)).status).toBe(204);
    const { token } = (await as(staff, `POST /api/workspaces/${owner.tenant_id}/switch`)).body;
    const team = (await panel.call("GET /api/team/members", { token })).body;
    expect(team.map(({ role }: { role: string }) => role).toSorted()).toEqual(["org_owner", "org_viewer"]);
    expect((await panel.call("POST /api/support-access", { token, body: { hours: 9, note: "" } })).status).toBe(403);
    expect((await as(owner, "GET /api/support-access")).body.open.visitors).toMatchObject([{ name: `staff${count}` }]);
    expect((await as(owner, "DELETE /api/support-access")).body).toMatchObject({
      open: null,
      past: [{ visitors: [{}] }],
    });
    expect((await panel.call("GET /api/team/members", { token })).status).toBe(401);
    expect((await as(staff, `POST ${at}/enter`)).body.code).toBe("staff_not_let_in");
    expect((await as(owner, "DELETE /api/support-access")).body.code).toBe("staff_permit_none");
    const told = ["workspace.support_open", "workspace.support_enter", "workspace.support_close"];
    expect((await log()).filter((action) => told.includes(action))).toEqual(told.toReversed());
  });

  test("what is let in for hours ends by itself, and the same one may come again with the next permit", async () => {
    const { owner, staff, as, at } = await makeWorld();
    await as(owner, "POST /api/support-access", { hours: 1, note: "" });
    await as(staff, `POST ${at}/enter`);
    const { token } = (await as(staff, `POST /api/workspaces/${owner.tenant_id}/switch`)).body;
    await panel.clock.advance(hours(1));
    expect((await as(staff, `POST ${at}/enter`)).status).toBe(204);
    await panel.runJob("staff.permits");
    expect((await panel.call("GET /api/team/members", { token })).status).toBe(401);
    expect((await as(owner, "GET /api/support-access")).body.open).toBeNull();
    await as(owner, "POST /api/support-access", { hours: 1, note: "" });
    expect((await as(staff, `POST ${at}/enter`)).status).toBe(204);
    expect((await as(owner, "GET /api/support-access")).body.open.visitors.length).toBe(1);
    await as(owner, "DELETE /api/support-access");
  });

  test("a permit ends with the rights of who gave it, and nobody comes in by it from that moment", async () => {
    const { owner, staff, as, at } = await makeWorld();
    const admin = await panel.invite(owner, `giver${count}${engine}`, "org_admin");
    await as(admin, "POST /api/support-access", { hours: 72, note: "" });
    await as(staff, `POST ${at}/enter`);
    const { token } = (await as(staff, `POST /api/workspaces/${owner.tenant_id}/switch`)).body;
    await panel.runJob("staff.permits");
    expect((await panel.call("GET /api/team/members", { token })).status).toBe(200);
    await as(owner, `PUT /api/team/members/${admin.member_id}/role`, { role: "org_viewer" });
    await panel.runJob("staff.permits");
    expect((await panel.call("GET /api/team/members", { token })).status).toBe(401);
    expect((await as(owner, "GET /api/support-access")).body.open).toBeNull();
    await as(owner, `PUT /api/team/members/${admin.member_id}/role`, { role: "org_admin" });
    await as(admin, "POST /api/support-access", { hours: 72, note: "" });
    await as(owner, `DELETE /api/team/members/${admin.member_id}`);
    expect((await as(staff, `POST ${at}/enter`)).body.code).toBe("staff_not_let_in");
    expect((await as(owner, "POST /api/support-access", { hours: 1, note: "" })).body.open).toMatchObject({ note: "" });
    expect((await as(staff, `POST ${at}/enter`)).status).toBe(204);
  });

  test("whoever is of the staff no longer is out of the workspaces that let them in as such, and of no other", async () => {
    const { owner, staff, as, at } = await makeWorld();
    const other = await makeWorld();
    await as(owner, "POST /api/support-access", { hours: 9, note: "" });
    await as(other.owner, "POST /api/support-access", { hours: 9, note: "" });
    await as(staff, `POST ${at}/enter`);
    await as(other.staff, `POST ${other.at}/enter`);
    const { token } = (await as(staff, `POST /api/workspaces/${owner.tenant_id}/switch`)).body;
    const stays = (await as(other.staff, `POST /api/workspaces/${other.owner.tenant_id}/switch`)).body.token;
    await panel.system.run("UPDATE accounts SET global_role = NULL WHERE id = ?", [staff.account_id]);
    await panel.runJob("staff.permits");
    expect((await panel.call("GET /api/team/members", { token })).status).toBe(401);
    expect((await as(staff, `POST /api/workspaces/${owner.tenant_id}/switch`)).status).toBe(403);
    expect((await as(staff, "GET /api/auth/me")).status).toBe(200);
    expect((await panel.call("GET /api/team/members", { token: stays })).status).toBe(200);
    expect((await as(owner, "GET /api/support-access")).body.open.visitors.length).toBe(1);
  });

  test("recordings of terminals are no more for staff that is let in than terminals are", async () => {
    const { owner, staff, as, at } = await makeWorld();
    await as(owner, "POST /api/support-access", { hours: 2, note: "A disk is full" });
    await as(staff, `POST ${at}/enter`);
    const { token } = (await as(staff, `POST /api/workspaces/${owner.tenant_id}/switch`)).body;
    for (const path of ["terminal-recordings", "terminal-recordings/rec_1"]) {
      const route = `GET /api/fleet/instances/node-1/${path}`;
      expect((await panel.call(route, { token })).body.code).toBe("staff_use_admin_console");
      // Of whom it is: only there is none.
      expect((await as(owner, route)).status).toBe(404);
    }
  });

  test("staff that is let in gets in where the workspace wants its own sign-in of its people", async () => {
    const { owner, staff, as, at } = await makeWorld();
    await as(owner, "POST /api/support-access", { hours: 9, note: "" });
    await as(staff, `POST ${at}/enter`);
    await panel.system.run("UPDATE tenants SET sign_in = 'con_1' WHERE tenant_id = ?", [owner.tenant_id]);
    const { token } = (await as(staff, `POST /api/workspaces/${owner.tenant_id}/switch`)).body;
    expect((await panel.call("GET /api/team/members", { token })).status).toBe(200);
  });

  test("one of its own people whom the workspace removed does not come back as staff", async () => {
    const { owner, as, at } = await makeWorld();
    const former = await panel.invite(owner, `former${count}`, "org_admin");
    await panel.system.run("UPDATE accounts SET global_role = 'admin', has_factor = 1 WHERE id = ?", [
      former.account_id,
    ]);
    await panel.system.run("UPDATE members SET status = 'disabled' WHERE id = ?", [former.member_id]);
    const home = await panel.join(`home${count}`);
    await panel.system.run("INSERT INTO members (tenant_id, id, account_id, role, created_at) VALUES (?, ?, ?, ?, 0)", [
      ...[home.tenant_id, `mem_home${count}`, former.account_id, "org_viewer"],
    ]);
    const there = { ...former, tenant_id: home.tenant_id, member_id: `mem_home${count}` };
    await as(owner, "POST /api/support-access", { hours: 1, note: "" });
    expect((await as(there, `POST ${at}/enter`)).body.code).toBe("staff_not_let_in");
  });

  test("a password alone gives staff no rights, and takes whoever was let in out again", async () => {
    const { owner, staff, as, at } = await makeWorld();
    const other = await panel.invite(owner, `colleague${count}`, "org_viewer");
    const make = { name: `Rack ${count}` };
    await panel.system.run("UPDATE accounts SET global_role = 'admin' WHERE id = ?", [other.account_id]);
    expect((await as(other, "POST /api/fleet/groups", make)).body.error).toBe("forbidden");
    await as(owner, "POST /api/support-access", { hours: 9, note: "" });
    await as(staff, `POST ${at}/enter`);
    const { token } = (await as(staff, `POST /api/workspaces/${owner.tenant_id}/switch`)).body;
    const write = async () => (await panel.call("POST /api/fleet/groups", { token, body: make })).status;
    expect(await write()).toBe(200);
    await panel.system.run("UPDATE accounts SET has_factor = 0 WHERE id = ?", [staff.account_id]);
    expect(await write()).toBe(403);
    await panel.runJob("staff.permits");
    expect(await write()).toBe(401);
  });

  test("whom a permit brought is a viewer as long as it lasts, whatever the team page is asked", async () => {
    const { owner, staff, as, at } = await makeWorld();
    await as(owner, "POST /api/support-access", { hours: 9, note: "" });
    await as(staff, `POST ${at}/enter`);
    const visitor = (await as(owner, "GET /api/team/members")).body.find(
      ({ is_visitor }: { is_visitor: boolean }) => is_visitor,
    );
    expect(visitor).toMatchObject({ email: staff.email, role: "org_viewer", status: "active" });
    const member = `/api/team/members/${visitor.id}`;
    const refused = async (route: string, body?: unknown) => (await as(owner, route, body)).body.code;
    expect(await refused(`PUT ${member}/role`, { role: "org_owner" })).toBe("member_is_visitor");
    expect(await refused(`DELETE ${member}`)).toBe("member_is_visitor");
    await as(owner, "DELETE /api/support-access");
    expect(await refused(`POST ${member}/restore`)).toBe("member_is_visitor");
    expect((await as(staff, `POST /api/workspaces/${owner.tenant_id}/switch`)).status).toBe(403);
    // Who is of the staff no longer is somebody like all others.
    await panel.system.run("UPDATE accounts SET global_role = NULL WHERE id = ?", [staff.account_id]);
    expect((await as(owner, `POST ${member}/restore`)).status).toBe(200);
  });

  test("permits of long ago are forgotten, but for those by which one of the staff came in last", async () => {
    const { owner } = await makeWorld();
    const permit = (no: number) => `spm_${String(no).padStart(3, "0")}`;
    await panel.system.tx(async (tx) => {
      for (let no = 0; no < 6; no++) {
        const row = { tenant_id: owner.tenant_id, id: permit(no), note: "", given_by: owner.member_id };
        await insertPermit(tx, { ...row, given_at: no, ends_at: no, ended_at: null });
        await endPermit(tx, { ...row, given_at: no, ends_at: no, ended_at: null }, no);
      }
      for (const no of [0, 1])
        await insertVisit(tx, owner.tenant_id, {
          permit_id: permit(no),
          member_id: "mem_x",
          name: "x",
          entered_at: no,
        });
      await deleteOldPermits(tx, owner.tenant_id, 2);
    });
    const left = await panel.system.all<{ id: string }>(
      "SELECT id FROM staff_permits WHERE tenant_id = ? ORDER BY given_at",
      [owner.tenant_id],
    );
    expect(left.map(({ id }) => id)).toEqual([1, 4, 5].map(permit));
  });
});
