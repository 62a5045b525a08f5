import { expect, test } from "bun:test";
import { askDuringClaim } from "../../../../tests/kit/ask-during-claim.ts";
import { suite } from "../../../../tests/kit/env.ts";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createStranger, MAILING } from "../../../../tests/kit/stranger.ts";

suite("tokens that a stranger asks for while the owner of the address claims the account", ["postgres"], () => {
  const databases = panelDatabases("postgres");

  test.each([
    ["POST /api/fleet/tokens", { name: "Late", expires_in_hours: 100, max_uses: 5 }],
    ["POST /api/onboarding/enroll-token", {}],
  ])("are no good afterwards: %s", async (route, body) => {
    const panel = await createTestPanel(await databases.open(), MAILING);
    const stranger = await createStranger(panel, true);
    const { answer, owner } = await askDuringClaim(panel, panel.ctx.lists.grants, stranger, () =>
      stranger.call(route, stranger.token, body),
    );
    expect(answer.status).toBe(401);
    expect(owner.user.tenant_id).toBe(stranger.tenant_id);
    expect((await stranger.call("GET /api/fleet/tokens", owner.token)).body.tokens).toEqual([]);
  });
});
