import { beforeEach, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createStranger, MAILING, VICTIM } from "../../../../tests/kit/stranger.ts";

onEachEngine("what is kept about accounts whose address a stranger registered", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  const rows = (sql: string, values: string[] = []) => panel.system.all(sql, values);

  beforeEach(async () => {
    panel = await createTestPanel(await databases.open(), MAILING);
  });

  test("its reader has none of the places and pending changes of before", async () => {
    const { call, token, tenant_id, member_id, comeIn } = await createStranger(panel);
    const found = await panel.system.get<{ id: string }>("SELECT id FROM accounts WHERE email = ?", [VICTIM]);
    const account = { id: found?.id ?? "" };
    expect((await call("PUT /api/auth/email", token, { email: "other@evil.example" })).status).toBe(202);
    await panel.system.run(
      `INSERT INTO factor_resets (tenant_id, member_id, account_id, asked_by, asked_at, effective_at) VALUES (?, ?, ?, 'm', 0, 1)`,
      [tenant_id, member_id, account.id],
    );
    const left = [
      "email_changes WHERE account_id = ?",
      "email_proofs WHERE account_id = ?",
      "factor_resets WHERE account_id = ?",
      "account_links WHERE account_id = ?",
    ];
    const before = "sessions WHERE account_id = ? AND network <> '' AND ended_at IS NOT NULL";
    await comeIn("by mail");
    for (const what of [...left, before])
      expect([what, await rows(`SELECT 1 AS one FROM ${what}`, [account.id])]).toEqual([what, []]);
    // Only the place of the sign-in that came after.
    expect(await rows("SELECT 1 FROM sign_in_places WHERE account_id = ?", [account.id])).toHaveLength(1);
  });

  test("it is told and written down also where nothing was added", async () => {
    const { comeIn, told, claims, tenant_id } = await createStranger(panel, true);
    expect((await comeIn("by mail")).user.tenant_id).toBe(tenant_id);
    expect(await told()).toContain("“Stranger's workspace”");
    expect(await told()).not.toContain("Everybody else");
    expect(await claims(tenant_id)).toHaveLength(1);
  });

  test("nobody is told of accounts that nobody had before", async () => {
    const link = await panel.ctx.accountLinks.inviteAccount("new@corp.example", "New");
    const token = link?.url.split("#")[1];
    const used = { token, password: "another good phrase" };
    expect((await panel.call("POST /api/auth/link/use", { body: used })).status).toBe(200);
    expect(await rows("SELECT 1 FROM mail_queue WHERE kind = 'account.factors'")).toEqual([]);
  });
});
