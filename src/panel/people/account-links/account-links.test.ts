import { beforeEach, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";

const PASSWORD = "correct horse battery";

onEachEngine("account links", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  beforeEach(async () => {
    panel = await createTestPanel(await databases.open(), { registration: "closed", public_url: "https://panel.test" });
  });
  const tokenOf = (link: { url: string } | null) => link?.url.split("#")[1] ?? "";
  const look = (token: string) => panel.call("POST /api/auth/link/look", { body: { token } });
  const use = (token: string, password = PASSWORD) =>
    panel.call("POST /api/auth/link/use", { body: { token, password } });
  const logIn = (email: string, password: string) => panel.call("POST /api/auth/login", { body: { email, password } });

  test("an invitation makes an account also where nobody may register, and its link works once", async () => {
    const link = await panel.ctx.accountLinks.inviteAccount("Ada@Example.org", "Ada");
    expect(link?.url).toMatch(/^https:\/\/panel\.test\/welcome#.{43}$/);
    expect(await panel.ctx.accountLinks.inviteAccount("ada@example.org", "Again")).toBeNull();
    expect((await look(tokenOf(link))).body).toMatchObject({ kind: "invite", email: "ada@example.org" });
    expect((await use(tokenOf(link), "12345678")).body.code).toBe("link_password_unusable");
    expect((await use(tokenOf(link))).body).toEqual({ status: "ok", email: "ada@example.org" });
    expect((await use(tokenOf(link))).body.code).toBe("link_unknown");
    const login = await logIn("ada@example.org", PASSWORD);
    expect([login.status, login.body.user.tenant_name]).toEqual([200, "Ada's workspace"]);
    const stored = JSON.stringify(await panel.system.all("SELECT * FROM audit_entries"));
    expect(stored).toContain("account.link_used");
    expect(stored).not.toContain(tokenOf(link));
  });

  test("a reset ends every session, and a newer link takes the place of the former one", async () => {
    const bob = await panel.join("bob");
    const first = await panel.ctx.accountLinks.offerReset("BOB@example.org");
    const second = await panel.ctx.accountLinks.offerReset("bob@example.org");
    expect((await panel.call("GET /api/auth/me", { token: bob.token })).status).toBe(200);
    expect((await look(tokenOf(first))).status).toBe(404);
    expect((await use(tokenOf(second))).status).toBe(200);
    expect((await panel.call("GET /api/auth/me", { token: bob.token })).status).toBe(401);
    expect((await logIn("bob@example.org", PASSWORD)).status).toBe(200);
    expect(await panel.ctx.accountLinks.offerReset("nobody@example.org")).toBeNull();
  });

  test("whoever changes their password takes back a link that somebody else may hold", async () => {
    const first = await panel.ctx.accountLinks.inviteAccount("erin@example.org", "Erin");
    await use(tokenOf(first));
    const link = await panel.ctx.accountLinks.offerReset("erin@example.org");
    const { token } = (await logIn("erin@example.org", PASSWORD)).body;
    const body = { old_password: PASSWORD, new_password: "another good phrase" };
    expect((await panel.call("POST /api/auth/change-password", { token, body })).status).toBe(200);
    expect((await use(tokenOf(link))).status).toBe(404);
  });

  test("a link opens nothing once the account has another address, whoever gave it that", async () => {
    const eve = await panel.join("eve");
    const link = await panel.ctx.accountLinks.offerReset(eve.email);
    const moveTo = (email: string) => panel.system.tx((tx) => panel.ctx.tenants.updateEmail(tx, eve.account_id, email));
    expect(await moveTo("rita@example.org")).toBe(true);
    expect([(await look(tokenOf(link))).status, (await use(tokenOf(link))).status]).toEqual([404, 404]);
    expect((await logIn("rita@example.org", PASSWORD)).status).toBe(401);
    const next = await panel.ctx.accountLinks.offerReset("rita@example.org");
    expect((await use(tokenOf(next))).status).toBe(200);
  });

  test("a link runs out, and of two who use it at once one does", async () => {
    await panel.join("carol");
    const late = await panel.ctx.accountLinks.offerReset("carol@example.org");
    await panel.clock.advance(24 * 3_600_000);
    expect((await use(tokenOf(late))).status).toBe(404);
    const link = await panel.ctx.accountLinks.offerReset("carol@example.org");
    const answers = await Promise.all([use(tokenOf(link)), use(tokenOf(link), "another good phrase")]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });

  test("the operator makes staff and ends it", async () => {
    const dan = await panel.join("dan");
    const role = async () => (await panel.call("GET /api/auth/me", { token: dan.token })).body.global_role;
    expect(await panel.ctx.accountLinks.setStaff("dan@example.org", true)).toBe(true);
    expect(await role()).toBe("admin");
    await panel.ctx.accountLinks.setStaff("dan@example.org", false);
    expect(await role()).toBeNull();
    expect(await panel.ctx.accountLinks.setStaff("nobody@example.org", true)).toBe(false);
  });

  test("guessing links has a limit", async () => {
    await panel.clock.advance(900_000);
    const statuses = [];
    for (let count = 0; count < 31; count++) statuses.push((await look(`guess-${count}`)).status);
    expect([statuses[29], statuses[30]]).toEqual([404, 429]);
  });
});
