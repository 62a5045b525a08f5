import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  addAccount,
  bearer,
  cookiesOf,
  logIn,
  MANY_ADDRESSES,
  totpCode,
  turnTotpOn,
} from "../../../../tests/kit/accounts.ts";
import { type Authenticator, createAuthenticator, type Flaws } from "../../../../tests/kit/authenticator.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

let node: TestNode;
let token: string;
let userId: string;
let key: Authenticator;
beforeEach(async () => {
  node = createTestNode(MANY_ADDRESSES);
  userId = (await addAccount(node, "ada")).id;
  token = (await logIn(node, "ada")).body.access_token;
  key = createAuthenticator();
});
afterEach(() => node.close());

const call = (route: string, body?: unknown, as = token) => node.call(route, { headers: bearer(as), body });

async function register(authenticator = key, flaws: Flaws = {}, as = token) {
  const { body } = await call("POST /api/auth/passkeys/register/begin", undefined, as);
  const credential = authenticator.register(body.options.publicKey, flaws);
  return call(
    "POST /api/auth/passkeys/register/finish",
    { session_id: body.session_id, name: "Laptop", credential },
    as,
  );
}

async function begin() {
  const { body } = await node.call("POST /api/auth/passkeys/login/begin");
  return body;
}

async function signIn(flaws: Flaws = {}, authenticator = key) {
  const { session_id, options } = await begin();
  const credential = authenticator.sign(options.publicKey, flaws);
  return node.call("POST /api/auth/passkeys/login/finish", { body: { session_id, credential } });
}

const sessionCount = () => node.ctx.db.raw.query<{ n: number }, []>("SELECT count(*) AS n FROM sessions").get()?.n;

describe("registering", () => {
  test("asks for a discoverable key and leaves known ones out", async () => {
    await register();
    const { body } = await call("POST /api/auth/passkeys/register/begin");
    const { publicKey } = body.options;
    expect(publicKey.rp).toEqual({ name: "Orrery", id: "localhost" });
    expect(publicKey.authenticatorSelection).toMatchObject({ residentKey: "required", userVerification: "preferred" });
    expect(publicKey.excludeCredentials).toMatchObject([{ id: key.id, type: "public-key" }]);
    expect(publicKey.timeout).toBe(300_000);
  });

  test("keeps the key, lists it, renames it, deletes it", async () => {
    const made = await register();
    expect([made.status, Object.keys(made.body).sort()]).toEqual([200, ["created_at", "id", "name"]]);
    const { id } = made.body;
    expect((await call("GET /api/auth/passkeys")).body).toEqual({
      passkeys: [{ ...made.body, last_used_at: null }],
    });
    expect((await call(`PATCH /api/auth/passkeys/${id}`, { name: "Phone" })).body.name).toBe("Phone");
    expect((await call(`DELETE /api/auth/passkeys/${id}`)).status).toBe(204);
    expect((await call("GET /api/auth/passkeys")).body).toEqual({ passkeys: [] });
    expect((await signIn()).status).toBe(401);
  });

  test.each([
    ["another origin", { origin: "http://evil.example" }],
    ["another relying party", { rpId: "evil.example" }],
    ["another challenge", { challenge: "AAAA" }],
    ["a sign-in answer", { type: "webauthn.get" }],
  ] as [string, Flaws][])("refuses %s", async (_, flaws) => {
    const answer = await register(key, flaws);
    expect([answer.status, answer.body.code]).toEqual([400, "passkey_invalid"]);
    expect((await call("GET /api/auth/passkeys")).body.passkeys).toEqual([]);
  });

  // Judged, such statements make the library fetch whatever address their certificates name: an android-key one brings its
  // own root, so anybody who is signed in could send the server anywhere.
  test.each(["packed", "android-key", "android-safetynet", "apple", "tpm", "fido-u2f", "made up"])(
    "what is said of the authenticator as %s is neither asked for nor judged",
    async (statement) => {
      expect((await register(key, { statement })).status).toBe(200);
      expect((await signIn()).status).toBe(200);
    },
  );

  test("a challenge belongs to its user, works once and for five minutes", async () => {
    await addAccount(node, "eve");
    const eve = (await logIn(node, "eve")).body.access_token;
    const { body } = await call("POST /api/auth/passkeys/register/begin");
    const credential = key.register(body.options.publicKey);
    const finish = { session_id: body.session_id, name: "x", credential };
    const stolen = await call("POST /api/auth/passkeys/register/finish", finish, eve);
    expect([stolen.status, stolen.body.code]).toEqual([400, "passkey_challenge_gone"]);

    const late = (await call("POST /api/auth/passkeys/register/begin")).body;
    await node.clock.advance(300_000);
    token = (await logIn(node, "ada")).body.access_token;
    const lateCredential = key.register(late.options.publicKey);
    const answer = await call("POST /api/auth/passkeys/register/finish", {
      session_id: late.session_id,
      name: "x",
      credential: lateCredential,
    });
    expect(answer.body.code).toBe("passkey_challenge_gone");
  });

  test("the same key is not taken twice", async () => {
    await register();
    expect((await register()).body.code).toBe("passkey_known");
  });

  test("foreign keys cannot be renamed or deleted", async () => {
    const { id } = (await register()).body;
    await addAccount(node, "eve");
    const eve = (await logIn(node, "eve")).body.access_token;
    expect((await call(`PATCH /api/auth/passkeys/${id}`, { name: "mine" }, eve)).status).toBe(404);
    expect((await call(`DELETE /api/auth/passkeys/${id}`, undefined, eve)).status).toBe(404);
    expect((await call("GET /api/auth/passkeys")).body.passkeys[0].name).toBe("Laptop");
  });

  test.each([
    [{ session_id: "x", name: "", credential: {} }, "name"],
    [{ name: "x", credential: {} }, "session_id"],
    [{ session_id: "x", name: "x" }, "credential"],
    [{ session_id: "x", name: "n".repeat(65), credential: {} }, "name"],
  ])("%j is malformed", async (body, field) => {
    const answer = await call("POST /api/auth/passkeys/register/finish", body);
    expect(answer.status).toBe(400);
    expect(answer.body.params.field).toStartWith(field);
  });
});

describe("signing in", () => {
  beforeEach(async () => {
    await register();
  });

  test("without a user name, with both cookies", async () => {
    const done = await signIn();
    expect([done.status, Object.keys(done.body).sort()]).toEqual([200, ["access_token", "user"]]);
    expect(done.body.user).toMatchObject({ id: userId, username: "ada" });
    expect(Object.keys(cookiesOf(done)).sort()).toEqual(["access_token", "refresh_token", "signed_in"]);
    expect((await call("GET /api/auth/passkeys")).body.passkeys[0].last_used_at).toBeString();
  });

  test("the challenge names nobody", async () => {
    const { options } = await begin();
    expect(options.publicKey.allowCredentials ?? []).toEqual([]);
    expect(options.publicKey.rpId).toBe("localhost");
  });

  test.each([
    ["another origin", { origin: "http://evil.example" }],
    ["another relying party", { rpId: "evil.example" }],
    ["another challenge", { challenge: "AAAA" }],
    ["a broken signature", { breakSignature: true }],
    ["another account's handle", { userHandle: Buffer.from("usr_other").toString("base64url") }],
    ["a registration answer", { type: "webauthn.create" }],
  ] as [string, Flaws][])("refuses %s", async (_, flaws) => {
    const before = sessionCount();
    const answer = await signIn(flaws);
    expect([answer.status, answer.body.code]).toEqual([401, "passkey_refused"]);
    expect(sessionCount()).toBe(before);
  });

  test("an unknown key is refused like a wrong one", async () => {
    const stranger = createAuthenticator();
    stranger.register({ challenge: "AAAA", user: { id: "AAAA" } });
    const answer = await signIn({}, stranger);
    expect([answer.status, answer.body.code]).toEqual([401, "passkey_refused"]);
  });

  test("an answer is good once, even when it failed", async () => {
    const { session_id, options } = await begin();
    const credential = key.sign(options.publicKey);
    const finish = () => node.call("POST /api/auth/passkeys/login/finish", { body: { session_id, credential } });
    const answers = await Promise.all(Array.from({ length: 20 }, finish));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));

    const second = await begin();
    const broken = key.sign(second.options.publicKey, { breakSignature: true });
    const body = { session_id: second.session_id, credential: broken };
    expect((await node.call("POST /api/auth/passkeys/login/finish", { body })).status).toBe(401);
    const good = { session_id: second.session_id, credential: key.sign(second.options.publicKey) };
    const again = await node.call("POST /api/auth/passkeys/login/finish", { body: good });
    expect([again.status, again.body.code]).toEqual([400, "passkey_challenge_gone"]);
  });

  test("a registration's challenge does not sign in", async () => {
    const { body } = await call("POST /api/auth/passkeys/register/begin");
    const credential = key.sign(body.options.publicKey);
    const answer = await node.call("POST /api/auth/passkeys/login/finish", {
      body: { session_id: body.session_id, credential },
    });
    expect(answer.body.code).toBe("passkey_challenge_gone");
  });

  test.each([
    ["backwards", 4],
    ["not on", 5],
    ["to zero", 0],
  ])("a counter that goes %s is refused and announced", async (_, counter) => {
    expect((await signIn({ counter: 5 })).status).toBe(200);
    const before = sessionCount();
    expect((await signIn({ counter })).body.code).toBe("passkey_refused");
    expect(sessionCount()).toBe(before);
    expect(node.events.find(({ name }) => name === "passkey.counter_regressed")?.data).toMatchObject({
      user_id: userId,
      stored: 5,
      offered: counter,
    });
    expect((await signIn({ counter: 6 })).status).toBe(200);
  });

  test("keys without a counter always send zero", async () => {
    const plain = createAuthenticator();
    expect((await register(plain, { counter: 0 })).status).toBe(200);
    expect((await signIn({ counter: 0 }, plain)).status).toBe(200);
    expect((await signIn({ counter: 0 }, plain)).status).toBe(200);
  });

  test("a disabled account stays out", async () => {
    node.ctx.db.raw.query("UPDATE users SET disabled_at = '2026-01-01' WHERE username = 'ada'").run();
    expect((await signIn()).status).toBe(401);
  });

  test("user verification is a second factor; without it the code is asked for", async () => {
    const secret = await turnTotpOn(node, token);
    expect((await signIn()).body.access_token).toBeString();
    const half = await signIn({ isVerified: false });
    expect(half.status).toBe(200);
    expect(half.body).toMatchObject({ totp_required: true, user_id: userId });
    expect(half.body.access_token).toBeUndefined();
    expect(cookiesOf(half)).toEqual({});
    const { temp_token } = half.body;
    const done = await node.call("POST /api/auth/totp/verify", {
      body: { temp_token, code: totpCode(node, secret) },
    });
    expect(done.body.access_token).toBeString();
  });

  test("without TOTP no verification is needed", async () => {
    expect((await signIn({ isVerified: false })).body.access_token).toBeString();
  });
});

describe("addresses where passkeys cannot work", () => {
  const beginAt = (host: string, forwarded = "") =>
    node.call("POST /api/auth/passkeys/login/begin", {
      headers: { host, ...(forwarded ? { "x-forwarded-proto": forwarded } : {}) },
    });

  test.each([
    ["node.example", ""],
    ["192.168.1.5", "https"],
    ["[::1]:8420", "https"],
    ["127.0.0.1:8420", ""],
  ])("%s %s", async (host, forwarded) => {
    const answer = await beginAt(host, forwarded);
    expect([answer.status, answer.body.code]).toEqual([409, "passkeys_unavailable"]);
    const info = await node.call("GET /api/auth/lock-info", {
      headers: { host, ...(forwarded ? { "x-forwarded-proto": forwarded } : {}) },
    });
    expect(info.body.passkeys_enabled).toBe(false);
    expect(info.body.passkeys_reason).toBeString();
  });

  test("https with a name works, and the setting widens it to the domain", async () => {
    const id = async (host: string) => (await beginAt(host, "https")).body.options.publicKey.rpId;
    expect(await id("node.home.example")).toBe("node.home.example");
    node.ctx.settings.put({ "auth.webauthn_rp_id": "home.example" });
    expect(await id("node.home.example:8443")).toBe("home.example");
    expect(await id("home.example")).toBe("home.example");
    expect(await id("evilhome.example")).toBe("evilhome.example");
  });
});
