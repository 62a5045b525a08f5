import { afterEach, beforeAll, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";

const PASSWORD = "correct horse battery";

onEachEngine("accounts", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
  });

  test("an address has one account, however it is written, and each way of writing it leads there", async () => {
    const body = { email: "Lola@Bücher.example", password: PASSWORD, name: "Lola" };
    const made = await panel.call("POST /api/auth/register", { body });
    expect(made.body.email).toBe("lola@xn--bcher-kva.example");
    const forms = [
      "lola@bücher.example.",
      "LOLA@XN--BCHER-KVA.EXAMPLE",
      "ｌｏｌａ@bücher。example",
      "lola@bu\u0308cher.example",
    ];
    for (const email of forms) {
      const again = await panel.call("POST /api/auth/register", { body: { ...body, email } });
      expect([email, again.status, again.body.code]).toEqual([email, 409, "email_taken"]);
      const login = await panel.call("POST /api/auth/login", { body: { email, password: PASSWORD } });
      expect([email, login.status]).toEqual([email, 200]);
    }
    const none = await panel.call("POST /api/auth/register", { body: { ...body, email: "lola@ex/ämple.org" } });
    expect([none.status, none.body.params.field]).toEqual([400, "email"]);
  });

  test("an account whose address was kept in another form is brought into the one of now, and leads in whatever the form", async () => {
    for (const email of ["old@example.org", "both@example.org"])
      await panel.call("POST /api/auth/register", { body: { email, password: PASSWORD, name: "Old" } });
    const renamed = (from: string, to: string) =>
      panel.system.tx((tx) => tx.run("UPDATE accounts SET email = ? WHERE email = ?", [to, from]));
    await renamed("old@example.org", "old@bücher.example");
    await renamed("both@example.org", "both@example.org.");
    await panel.call("POST /api/auth/register", {
      body: { email: "both@example.org", password: "another long phrase", name: "New" },
    });
    const signIn = async (email: string, password: string) =>
      (await panel.call("POST /api/auth/login", { body: { email, password } })).body.user?.display_name;
    for (const isStarted of [false, true]) {
      if (isStarted) for (const part of panel.ctx.parts) if (part.feature.name === "tenants") await part.start?.();
      // Of two that are one now both still come in, each as they did.
      expect(await signIn("old@bücher.example", PASSWORD)).toBe("Old");
      expect(await signIn("both@example.org.", PASSWORD)).toBe("Old");
      expect(await signIn("both@example.org", "another long phrase")).toBe("New");
    }
    expect(await signIn("old@xn--bcher-kva.example", PASSWORD)).toBe("Old");
    expect(
      await panel.system.get("SELECT count(*) AS count FROM accounts WHERE email = ?", ["both@example.org."]),
    ).toEqual({ count: 1 });
  });

  test("of several accounts that had to release one address each signs in with its own password", async () => {
    const email = "released@example.org";
    for (const no of [1, 2]) {
      await panel.call("POST /api/auth/register", { body: { email, password: `${PASSWORD} ${no}`, name: `No ${no}` } });
      await panel.system.run("UPDATE accounts SET released_email = email, email = ? WHERE email = ?", [
        ...[`stand-in-${no}@unproven.invalid`, email],
      ]);
      await panel.clock.advance(1_000);
    }
    for (const no of [1, 2]) {
      const { body } = await panel.call("POST /api/auth/login", { body: { email, password: `${PASSWORD} ${no}` } });
      expect(body.user?.display_name).toBe(`No ${no}`);
    }
    expect((await panel.call("POST /api/auth/login", { body: { email, password: PASSWORD } })).status).toBe(401);
  });

  // What one test tried in vain must not count against the next one.
  afterEach(() => panel.clock.advance(900_000));

  test("registering makes an account with a workspace of its own", async () => {
    const body = { email: "Ada@Example.org", password: PASSWORD, name: "Ada Love" };
    const made = await panel.call("POST /api/auth/register?ref=partner-7", { body });
    expect(made.status).toBe(200);
    expect(Object.keys(made.body).toSorted()).toEqual(["created_at", "email", "id", "name", "tenant_id"]);
    expect(made.body).toMatchObject({ email: "ada@example.org", name: "Ada Love" });
    const again = await panel.call("POST /api/auth/register", { body: { ...body, email: "ADA@example.org" } });
    expect([again.status, again.body.code]).toEqual([409, "email_taken"]);
    expect(await panel.system.get("SELECT referred_by FROM accounts WHERE email = ?", ["ada@example.org"])).toEqual({
      referred_by: "partner-7",
    });
    const login = await panel.call("POST /api/auth/login", { body: { email: "ADA@example.org", password: PASSWORD } });
    expect(login.body.user).toEqual({
      id: made.body.id,
      tenant_id: made.body.tenant_id,
      account_id: login.body.user.account_id,
      email: "ada@example.org",
      display_name: "Ada Love",
      role: "org_owner",
      global_role: null,
      email_verified: false,
      onboarding_completed: false,
      tenant_name: "Ada Love's workspace",
      tenant_mode: "business",
    });
    const claims = JSON.parse(Buffer.from(login.body.token.split(".")[1], "base64url").toString());
    expect(claims).toMatchObject({
      uid: made.body.id,
      tid: made.body.tenant_id,
      aid: login.body.user.account_id,
      role: "org_owner",
    });
    expect((await panel.call("GET /api/auth/me", { token: login.body.token })).body).toEqual(login.body.user);
  });

  test("onboarding says what the workspace is for, if one may, and ends; every step gives a fresh token", async () => {
    const owner = await panel.join("newcomer");
    const step = (token: string, body: object) => panel.call("POST /api/auth/onboarding", { token, body });
    const first = await step(owner.token, { mode: "family", complete: false });
    expect(first.body.user).toMatchObject({ tenant_mode: "family", onboarding_completed: false });
    const last = await step(first.body.token, {});
    expect(last.body.user).toMatchObject({ tenant_mode: "family", onboarding_completed: true });
    expect((await panel.call("GET /api/auth/me", { token: last.body.token })).body).toEqual(last.body.user);
    const viewer = await panel.invite(owner, "newcomer2", "org_viewer");
    expect((await step(viewer.token, { mode: "msp", complete: true })).body).toMatchObject({
      error: "forbidden",
      code: "permission_missing",
    });
    expect((await panel.call("GET /api/auth/me", { token: viewer.token })).body.onboarding_completed).toBe(false);
    expect((await step(viewer.token, { complete: true })).body.user.onboarding_completed).toBe(true);
    expect((await step(viewer.token, { mode: "zoo" })).status).toBe(400);
  });

  test("wrong passwords keep out whoever tries them, not the others of their network, until there are too many", async () => {
    const logIn = (email: string, password: string) =>
      panel.call("POST /api/auth/login", { body: { email, password } });
    const body = { email: "office@example.org", password: PASSWORD, name: "Office" };
    await panel.call("POST /api/auth/register", { body });
    for (let count = 0; count < 5; count++) expect((await logIn("clumsy@example.org", "wrong")).status).toBe(401);
    const kept = await logIn("Clumsy@example.org", "wrong");
    expect([kept.status, kept.headers.get("retry-after")]).toEqual([429, "900"]);
    expect((await logIn(body.email, PASSWORD)).status).toBe(200);
    // Refused before any hash is reckoned, and a try all the same.
    const weak = (email: string) =>
      panel.call("POST /api/auth/register", { body: { ...body, email, password: "12345678" } });
    for (let count = 0; count < 45; count++) await weak(`guess${count}@example.org`);
    expect((await logIn(body.email, PASSWORD)).status).toBe(429);
    await panel.clock.advance(900_000);
    expect((await logIn(body.email, PASSWORD)).status).toBe(200);
  });

  test("what people do with their account stands in the audit log of the workspace they are in", async () => {
    const body = { email: "log@example.org", password: PASSWORD };
    const { tenant_id } = (await panel.call("POST /api/auth/register", { body: { ...body, name: "Log" } })).body;
    const { token } = (await panel.call("POST /api/auth/login", { body })).body;
    await panel.call("POST /api/auth/login", { body: { ...body, password: "wrong password" } });
    await panel.call("PUT /api/auth/profile", { token, body: { name: "Logan" } });
    const change = { old_password: PASSWORD, new_password: "another good phrase" };
    await panel.call("POST /api/auth/change-password", { token, body: change });
    await panel.call("POST /api/auth/logout", { token });
    const entries = await panel
      .tenant(tenant_id)
      .all<{ action: string; details: string }>(
        "SELECT action, details FROM audit_entries WHERE tenant_id = :tenant ORDER BY id",
      );
    // A wrong password is written down while the answer is on its way.
    expect(entries.map(({ action }) => action).filter((action) => action !== "account.sign_in_failed")).toEqual([
      "account.register",
      "account.sign_in",
      "account.profile_change",
      "account.password_change",
      "account.sign_out",
    ]);
    expect(JSON.stringify(entries)).not.toContain("phrase");
  });

  test("bad input and wrong passwords are refused", async () => {
    await panel.join("bad");
    const register = (body: object) => panel.call("POST /api/auth/register", { body });
    expect((await register({ email: "no address", password: PASSWORD, name: "X" })).status).toBe(400);
    expect((await register({ email: "a@b.c", password: "12345678", name: "X" })).body.code).toBe("password_unusable");
    expect((await register({ email: "a@b.c", password: PASSWORD, name: "nul\u0000" })).status).toBe(400);
    expect((await register({ email: "a@b.c", password: PASSWORD, name: "X", role: "admin" })).status).toBe(400);
    for (const email of ["bad@example.org", "nobody@example.org"]) {
      const refused = await panel.call("POST /api/auth/login", { body: { email, password: "wrong password" } });
      expect([refused.status, refused.body.code]).toEqual([401, "wrong_credentials"]);
    }
  });

  test("a token is renewed for 14 days after it was issued, no longer", async () => {
    const { token } = await panel.join("renew");
    await panel.clock.advance(16 * 60_000);
    expect((await panel.call("GET /api/auth/me", { token })).status).toBe(401);
    const renewed = await panel.call("POST /api/auth/refresh", { token });
    expect(renewed.status).toBe(200);
    expect((await panel.call("GET /api/auth/me", { token: renewed.body.token })).status).toBe(200);
    await panel.clock.advance(14 * 86_400_000 + 1000);
    expect((await panel.call("POST /api/auth/refresh", { token: renewed.body.token })).status).toBe(401);
  });

  test("a new password ends the other sessions", async () => {
    const login = { email: "change@example.org", password: PASSWORD };
    await panel.call("POST /api/auth/register", { body: { ...login, name: "Change" } });
    const signIn = async (): Promise<string> => (await panel.call("POST /api/auth/login", { body: login })).body.token;
    const [first, second] = [await signIn(), await signIn()];
    const change = (body: object, path = "change-password") =>
      panel.call(`POST /api/auth/${path}`, { token: first, body });
    const wrong = await change({ old_password: "not this one", new_password: "another good phrase" });
    expect([wrong.status, wrong.body.code]).toEqual([403, "wrong_password"]);
    expect((await change({ old_password: PASSWORD, new_password: "another good phrase" })).status).toBe(200);
    expect((await panel.call("GET /api/auth/me", { token: second })).status).toBe(401);
    expect((await panel.call("POST /api/auth/refresh", { token: second })).status).toBe(401);
    expect((await panel.call("GET /api/auth/me", { token: first })).status).toBe(200);
    expect((await change({ new_password: PASSWORD }, "password")).status).toBe(400);
    const back = { current_password: "another good phrase", new_password: PASSWORD };
    expect((await change(back, "password")).status).toBe(200);
  });

  test("the name in the profile", async () => {
    const { token } = await panel.join("named");
    const { status, body } = await panel.call("PUT /api/auth/profile", { token, body: { name: "Néw Name" } });
    expect([status, body.display_name]).toEqual([200, "Néw Name"]);
  });

  test("an address registered by many at once belongs to one", async () => {
    const body = { email: "race@example.org", password: PASSWORD, name: "Race" };
    const answers = await Promise.all(Array.from({ length: 4 }, () => panel.call("POST /api/auth/register", { body })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const { count } = (await panel.system.get<{ count: number }>(
      "SELECT count(*) AS count FROM tenants WHERE name = ?",
      ["Race's workspace"],
    )) ?? { count: 0 };
    expect(count).toBe(1);
  });
});
