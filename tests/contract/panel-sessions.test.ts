/** What a token says holds only as long as it is so: who has no way in any more opens nothing, and a new role counts at once. */
import { beforeAll, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { createTestPanel, type Person, type TestPanel } from "../kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../kit/sql-databases.ts";

onEachEngine("sessions of a panel", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let host: Person;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
    host = await panel.join("host");
  });

  test("every route × who was removed, switched off, left or signed out", async () => {
    const member = (name: string) => panel.invite(host, name, "org_admin");
    const gone = {
      removed: await member("removed"),
      disabled: await member("disabled"),
      left: await member("left"),
      "signed out": await member("out"),
    };
    const { token } = host;
    const ways = [
      await panel.call(`DELETE /api/team/members/${gone.removed.member_id}`, { token }),
      await panel.call(`POST /api/workspaces/${host.tenant_id}/leave`, { token: gone.left.token }),
      await panel.call("POST /api/auth/logout", { token: gone["signed out"].token }),
    ];
    expect(ways.map(({ status }) => status)).toEqual([200, 200, 200]);
    await panel.system.run("UPDATE members SET status = 'disabled' WHERE id = ?", [gone.disabled.member_id]);
    const wrong: string[] = [];
    for (const [kind, person] of Object.entries(gone)) {
      for (const { method, path, rule } of panel.routes) {
        if (rule.kind !== "permission") continue;
        const call = `${method} ${path.replaceAll(/\{\w+\}/g, host.tenant_id)}`;
        const body = method === "GET" ? undefined : "{broken";
        const { status } = await panel.call(call, { token: person.token, body });
        if (status !== 401) wrong.push(`${kind}: ${call}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 60_000);

  test("a token names the membership, the workspace and the role that it is for, after each change", async () => {
    const eve = await panel.invite(host, "eve", "org_admin");
    const own = await panel.call("GET /api/workspaces", { token: eve.token });
    const home = own.body.workspaces.find(({ id }: { id: string }) => id !== host.tenant_id);
    const claims = ({ body }: { body: { token: string } }) => {
      const { uid, tid, aid, role, wsl } = decodeJwt(body.token);
      return { uid, tid, aid, role, wsl };
    };
    const here = { uid: eve.member_id, tid: host.tenant_id, aid: eve.account_id, wsl: undefined };
    const there = { uid: home.member_id, tid: home.id, aid: eve.account_id, role: "org_owner", wsl: undefined };
    const switched = await panel.call(`POST /api/workspaces/${home.id}/switch`, { token: eve.token });
    expect(claims(switched)).toEqual(there);
    const { token } = switched.body;
    const back = await panel.call(`POST /api/workspaces/${host.tenant_id}/switch`, { token });
    expect(claims(back)).toEqual({ ...here, role: "org_admin" });
    const team = `/api/team/members/${eve.member_id}`;
    await panel.call(`PUT ${team}/role`, { token: host.token, body: { role: "org_viewer" } });
    // The token still says admin.
    const body = { emails: ["new@example.org"], role: "org_viewer" };
    expect((await panel.call("POST /api/invitations/bulk", { token: back.body.token, body })).status).toBe(403);
    const renewed = await panel.call("POST /api/auth/refresh", { token: back.body.token });
    expect(claims(renewed)).toEqual({ ...here, role: "org_viewer" });
    const left = await panel.call(`POST /api/workspaces/${host.tenant_id}/leave`, { token: renewed.body.token });
    expect(claims(left)).toEqual(there);
  });
});
