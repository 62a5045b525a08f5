import { beforeEach, expect, spyOn, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createStranger, MAILING, PASSWORD, VICTIM } from "../../../../tests/kit/stranger.ts";
import { until } from "../../../../tests/kit/until.ts";

onEachEngine("invitations accepted by whom the account is taken from meanwhile", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let stranger: Awaited<ReturnType<typeof createStranger>>;

  beforeEach(async () => {
    panel = await createTestPanel(await databases.open(), MAILING);
    stranger = await createStranger(panel);
  });

  /** Accepts while another transaction gives the account to somebody else; `method` answers the last question that is asked before. */
  async function acceptMeanwhile(method: "findMembership" | "findAccount", no: number) {
    const { invite, accomplice } = stranger;
    const link = await invite(accomplice.token, VICTIM, "org_owner");
    const asked = spyOn(panel.ctx.tenants, method);
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const taking = panel.system.tx(async (tx) => {
      await tx.run("UPDATE accounts SET password_hash = 'another' WHERE email = ?", [VICTIM]);
      const account = "(SELECT id FROM accounts WHERE email = ?)";
      await tx.run(`UPDATE sessions SET ended_at = 1 WHERE account_id = ${account}`, [VICTIM]);
      hold();
      await released;
    });
    await held;
    const isSignedIn = method === "findMembership";
    const answer = panel.call(
      "POST /api/auth/accept-invite",
      isSignedIn ? { token: stranger.token, body: { token: link } } : { body: { token: link, password: PASSWORD } },
    );
    await until(() => asked.mock.results[no - 1]?.value, { everyMs: 1, what: "the proof" });
    await asked.mock.results[no - 1]?.value;
    asked.mockRestore();
    release();
    await taking;
    return answer;
  }

  test.each([
    ["a session that ends", "findMembership", 1],
    ["a passphrase that is another one then", "findAccount", 3],
  ] as const)("%s joins nothing", async (_proof, method, no) => {
    const answer = await acceptMeanwhile(method, no);
    expect([answer.status, answer.body.code]).toEqual([401, "invitation_proof_missing"]);
    const joined = await panel.system.all(
      "SELECT 1 FROM members m JOIN accounts a ON a.id = m.account_id WHERE a.email = ? AND m.tenant_id = ?",
      [VICTIM, stranger.accomplice.tenant_id],
    );
    expect(joined).toEqual([]);
  });
});
