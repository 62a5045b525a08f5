import { expect, spyOn, test } from "bun:test";
import { suite } from "../../../../tests/kit/env.ts";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createStranger, MAILING } from "../../../../tests/kit/stranger.ts";
import { until } from "../../../../tests/kit/until.ts";

suite("invitations accepted while all access to the workspace ends", ["postgres"], () => {
  const databases = panelDatabases("postgres");

  test("make nobody a member whom the end did not see", async () => {
    const panel = await createTestPanel(await databases.open(), MAILING);
    const { invite, accept, token, tenant_id } = await createStranger(panel);
    const late = await panel.join("late");
    const link = await invite(token, late.email, "org_owner");
    const [held, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ending = panel.system.tx(async (tx) => {
      await panel.ctx.tenants.lockMembers(tx, tenant_id);
      held.resolve();
      await asked.promise;
      await tx.run("DELETE FROM invitations WHERE tenant_id = ? AND accepted_at IS NULL", [tenant_id]);
    });
    await held.promise;
    const waits = spyOn(panel.ctx.tenants, "lockMembers");
    const answer = accept(link, late.token);
    await Promise.race([answer, until(() => waits.mock.calls.length > 0, { everyMs: 1, what: "the join" })]);
    waits.mockRestore();
    asked.resolve();
    await ending;
    expect((await answer).body.code).toBe("invitation_unknown");
  });
});
