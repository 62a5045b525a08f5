import { afterAll, beforeAll, expect, test } from "bun:test";
import { type OidcProvider, startOidcProvider } from "../../../../tests/kit/oidc.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { makeSsoWorld, SSO_SETTINGS } from "../../../../tests/kit/sso-world.ts";

onEachEngine("the sign-on of a workspace that is deleted, whose rows go in parts", (engine) => {
  const databases = panelDatabases(engine);
  const texts = new Map<string, string[]>();
  let panel: TestPanel;
  let provider: OidcProvider;

  beforeAll(async () => {
    panel = await createTestPanel(await databases.open(), SSO_SETTINGS, async (name) => texts.get(name) ?? []);
    // The provider has the real clock.
    panel.clock.jump(Date.now() - panel.clock.now());
    provider = await startOidcProvider();
  });
  afterAll(() => provider.close());

  test("lets nobody in who is on the way, and none who begin", async () => {
    const world = await makeSsoWorld(panel, provider, texts, "tay");
    const password = "correct horse battery";
    const email = `mira@${world.host}`;
    await panel.call("POST /api/auth/register", { body: { email, password, name: "Mira" } });
    const { body } = await world.call("POST /api/invitations/bulk", { emails: [email], role: "org_viewer" });
    const [, token] = body.invited[0].url.split("#");
    await panel.call("POST /api/auth/accept-invite", { body: { token, password } });
    world.addPerson("mira");
    const browser = world.openBrowser();
    const code = (await browser.land(await browser.toProvider("mira"))).get("code") ?? "";

    const mark = "UPDATE tenants SET deleted_at = 1, status = 'suspended' WHERE tenant_id = ?";
    await panel.system.run(mark, [world.owner.tenant_id]);
    const onTheWay = (await browser.exchange(code, { password })).body;
    expect([onTheWay.code, onTheWay.params.cause]).toEqual(["sso_refused", "changed"]);
    const others = await panel.system.all("SELECT 1 AS one FROM members WHERE tenant_id = ?", [world.owner.tenant_id]);
    expect(others).toHaveLength(2);
  });
});
