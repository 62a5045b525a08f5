import { afterAll, beforeAll, expect, test } from "bun:test";
import { suite } from "../../../../tests/kit/env.ts";
import { whileHeld } from "../../../../tests/kit/held-rows.ts";
import { type OidcProvider, startOidcProvider } from "../../../../tests/kit/oidc.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { makeSsoWorld, SSO_SETTINGS, type SsoWorld } from "../../../../tests/kit/sso-world.ts";

const PASSWORD = "correct horse battery";

suite("whom a provider names and who may not come in", ["postgres"], () => {
  const databases = panelDatabases("postgres");
  const texts = new Map<string, string[]>();
  let panel: TestPanel;
  let provider: OidcProvider;
  let world: SsoWorld;

  beforeAll(async () => {
    panel = await createTestPanel(await databases.open(), SSO_SETTINGS, async (name) => texts.get(name) ?? []);
    // The provider has the real clock.
    panel.clock.jump(Date.now() - panel.clock.now());
    provider = await startOidcProvider();
    world = await makeSsoWorld(panel, provider, texts, "isurus");
  });
  afterAll(() => provider.close());

  /** Comes from the provider while another transaction holds their account and the workspace still; gives the answers to each try. */
  async function comeMeanwhile(login: string, tries: readonly object[]) {
    const browser = world.openBrowser();
    const code = (await browser.land(await browser.toProvider(login))).get("code") ?? "";
    const account = await panel.ctx.tenants.findAccount(`${login}@${world.host}`);
    const held = { account_id: account?.id ?? null, tenant_id: world.owner.tenant_id };
    return whileHeld(panel, held, async () => {
      const answers = [];
      for (const one of tries) {
        const { body } = await browser.exchange(code, { ...one });
        answers.push(body.params?.cause ?? body.code);
      }
      return answers;
    });
  }

  test("is told so before anything is held, as often as they ask", async () => {
    const email = `nina@${world.host}`;
    await panel.call("POST /api/auth/register", { body: { email, password: PASSWORD, name: "Nina" } });
    await panel.system.run("UPDATE accounts SET email_verified = 1 WHERE email = ?", [email]);
    world.addPerson("nina");
    const tries = [{}, { anew: true }, {}];
    expect(await comeMeanwhile("nina", tries)).toEqual(tries.map(() => "sso_proof_missing"));
  });

  test("is told so before anything is held, where the provider says no role for them", async () => {
    world.addPerson("olga", { groups: [] });
    expect(await comeMeanwhile("olga", [{}])).toEqual(["role"]);
  });
});
