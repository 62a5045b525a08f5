import { beforeAll, expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { minutes } from "../../../lib/duration.ts";

onEachEngine("what a workspace asks of whoever comes in", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
  });

  /** Somebody's way into the workspace that they had before. */
  async function goHome({ token, tenant_id }: Person): Promise<string> {
    const { workspaces } = (await panel.call("GET /api/workspaces", { token })).body;
    const home = workspaces.find(({ id }: { id: string }) => id !== tenant_id).id;
    return (await panel.call(`POST /api/workspaces/${home}/switch`, { token })).body.token;
  }
  /** A workspace that asks for more than its second owner has. */
  async function makeStrict(name: string, wish: "factor" | "sign-on") {
    const owner = await panel.join(name);
    const other = await panel.invite(owner, `${name}-other`, "org_owner");
    const outside = await goHome(other);
    await panel.system.run(
      wish === "factor"
        ? "UPDATE tenants SET require_2fa = 1 WHERE tenant_id = ?"
        : "UPDATE tenants SET sign_in = 'sso_x' WHERE tenant_id = ?",
      [owner.tenant_id],
    );
    await panel.system.run("UPDATE accounts SET has_factor = 1 WHERE id = ?", [owner.account_id]);
    return { owner, other, outside };
  }

  for (const [wish, code] of [
    ["factor", "mfa_enrollment_required"],
    ["sign-on", "sso_required"],
  ] as const)
    test(`holds for renaming and deleting it from another one as well: ${wish}`, async () => {
      const { owner, outside, other } = await makeStrict(`strict-${wish}`, wish);
      const at = `/api/workspaces/${owner.tenant_id}`;
      const renamed = await panel.call(`PATCH ${at}`, { token: outside, body: { name: "Taken over" } });
      expect([renamed.status, renamed.body.code, renamed.body.error]).toEqual([403, code, code]);
      const deleted = await panel.call(`DELETE ${at}`, { token: outside });
      expect([deleted.status, deleted.body.code]).toEqual([403, code]);
      const rows = await panel.system.all("SELECT name FROM tenants WHERE tenant_id = ?", [owner.tenant_id]);
      expect(rows).not.toContainEqual({ name: "Taken over" });
      expect(rows).toHaveLength(1);
      // Going there and leaving it are the ways to what it asks for, and out.
      const there = await panel.call(`POST ${at}/switch`, { token: outside });
      expect(there.status).toBe(200);
      expect((await panel.call("GET /api/team/members", { token: there.body.token })).body.code).toBe(code);
      const left = await panel.call(`POST ${at}/leave`, { token: await goHome({ ...other, token: there.body.token }) });
      expect(left.body.status).toBe("left");
    });

  test("the list tells no figures from inside before that, nor does going there", async () => {
    const { owner, other, outside } = await makeStrict("counted", "sign-on");
    const nodes = createTestNodes(panel);
    for (const id of ["counted-1", "counted-2"]) await nodes.enrol(owner.tenant_id, id);
    for (let beat = 0; beat < 4; beat++) {
      for (const id of ["counted-1", "counted-2"]) await nodes.heartbeat(id, { metrics: { cpu_percent: 99 } });
      await panel.runJob("incidents.judge");
      await panel.clock.advance(25_000);
    }
    const figures = async (token: string) => {
      const { workspaces } = (await panel.call("GET /api/workspaces", { token })).body;
      const found = workspaces.find(({ id }: { id: string }) => id === owner.tenant_id);
      return [found.open_incidents, found.unread_notifications];
    };
    const hidden = await figures(outside);
    const there = (await panel.call(`POST /api/workspaces/${owner.tenant_id}/switch`, { token: outside })).body;
    expect([hidden, [there.workspace.open_incidents, there.workspace.unread_notifications]]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    // Whom its own sign-in let in has what it asks for.
    const member = await panel.ctx.tenants.findMembership(owner.tenant_id, other.member_id);
    if (!member) throw new Error("nobody to sign in");
    const id = await panel.ctx.system.tx((tx) =>
      panel.ctx.sessions.startWorkspaceSignIn(tx, member, { ip: "127.0.0.1" }),
    );
    const { token } = await panel.ctx.sessions.loginBody(id, member);
    expect(await figures(token)).toEqual([1, 1]);
    const at = `PATCH /api/workspaces/${owner.tenant_id}`;
    const renamed = await panel.call(at, { token, body: { name: "Counted" } });
    expect([renamed.body.name, renamed.body.open_incidents]).toEqual(["Counted", 1]);
  });

  test("deleting a workspace takes a fresh proof, and what cannot be deleted is told before", async () => {
    const owner = await panel.join("proven");
    await panel.clock.advance(minutes(16));
    const renewed = (await panel.call("POST /api/auth/refresh", { token: owner.token })).body.token;
    const drop = (token: string, id: string) => panel.call(`DELETE /api/workspaces/${id}`, { token });
    expect((await drop(renewed, owner.tenant_id)).body.code).toBe("last_workspace");
    const made = (await panel.call("POST /api/workspaces", { token: renewed, body: { name: "Spare" } })).body;
    const refused = await drop(made.token, made.workspace.id);
    expect([refused.status, refused.body.code]).toEqual([403, "step_up_required"]);
    const token = await panel.signIn({ ...owner, tenant_id: made.workspace.id, member_id: made.user.id });
    expect((await drop(token, made.workspace.id)).status).toBe(200);
  });
});
