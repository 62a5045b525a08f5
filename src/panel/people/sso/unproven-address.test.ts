import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type OidcProvider, startOidcProvider } from "../../../../tests/kit/oidc.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { makeSsoWorld, SSO_SETTINGS, type SsoWorld } from "../../../../tests/kit/sso-world.ts";

onEachEngine("unproven addresses", (engine) => {
  const databases = panelDatabases(engine);
  const texts = new Map<string, string[]>();
  let panel: TestPanel;
  let provider: OidcProvider;
  const makeWorld = (name: string): Promise<SsoWorld> => makeSsoWorld(panel, provider, texts, name);

  beforeAll(async () => {
    panel = await createTestPanel(await databases.open(), SSO_SETTINGS, async (name) => texts.get(name) ?? []);
    // The provider has the real clock.
    panel.clock.jump(Date.now() - panel.clock.now());
    provider = await startOidcProvider();
  });
  afterEach(() => panel.clock.jump(Date.now() - panel.clock.now()));
  afterAll(() => provider.close());

  test("an account that never proved the address gives it to whom the domain's owner names, and signs in by it as before", async () => {
    const world = await makeWorld("lamna");
    const email = `nina@${world.host}`;
    const password = "correct horse battery";
    const squatter = (await panel.call("POST /api/auth/register", { body: { email, password, name: "Squatter" } }))
      .body;
    world.addPerson("nina");
    const arrive = async () => {
      const browser = world.openBrowser();
      const code = (await browser.land(await browser.toProvider("nina"))).get("code") ?? "";
      return (more: object = {}) => browser.exchange(code, { ...more });
    };
    const verify = (value: number) =>
      panel.system.run("UPDATE accounts SET email_verified = ? WHERE email = ?", [value, email]);
    // Whoever proved it keeps it.
    await verify(1);
    expect((await (await arrive())({ anew: true })).body.code).toBe("sso_proof_missing");
    await verify(0);
    const trade = await arrive();
    expect((await trade()).body.code).toBe("sso_proof_missing");
    const entered = await trade({ anew: true });
    expect([entered.status, entered.body.user.email, entered.body.user.tenant_id]).toEqual([
      200,
      email,
      world.owner.tenant_id,
    ]);
    const login = await panel.call("POST /api/auth/login", { body: { email, password } });
    expect([login.status, login.body.user?.tenant_id]).toEqual([200, squatter.tenant_id]);
    expect(login.body.user.email).toMatch(/@unproven\.invalid$/);
    // It proves nothing of the account that has the address now.
    const again = await arrive();
    expect((await again({ password })).body.code).toBe("sso_proof_missing");
    expect((await again()).body.user?.account_id).toBe(entered.body.user.account_id);
    const written = await panel.system.all("SELECT action FROM audit_entries WHERE tenant_id = ?", [
      squatter.tenant_id,
    ]);
    expect(written).toContainEqual({ action: "account.address_release" });
  });
});
