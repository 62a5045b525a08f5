import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type OidcProvider, startOidcProvider } from "../../../../tests/kit/oidc.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { SCIM_PATCH, SCIM_USER } from "../../../../tests/kit/scim-directory.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { makeSsoWorld, SSO_SETTINGS } from "../../../../tests/kit/sso-world.ts";

onEachEngine("whom a member removed, at single sign-on", (engine) => {
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
  afterEach(() => panel.clock.jump(Date.now() - panel.clock.now()));
  afterAll(() => provider.close());

  test("nobody comes back by the provider who never came by it before: an invitation lets them in", async () => {
    const world = await makeSsoWorld(panel, provider, texts, "lorne");
    const email = `mallory@${world.host}`;
    const password = "correct horse battery";
    await panel.call("POST /api/auth/register", { body: { email, password, name: "Mallory" } });
    world.addPerson("mallory");
    const join = async () => {
      const { body } = await world.call("POST /api/invitations/bulk", { emails: [email], role: "org_viewer" });
      const [, token] = body.invited[0].url.split("#");
      return (await panel.call("POST /api/auth/accept-invite", { body: { token, password } })).body.user_id;
    };
    const removed = await world.call(`DELETE /api/team/members/${await join()}`);
    expect(removed.body.mode).toBe("deleted");
    for (const more of [{}, { password }, { anew: true }, { anew: true, password }]) {
      const browser = world.openBrowser();
      const code = (await browser.land(await browser.toProvider("mallory"))).get("code") ?? "";
      const refused = (await browser.exchange(code, more)).body;
      expect([refused.code, refused.params.cause]).toEqual(["sso_refused", "access_ended"]);
    }
    const members = (await world.call("GET /api/team/members")).body;
    expect(members.map((member: { email: string }) => member.email)).toEqual([world.owner.email]);
    await join();
    const entered = await world.signIn("mallory", { password });
    expect([entered.status, entered.body.user?.tenant_id]).toEqual([200, world.owner.tenant_id]);
  });

  test("nor by it whom the provider brought, once their account is forgotten", async () => {
    const world = await makeSsoWorld(panel, provider, texts, "linnhe");
    world.addPerson("oscar");
    const first = await world.signIn("oscar");
    expect((await world.call(`DELETE /api/team/members/${first.body.user.id}`)).body.mode).toBe("deleted");
    await panel.system.run("DELETE FROM sso_links WHERE tenant_id = ?", [world.owner.tenant_id]);
    await panel.runJob("tenants.forget_accounts");
    expect((await world.signIn("oscar")).body.code).toBe("sso_refused");
  });

  /** Gives the account of a member another address, as its owner may who has a passphrase. */
  const moveTo = (accountId: string, address: string) =>
    panel.system.tx(async (tx) => {
      panel.clock.jump(1);
      await panel.ctx.tenants.updatePasswordHash(tx, accountId, "hash of a passphrase");
      expect(await panel.ctx.tenants.updateEmail(tx, accountId, address)).toBe(true);
    });

  test("nor by it who gave their account another address before, nor under another one at the provider", async () => {
    const world = await makeSsoWorld(panel, provider, texts, "shin");
    world.addPerson("eve");
    const first = (await world.signIn("eve")).body;
    const member = await panel.ctx.tenants.findMembership(world.owner.tenant_id, first.user.id);
    await moveTo(member?.account_id ?? "", "eve@private.example");
    expect((await world.call(`DELETE /api/team/members/${first.user.id}`)).body.mode).toBe("deleted");
    // As when the connector is made anew.
    await panel.system.run("DELETE FROM sso_links WHERE tenant_id = ?", [world.owner.tenant_id]);
    const cause = async (login: string) => (await world.signIn(login)).body.params?.cause;
    expect(await cause("eve")).toBe("access_ended");
    world.addPerson("eve", { email: `other@${world.host}` });
    expect(await cause("eve")).toBe("access_ended");
    // Another person has the address of the other one, but not hers.
    world.addPerson("other");
    expect((await world.signIn("other")).status).toBe(200);
    world.addPerson("eva", { email: `eve@${world.host}` });
    expect(await cause("eva")).toBe("access_ended");
  });

  test("an address that somebody never proved, and had before they were a member, stands for nobody", async () => {
    const world = await makeSsoWorld(panel, provider, texts, "treig");
    const [before, password] = [`bob@${world.host}`, "correct horse battery"];
    const email = "mallory@treig-private.example";
    await panel.call("POST /api/auth/register", { body: { email: before, password, name: "Mallory" } });
    const account = await panel.ctx.tenants.findAccount(before);
    await panel.system.tx((tx) => panel.ctx.tenants.updateEmail(tx, account?.id ?? "", email));
    const { body } = await world.call("POST /api/invitations/bulk", { emails: [email], role: "org_viewer" });
    const [, token] = body.invited[0].url.split("#");
    const joined = await panel.call("POST /api/auth/accept-invite", { body: { token, password } });
    expect((await world.call(`DELETE /api/team/members/${joined.body.user_id}`)).body.mode).toBe("deleted");
    world.addPerson("bob");
    expect((await world.signIn("bob")).status).toBe(200);
  });

  test("nor by it whose membership the directory ended, or that stays without access, under an address that they had", async () => {
    const world = await makeSsoWorld(panel, provider, texts, "quoich");
    const { token } = (await world.call("POST /api/scim/tokens", { name: "Entra" })).body;
    const scim = (route: string, body: unknown) =>
      panel.call(route, {
        ...{ token, body: JSON.stringify(body), headers: { "content-type": "application/scim+json" } },
      });
    const add = async (userName: string, value: string) =>
      (await scim("POST /scim/v2/Users", { schemas: [SCIM_USER], userName, emails: [{ value }] })).body.id;
    const turn = async (id: string, active: boolean) =>
      scim(`PATCH /scim/v2/Users/${id}`, {
        ...{ schemas: [SCIM_PATCH], Operations: [{ op: "replace", value: { active } }] },
      });
    const cause = async (login: string) => (await world.signIn(login)).body.params?.cause;
    const at = (login: string) => `${login}@${world.host}`;
    const eve = await add(at("eve"), at("eve.s"));
    const member = await panel.ctx.tenants.findMembership(world.owner.tenant_id, eve);
    await moveTo(member?.account_id ?? "", "eve@quoich-private.example");
    expect((await turn(eve, false)).body.active).toBe(false);
    // What the directory calls them, and where it writes to them.
    for (const login of ["eve", "eve.s"]) {
      world.addPerson(login);
      expect(await cause(login)).toBe("access_ended");
    }
    // Also where the directory says nothing of it.
    await panel.system.run("DELETE FROM scim_users WHERE tenant_id = ? AND member_id = ?", [
      world.owner.tenant_id,
      eve,
    ]);
    expect(await cause("eve.s")).toBe("access_ended");
    const names = (await world.call("GET /api/team/members?active_only=true")).body;
    expect(names.map(({ email }: { email: string }) => email)).toEqual([world.owner.email]);
    // Whom the directory brings since then is somebody else, or the same with its consent.
    const other = await add(at("eve.s"), at("eve.s"));
    const entered = await world.signIn("eve.s");
    expect([entered.status, entered.body.user?.id]).toEqual([200, other]);
  });
});
