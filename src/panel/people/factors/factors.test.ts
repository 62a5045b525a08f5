import { beforeAll, beforeEach, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { Secret, TOTP } from "otpauth";
import { createAuthenticator } from "../../../../tests/kit/authenticator.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";

const PASSWORD = "correct horse battery";

onEachEngine("second factors", (engine) => {
  const databases = panelDatabases(engine);
  let shared: TestPanel;
  let panel: TestPanel;
  /** Every test has people of its own, and what it tried in vain does not count against the next one. */
  let round = 0;
  let seen = 0;
  beforeAll(async () => {
    shared = await createTestPanel(await databases.open());
  });
  beforeEach(async () => {
    panel = shared;
    round += 1;
    await panel.clock.advance(900_000);
    seen = (await audit()).length;
  });
  const mailOf = (name: string): string => `${name}${round}@example.org`;

  const codeOf = (secret: string): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: panel.clock.now() });
  /** Another code than the last one. */
  const nextCode = async (secret: string): Promise<string> => {
    await panel.clock.advance(30_000);
    return codeOf(secret);
  };
  const post = (path: string, body?: unknown, token?: string) =>
    panel.call(`POST /api/auth/${path}`, { body, ...(token === undefined ? {} : { token }) });
  const logIn = (name: string, password = PASSWORD) => post("login", { email: mailOf(name), password });
  const audit = async (): Promise<string[]> =>
    (await panel.system.all<{ action: string }>("SELECT action FROM audit_entries ORDER BY id")).map(
      ({ action }) => action,
    );

  /** Somebody with a password. */
  async function register(name: string): Promise<{ token: string; user_id: string }> {
    await post("register", { email: mailOf(name), password: PASSWORD, name });
    const { body } = await logIn(name);
    return { token: body.token, user_id: body.user.id };
  }

  /** Sets an app up; gives its secret. */
  async function addApp(token: string): Promise<string> {
    const { body } = await post("totp/enable", undefined, token);
    const { status } = await post("totp/verify", { code: codeOf(body.secret) }, token);
    expect(status).toBe(200);
    return body.secret;
  }

  /** Registers a key of the person. */
  async function addKey(token: string, authenticator = createAuthenticator()) {
    const { body } = await post("webauthn/register/begin", undefined, token);
    const credential = authenticator.register(body.options.publicKey);
    const made = await post("webauthn/register/finish", { name: "My key", credential }, token);
    expect(made.status).toBe(200);
    return { authenticator, id: made.body.id };
  }

  test("the app of one account opens no other, whoever writes to the database", async () => {
    const [ada, eve] = [await register("ada"), await register("eve")];
    await addApp(ada.token);
    const eves = await addApp(eve.token);
    await panel.system.run(
      `UPDATE totp SET secret = (SELECT t.secret FROM totp t JOIN accounts a ON a.id = t.account_id WHERE a.email = ?)
       WHERE account_id = (SELECT id FROM accounts WHERE email = ?)`,
      [mailOf("eve"), mailOf("ada")],
    );
    const { mfa_token } = (await logIn("ada")).body;
    const entered = await post("totp/verify-login", { mfa_token, code: await nextCode(eves) });
    expect([entered.status, entered.body.token]).toEqual([500, undefined]);
  });

  test("with an app a password alone opens nothing, and each code opens once", async () => {
    const { token, user_id } = await register("ada");
    const enrolment = (await post("totp/enable", undefined, token)).body;
    expect(enrolment.provisioning_uri).toStartWith(`otpauth://totp/Orrery:ada${round}%40example.org?`);
    expect((await post("totp/verify", { code: "000000" }, token)).body.code).toBe("totp_code_invalid");
    // Nothing has changed yet.
    expect((await logIn("ada")).body.token).toBeString();
    const secret = await addApp(token);
    expect((await post("totp/enable", undefined, token)).body.code).toBe("totp_already_on");

    const waiting = await logIn("ada");
    expect(waiting.body).toEqual({
      ...{ mfa_required: true, methods: ["totp"], user_id },
      mfa_token: expect.stringMatching(/^mfa_/),
    });
    expect(waiting.headers.get("set-cookie")).toBeNull();
    const { mfa_token } = waiting.body;
    // The one that turned it on was used.
    const used = await post("totp/verify-login", { mfa_token, code: codeOf(secret) });
    expect([used.status, used.body.code]).toEqual([401, "factor_code_wrong"]);
    const code = await nextCode(secret);
    const done = await post("totp/verify-login", { mfa_token, code });
    expect([done.status, done.body.user.id]).toEqual([200, user_id]);
    expect(done.headers.get("set-cookie")).toContain("orrery_panel=");
    expect((await panel.call("GET /api/auth/me", { token: done.body.token })).status).toBe(200);
    expect((await post("totp/verify-login", { mfa_token, code })).body.code).toBe("mfa_token_refused");
    const again = (await logIn("ada")).body.mfa_token;
    expect((await post("totp/verify-login", { mfa_token: again, code })).body.code).toBe("factor_code_wrong");
    expect((await audit()).slice(seen)).toEqual(
      expect.arrayContaining(["account.factor_add", "account.factor_sign_in", "account.factor_failed"]),
    );
    const stored = JSON.stringify(await panel.system.all("SELECT * FROM totp"));
    expect(stored).not.toContain(secret);
  });

  test("of many who give the same code at once one gets in", async () => {
    const { token } = await register("ada");
    const secret = await addApp(token);
    const code = await nextCode(secret);
    const tokens = await Promise.all(Array.from({ length: 4 }, async () => (await logIn("ada")).body.mfa_token));
    const one = await Promise.all(
      [...tokens, ...tokens].map((mfa_token) => post("totp/verify-login", { mfa_token, code })),
    );
    expect(one.filter(({ status }) => status === 200).length).toBe(1);
  });

  test("without mfa_token a code opens nothing", async () => {
    const { token, user_id } = await register("ada");
    const secret = await addApp(token);
    await logIn("ada");
    const refused = await post("totp/verify-login", { user_id, code: await nextCode(secret) });
    expect([refused.status, refused.body.error]).toEqual([401, "mfa_token_required"]);
    const key = await post("webauthn/login/begin", {});
    expect([key.status, key.body.error]).toEqual([401, "mfa_token_required"]);
  });

  test("where the operator lets it, the code may come without it after a right password, but never of staff", async () => {
    panel = await createTestPanel(await databases.open(), { totp_require_mfa_token: "false" });
    const { token, user_id } = await register("ada");
    const secret = await addApp(token);
    const first = await post("totp/verify-login", { user_id, code: await nextCode(secret) });
    expect([first.status, first.body.error]).toEqual([401, "mfa_token_required"]);
    await logIn("ada");
    expect((await post("totp/verify-login", { user_id, code: codeOf(secret) })).status).toBe(200);
    await panel.ctx.accountLinks.setStaff(mailOf("ada"), true);
    await logIn("ada");
    const staff = await post("totp/verify-login", { user_id, code: await nextCode(secret) });
    expect([staff.status, staff.body.error]).toEqual([401, "mfa_token_required"]);
  });

  test("guessing ends the sign-in, then the account has to wait", async () => {
    const { token } = await register("ada");
    const secret = await addApp(token);
    const guess = async (mfa_token: string) =>
      (await post("totp/verify-login", { mfa_token, code: "000000" })).body.code;
    const first = (await logIn("ada")).body.mfa_token;
    for (let count = 0; count < 5; count++) expect(await guess(first)).toBe("factor_code_wrong");
    expect(await guess(first)).toBe("mfa_token_refused");
    const second = (await logIn("ada")).body.mfa_token;
    for (let count = 0; count < 4; count++) expect(await guess(second)).toBe("factor_code_wrong");
    const late = await post("totp/verify-login", { mfa_token: second, code: await nextCode(secret) });
    expect([late.status, late.body.code]).toEqual([429, "too_many_requests"]);
  });

  test("what is tried through a workspace's own sign-in is counted for itself: it shuts nobody out of their account", async () => {
    const { token } = await register("ada");
    const secret = await addApp(token);
    const { tid, uid } = decodeJwt<{ tid: string; uid: string }>(token);
    const member = await panel.ctx.tenants.findMembership(tid, uid);
    if (!member) throw new Error("nobody to sign in");
    const id = await panel.ctx.system.tx((tx) =>
      panel.ctx.sessions.startWorkspaceSignIn(tx, member, { ip: "127.0.0.1" }),
    );
    const named = (await panel.ctx.sessions.loginBody(id, member)).token;
    const guess = async () => (await post("step-up", { code: "000000" }, named)).status;
    for (let count = 0; count < 10; count++) expect(await guess()).toBe(403);
    expect(await guess()).toBe(429);
    const { mfa_token } = (await logIn("ada")).body;
    expect((await post("totp/verify-login", { mfa_token, code: await nextCode(secret) })).status).toBe(200);
  });

  test("a sign-in waits for five minutes, and no longer than its password holds", async () => {
    const { token } = await register("ada");
    const secret = await addApp(token);
    const late = (await logIn("ada")).body.mfa_token;
    await panel.clock.advance(5 * 60_000);
    expect((await post("totp/verify-login", { mfa_token: late, code: codeOf(secret) })).body.code).toBe(
      "mfa_token_refused",
    );
    const { mfa_token } = (await logIn("ada")).body;
    const chosen = { old_password: PASSWORD, new_password: "another good phrase" };
    expect((await post("change-password", chosen, token)).status).toBe(200);
    expect((await post("totp/verify-login", { mfa_token, code: codeOf(secret) })).body.code).toBe("mfa_token_refused");
  });

  test("a recovery code stands in for a lost phone, once each", async () => {
    const { token } = await register("ada");
    expect((await post("recovery-codes", undefined, token)).body.code).toBe("no_factor");
    await addApp(token);
    const { codes } = (await post("recovery-codes", undefined, token)).body;
    expect(codes.length).toBe(10);
    expect(JSON.stringify(await panel.system.all("SELECT * FROM recovery_codes"))).not.toContain(codes[0]);
    const waiting = (await logIn("ada")).body;
    expect(waiting.methods).toEqual(["totp", "recovery_code"]);
    const code = codes[3].toLowerCase().replace("-", " ");
    const done = await post("totp/verify-login", { mfa_token: waiting.mfa_token, code });
    expect(done.status).toBe(200);
    const { mfa_token } = (await logIn("ada")).body;
    expect((await post("totp/verify-login", { mfa_token, code })).body.code).toBe("factor_code_wrong");
    expect((await panel.call("GET /api/auth/totp", { token })).body.recovery_codes_left).toBe(9);
    // Whoever came in by one can put another app in place of the lost one.
    expect((await post("totp/disable", undefined, done.body.token)).status).toBe(200);
    expect((await logIn("ada")).body.token).toBeString();
    expect((await panel.call("GET /api/auth/totp", { token })).body.recovery_codes_left).toBe(0);
  });

  test("what changes the ways in asks for a proof that is not older than a quarter of an hour", async () => {
    const { token } = await register("ada");
    await panel.clock.advance(14 * 60_000);
    const fresh = (await post("refresh", undefined, token)).body.token;
    await panel.clock.advance(60_000);
    const asked = await post("totp/enable", undefined, fresh);
    expect([asked.status, asked.body.code, asked.body.methods]).toEqual([403, "step_up_required", ["password"]]);
    expect((await post("step-up", {}, fresh)).body.code).toBe("step_up_missing");
    expect((await post("step-up", { password: "wrong one" }, fresh)).body.code).toBe("step_up_refused");
    expect((await post("step-up", { password: PASSWORD }, fresh)).status).toBe(200);
    const secret = await addApp(fresh);
    const { authenticator, id } = await addKey(fresh);
    await panel.clock.advance(14 * 60_000);
    const later = (await post("refresh", undefined, fresh)).body.token;
    await panel.clock.advance(60_000);
    const remove = () => panel.call(`DELETE /api/auth/webauthn/credentials/${id}`, { token: later });
    expect((await remove()).body.methods).toEqual(["totp", "webauthn"]);
    // A password is no proof any more where there is more.
    expect((await post("step-up", { password: PASSWORD }, later)).body.code).toBe("step_up_refused");
    const { session_id, options } = (await post("step-up/begin", undefined, later)).body;
    const credential = authenticator.sign(options.publicKey);
    expect((await post("step-up", { session_id, credential }, later)).status).toBe(200);
    expect((await post("step-up", { session_id, credential }, later)).body.code).toBe("key_challenge_gone");
    expect((await post("step-up", { code: codeOf(secret) }, later)).status).toBe(200);
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
  });

  test("a key is a second factor", async () => {
    const { token } = await register("ada");
    const { authenticator } = await addKey(token);
    const waiting = (await logIn("ada")).body;
    expect(waiting.methods).toEqual(["webauthn"]);
    const begin = async (mfa_token: string) => (await post("webauthn/login/begin", { mfa_token })).body;
    const asked = await begin(waiting.mfa_token);
    expect(asked.options.publicKey.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([authenticator.id]);
    const wrong = authenticator.sign(asked.options.publicKey, { breakSignature: true });
    const finish = (session_id: string, credential: unknown) =>
      post("webauthn/login/finish", { session_id, credential });
    expect((await finish(asked.session_id, wrong)).body.code).toBe("key_refused");
    const second = await begin(waiting.mfa_token);
    // Who holds it need not be checked: the password was.
    const credential = authenticator.sign(second.options.publicKey, { isVerified: false });
    const done = await finish(second.session_id, credential);
    expect([done.status, done.body.user.email]).toEqual([200, mailOf("ada")]);
    expect((await finish(second.session_id, credential)).body.code).toBe("key_challenge_gone");

    const copied = await begin((await logIn("ada")).body.mfa_token);
    const old = authenticator.sign(copied.options.publicKey, { counter: 1 });
    expect((await finish(copied.session_id, old)).body.code).toBe("key_refused");
    expect((await audit()).slice(seen)).toContain("account.key_copied");
  });

  test("nobody else's key finishes a sign-in", async () => {
    const ada = await register("ada");
    const eve = await register("eve");
    await addKey(ada.token);
    const { authenticator } = await addKey(eve.token);
    const asked = (await post("webauthn/login/begin", { mfa_token: (await logIn("ada")).body.mfa_token })).body;
    const credential = authenticator.sign(asked.options.publicKey);
    const done = await post("webauthn/login/finish", { session_id: asked.session_id, credential });
    expect([done.status, done.body.code]).toEqual([401, "key_refused"]);
    // Nor is her registration answered by another session.
    const other = (await post("webauthn/register/begin", undefined, ada.token)).body;
    const body = {
      session_id: other.session_id,
      name: "Mine",
      credential: authenticator.register(other.options.publicKey),
    };
    expect((await post("webauthn/register/finish", body, eve.token)).body.code).toBe("key_challenge_gone");
  });

  test("a passkey opens the account alone when it checked who holds it", async () => {
    const { token, user_id } = await register("ada");
    const { authenticator } = await addKey(token);
    const signIn = async (flaws = {}) => {
      const { session_id, options } = (await post("passkeys/login/begin")).body;
      expect(options.publicKey).toMatchObject({ userVerification: "required", allowCredentials: [] });
      return post("passkeys/login/finish", { session_id, credential: authenticator.sign(options.publicKey, flaws) });
    };
    expect((await signIn({ isVerified: false })).body.code).toBe("key_refused");
    expect((await signIn({ origin: "https://evil.test" })).body.code).toBe("key_refused");
    const done = await signIn();
    expect([done.status, done.body.user.id]).toEqual([200, user_id]);
  });

  test("keys have names and can be removed", async () => {
    const { token } = await register("ada");
    const { id } = await addKey(token);
    const one = `/api/auth/webauthn/credentials/${id}`;
    expect((await panel.call(`PATCH ${one}`, { token, body: { name: "Desk" } })).body.name).toBe("Desk");
    const list = () => panel.call("GET /api/auth/webauthn/credentials", { token });
    expect((await list()).body.credentials).toMatchObject([{ id, name: "Desk", last_used_at: null }]);
    const eve = await register("eve");
    for (const method of ["PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { name: "Eve's" } : undefined;
      expect((await panel.call(`${method} ${one}`, { token: eve.token, body })).status).toBe(404);
    }
    expect((await panel.call(`DELETE ${one}`, { token })).status).toBe(200);
    expect((await list()).body.credentials).toEqual([]);
    expect((await logIn("ada")).body.token).toBeString();
  });

  test("a workspace wants one of its members once an owner has one, and the last one stays", async () => {
    const owner = await register("ada");
    const tenant = (await panel.call("GET /api/auth/me", { token: owner.token })).body.tenant_id;
    const bob = await panel.invite(
      { ...(await panel.join(`host${round}`)), tenant_id: tenant },
      `bob${round}`,
      "org_viewer",
    );
    const rule = (require_2fa: boolean) =>
      panel.call("PUT /api/v1/workspace/settings", { token: owner.token, body: { require_2fa } });
    expect([(await rule(true)).status, (await rule(true)).body.code]).toEqual([409, "owner_factor_needed"]);
    const { id } = await addKey(owner.token);
    expect((await rule(true)).body).toMatchObject({ require_2fa: true, without_effect: [] });

    const refused = await panel.call("GET /api/fleet/instances", { token: bob.token });
    expect([refused.status, refused.body.error]).toEqual([403, "mfa_enrollment_required"]);
    const marked = { mfa_enrollment_required: true };
    expect((await panel.call("GET /api/auth/me", { token: bob.token })).body).toMatchObject(marked);
    expect((await post("refresh", undefined, bob.token)).body).toMatchObject({ ...marked, user: marked });
    const list = (await panel.call("GET /api/workspaces", { token: bob.token })).body.workspaces;
    const home = list.find(({ current }: { current: boolean }) => !current).id;
    const elsewhere = (await panel.call(`POST /api/workspaces/${home}/switch`, { token: bob.token })).body;
    expect(elsewhere.mfa_enrollment_required).toBeUndefined();
    const back = (await panel.call(`POST /api/workspaces/${tenant}/switch`, { token: elsewhere.token })).body;
    expect(back).toMatchObject({ ...marked, user: marked });
    const secret = await addApp(back.token);
    expect((await panel.call("GET /api/fleet/instances", { token: back.token })).status).toBe(200);
    expect((await panel.call("GET /api/auth/me", { token: back.token })).body.mfa_enrollment_required).toBeUndefined();

    const kept = await post("totp/disable", undefined, back.token);
    expect([kept.status, kept.body.code]).toEqual([409, "factor_wanted"]);
    expect((await panel.call("GET /api/auth/totp", { token: back.token })).body.enabled).toBe(true);
    await addKey(back.token);
    expect((await post("totp/disable", undefined, back.token)).status).toBe(200);
    expect(secret).toBeString();
    const removal = () => panel.call(`DELETE /api/auth/webauthn/credentials/${id}`, { token: owner.token });
    expect((await removal()).body.code).toBe("factor_wanted");
    expect((await rule(false)).status).toBe(200);
    expect((await removal()).status).toBe(200);
  });

  test("the owner is told by mail of each factor that comes or goes, and of a recovery code", async () => {
    panel = await createTestPanel(await databases.open(), {
      ...{ smtp_url: "smtp+plain://127.0.0.1:9", mail_from: "panel@example.org", public_url: "http://localhost" },
    });
    const { token } = await register("ada");
    await addApp(token);
    const { codes } = (await post("recovery-codes", undefined, token)).body;
    const { mfa_token } = (await logIn("ada")).body;
    await post("totp/verify-login", { mfa_token, code: codes[0] });
    await post("totp/disable", undefined, token);
    const rows = await panel.system.all<{ address: string; facts: string }>(
      "SELECT address, facts FROM mail_queue WHERE kind = 'account.factors' ORDER BY id",
    );
    expect(rows.map(({ facts }) => JSON.parse(facts).change)).toEqual(["added", "recovery_code", "removed"]);
    expect(JSON.stringify(rows)).not.toContain(codes[0]);
    const kind = panel.ctx.lists.letters.all().find((each) => each.kind === "account.factors");
    const letter = await kind?.write(mailOf("ada"), JSON.parse(rows[1]?.facts ?? "{}"));
    expect(letter?.paragraphs[0]).toContain("9 codes are left");
    expect(letter?.action?.url).toBe("http://localhost/security");
  });

  test("the operator takes lost factors off an account", async () => {
    const { token } = await register("ada");
    await addApp(token);
    await addKey(token);
    expect(await panel.ctx.factors.resetFactors(mailOf("ADA"))).toBe(true);
    expect(await panel.ctx.factors.resetFactors("nobody@example.org")).toBe(false);
    expect((await panel.call("GET /api/auth/me", { token })).status).toBe(401);
    expect((await logIn("ada")).body.token).toBeString();
    expect((await audit()).slice(seen)).toContain("account.factor_reset");
  });
});
