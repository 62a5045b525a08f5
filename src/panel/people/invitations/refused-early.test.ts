import { beforeEach, expect, test } from "bun:test";
import { suite } from "../../../../tests/kit/env.ts";
import { whileHeld } from "../../../../tests/kit/held-rows.ts";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createStranger, MAILING } from "../../../../tests/kit/stranger.ts";

suite("invitations that let nobody in", ["postgres"], () => {
  const databases = panelDatabases("postgres");
  let panel: TestPanel;
  let stranger: Awaited<ReturnType<typeof createStranger>>;
  let late: Person;

  beforeEach(async () => {
    panel = await createTestPanel(await databases.open(), MAILING);
    stranger = await createStranger(panel);
    late = await panel.join("late");
  });

  /** What accepting is answered while another transaction holds the account and the workspace still. */
  async function acceptMeanwhile(body: object): Promise<string> {
    const held = { account_id: late.account_id, tenant_id: stranger.tenant_id };
    const ask = () => panel.call("POST /api/auth/accept-invite", { token: late.token, body });
    return (await whileHeld(panel, held, ask)).body.code;
  }

  const demote = async () => {
    const id = await stranger.memberOf(stranger.accomplice);
    const changed = await stranger.call(`PUT /api/team/members/${id}/role`, stranger.token, { role: "org_viewer" });
    expect(changed.status).toBe(200);
  };

  test("are refused before anything is held, where whoever made them may not any more", async () => {
    const entered = await stranger.entered();
    const link = await stranger.invite(entered, late.email, "org_viewer");
    const toNobody = await stranger.invite(entered, "nobody@corp.example", "org_viewer");
    await demote();
    expect(await acceptMeanwhile({ token: link })).toBe("invitation_unknown");
    const anew = { token: toNobody, name: "Nobody", password: "a phrase of my own" };
    expect(await acceptMeanwhile(anew)).toBe("invitation_unknown");
  });

  test("are refused before anything is held, where whoever accepts is or was there", async () => {
    const { invite, token, tenant_id } = stranger;
    const link = await invite(token, late.email, "org_viewer");
    // As of an invitation that came before a directory brought them.
    const status = (value: string) =>
      panel.system.run(
        `INSERT INTO members (tenant_id, id, account_id, role, status, created_at) VALUES (?, 'mem_late', ?, 'org_viewer', ?, 0)
         ON CONFLICT (tenant_id, id) DO UPDATE SET status = excluded.status`,
        [tenant_id, late.account_id, value],
      );
    await status("active");
    expect(await acceptMeanwhile({ token: link })).toBe("already_here");
    await status("disabled");
    expect(await acceptMeanwhile({ token: link })).toBe("access_was_ended");
  });
});
