import { beforeEach, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createStranger, MAILING, VICTIM } from "../../../../tests/kit/stranger.ts";

onEachEngine("accounts that an accomplice put down before their owner came", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let stranger: Awaited<ReturnType<typeof createStranger>>;
  /** The accomplice's session in the workspace that came with the account. */
  let there: string;
  const setRole = (role: string) =>
    stranger.call(`PUT /api/team/members/${stranger.member_id}/role`, there, { role }).then(({ status }) => status);
  const accountOf = (email: string) =>
    panel.system.get<{ id: string; email_verified: number }>(
      "SELECT id, email_verified FROM accounts WHERE email = ?",
      [email],
    );

  beforeEach(async () => {
    panel = await createTestPanel(await databases.open(), MAILING);
    stranger = await createStranger(panel);
    there = await stranger.entered();
  });

  test("their owner gets a workspace of their own, whatever the accomplice does with the one there was", async () => {
    const { call, tenant_id, member_id, accomplice } = stranger;
    expect(await setRole("org_viewer")).toBe(200);
    const owner = await stranger.comeIn("by mail");
    expect([owner.user.role, owner.user.tenant_id === tenant_id]).toEqual(["org_owner", false]);
    expect(await setRole("org_owner")).toBe(200);
    expect((await call(`POST /api/team/members/${member_id}/restore`, there)).status).toBe(200);
    expect(await stranger.workspaces(owner.token)).toEqual(["Stranger's workspace"]);
    expect((await call(`POST /api/workspaces/${tenant_id}/switch`, owner.token)).status).toBe(404);
    const again = await stranger.comeIn("by mail");
    expect(again.user.tenant_id).toBe(owner.user.tenant_id);
    expect(Object.keys(await stranger.team(again.token))).toEqual([VICTIM]);
    // Who was there before the owner came is in the accomplice's log by name, and nobody's account.
    const [standIn = ""] = Object.keys(await stranger.team(there)).filter((email) => email !== accomplice.email);
    expect(standIn).toMatch(/@unproven\.invalid$/);
  });

  test("their owner is told what there was and whose it is now, and it is in the log of each workspace", async () => {
    const { tenant_id, accomplice } = stranger;
    await setRole("org_viewer");
    const { user } = await stranger.comeIn("by mail");
    expect(await stranger.told()).toContain(`“Stranger's workspace” (${accomplice.email})`);
    expect([await stranger.claims(tenant_id), await stranger.claims(user.tenant_id)]).toMatchObject([[{}], [{}]]);
  });

  test("who was removed before is not brought back in the owner's name", async () => {
    const { call, tenant_id, member_id } = stranger;
    expect((await call(`DELETE /api/team/members/${member_id}`, there)).body.mode).toBe("disabled");
    const owner = await stranger.comeIn("by mail");
    expect(await stranger.claims(tenant_id)).toHaveLength(1);
    expect((await call(`POST /api/team/members/${member_id}/restore`, there)).status).toBe(200);
    expect(owner.user.tenant_id).not.toBe(tenant_id);
    expect(await stranger.workspaces(owner.token)).toHaveLength(1);
    expect((await stranger.comeIn("by mail")).user.tenant_id).toBe(owner.user.tenant_id);
  });

  test("who was removed before reads nothing of what became of the workspace, whoever sent the link", async () => {
    const { call, tenant_id, member_id, accomplice } = stranger;
    await call(`DELETE /api/team/members/${member_id}`, there);
    await call(`PATCH /api/workspaces/${tenant_id}`, there, { name: "Secret merger" });
    for (const how of ["by the operator", "by mail"] as const) {
      await stranger.comeIn(how);
      const told = await stranger.told();
      expect([how, told === ""]).toEqual([how, false]);
      expect(told).not.toContain("Secret merger");
      expect(told).not.toContain(accomplice.email);
    }
  });

  test("an invitation of the accomplice asks their owner as it asks anybody", async () => {
    const { invite, accept, tenant_id } = stranger;
    await setRole("org_viewer");
    const invited = await stranger.comeIn("by mail");
    const link = await invite(there, VICTIM, "org_owner");
    expect((await stranger.comeIn("by mail")).user.tenant_id).toBe(invited.user.tenant_id);
    const { token } = await stranger.comeIn("by mail");
    expect(await stranger.workspaces(token)).toHaveLength(1);
    expect((await accept(link, token)).body.tenant_id).toBe(tenant_id);
    expect(await stranger.workspaces(token)).toHaveLength(2);
  });

  test("two who use their links at once end as one who did", async () => {
    await setRole("org_viewer");
    const links = [];
    for (const _ of [1, 2]) {
      await stranger.post("forgot-password", { email: VICTIM });
      links.push((await stranger.letter("account.reset"))?.action?.url.split("#")[1]);
    }
    const use = (token: string | undefined) => stranger.post("link/use", { token, password: "one more good phrase" });
    const answers = await Promise.all(links.map(use));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const account = await accountOf(VICTIM);
    expect(account?.email_verified).toBe(1);
    expect(await panel.system.all("SELECT 1 FROM members WHERE account_id = ?", [account?.id ?? ""])).toHaveLength(1);
  });

  test("a workspace that has proven the domain of the address keeps who its directory knows", async () => {
    const company = await panel.join("company");
    await panel.system.run(
      `INSERT INTO sso_domains (tenant_id, id, host, token, created_at, verified_at) VALUES (?, 'd', 'corp.example', 't', 0, 0)`,
      [company.tenant_id],
    );
    await stranger.accept(await stranger.invite(company.token, VICTIM, "org_viewer"), stranger.token);
    await setRole("org_viewer");
    const owner = await stranger.comeIn("by mail");
    expect(await stranger.workspaces(owner.token)).toEqual(["company"]);
    expect(await stranger.told()).toContain(`“company” (${company.email})`);
  });

  test("a company that removed them is no place to sign in to, so that they get one of their own", async () => {
    const company = await panel.join("company");
    await panel.system.run(
      `INSERT INTO sso_domains (tenant_id, id, host, token, created_at, verified_at) VALUES (?, 'd', 'corp.example', 't', 0, 0)`,
      [company.tenant_id],
    );
    await stranger.accept(await stranger.invite(company.token, VICTIM, "org_viewer"), stranger.token);
    const account = await accountOf(VICTIM);
    await panel.system.run("UPDATE members SET status = 'disabled' WHERE tenant_id = ? AND account_id = ?", [
      ...[company.tenant_id, account?.id ?? ""],
    ]);
    await setRole("org_viewer");
    const owner = await stranger.comeIn("by mail");
    expect(await stranger.workspaces(owner.token)).toEqual(["Stranger's workspace"]);
    expect([owner.user.role, owner.user.tenant_id === stranger.tenant_id]).toEqual(["org_owner", false]);
  });
});
