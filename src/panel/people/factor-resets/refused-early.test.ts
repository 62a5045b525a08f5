import { expect, test } from "bun:test";
import { suite } from "../../../../tests/kit/env.ts";
import { whileHeld } from "../../../../tests/kit/held-rows.ts";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";

suite("factor resets that are refused", ["postgres"], () => {
  const databases = panelDatabases("postgres");

  test("wait for nobody who changes the account", async () => {
    const panel = await createTestPanel(await databases.open());
    const owner = await panel.join("owner");
    const { account_id, member_id } = await panel.invite(owner, "bob", "org_viewer");
    const begin = () => panel.call(`POST /api/team/members/${member_id}/factor-reset`, { token: owner.token });
    expect((await whileHeld(panel, { account_id }, begin)).body.code).toBe("reset_without_factor");
  });
});
