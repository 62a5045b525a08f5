import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  addAccount,
  bearer,
  cookiesOf,
  from,
  logIn,
  MANY_ADDRESSES,
  PASSWORD,
  totpCode,
  turnTotpOn,
} from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

let node: TestNode;
let token: string;
beforeEach(async () => {
  node = createTestNode(MANY_ADDRESSES);
  await addAccount(node, "ada");
  token = (await logIn(node, "ada")).body.access_token;
});
afterEach(() => node.close());

const call = (route: string, body?: unknown) => node.call(route, { headers: bearer(token), body });
const verify = (body: unknown, ip = "10.0.0.1") => node.call("POST /api/auth/totp/verify", { body, headers: from(ip) });
const status = async () => (await call("GET /api/auth/totp")).body;
const eventNames = () => node.events.map(({ name }) => name);

async function tempToken(): Promise<string> {
  const { body } = await logIn(node, "ada");
  expect(Object.keys(body).sort()).toEqual(["temp_token", "totp_required"]);
  return body.temp_token;
}

describe("setting up", () => {
  test("the URI carries the secret and the account, the QR code is a square", async () => {
    const { status: code, body } = await call("POST /api/auth/totp/enable");
    expect(code).toBe(200);
    const uri = new URL(body.provisioning_uri);
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual(["otpauth:", "totp", "/Orrery:ada"]);
    expect(uri.searchParams.get("secret")).toBe(body.secret);
    expect(body.qr.length).toBeGreaterThan(20);
    expect(body.qr.every((row: string) => row.length === body.qr.length && /^[01]+$/.test(row))).toBe(true);
  });

  test("nothing is on before a code was right", async () => {
    const { body } = await call("POST /api/auth/totp/enable");
    expect((await call("POST /api/auth/totp/verify", { code: "000000" })).body.code).toBe("totp_code_invalid");
    expect((await status()).enabled).toBe(false);
    expect((await logIn(node, "ada")).body.access_token).toBeString();
    const done = await call("POST /api/auth/totp/verify", { code: totpCode(node, body.secret) });
    expect([done.status, done.body.totp_enabled]).toEqual([200, true]);
    expect(await status()).toMatchObject({ enabled: true, recovery_codes_left: 0 });
    expect(eventNames()).toContain("totp.enabled");
  });

  test("a second start before that replaces the secret", async () => {
    const first = (await call("POST /api/auth/totp/enable")).body.secret;
    const second = (await call("POST /api/auth/totp/enable")).body.secret;
    expect((await call("POST /api/auth/totp/verify", { code: totpCode(node, first) })).status).toBe(400);
    expect((await call("POST /api/auth/totp/verify", { code: totpCode(node, second) })).status).toBe(200);
  });

  test("once on, it cannot be started or verified again", async () => {
    const secret = await turnTotpOn(node, token);
    expect((await call("POST /api/auth/totp/enable")).body.code).toBe("totp_already_on");
    const again = await call("POST /api/auth/totp/verify", { code: totpCode(node, secret) });
    expect([again.status, again.body.code]).toEqual([409, "totp_already_on"]);
  });

  test("verifying asks for credentials, a started set-up and an open session", async () => {
    expect((await verify({ code: "123456" })).status).toBe(401);
    expect((await call("POST /api/auth/totp/verify", { code: "123456" })).body.code).toBe("totp_not_started");
    await call("POST /api/auth/lock");
    expect((await call("POST /api/auth/totp/verify", { code: "123456" })).body.error).toBe("locked");
  });
});

describe("signing in", () => {
  let secret: string;
  beforeEach(async () => {
    secret = await turnTotpOn(node, token);
  });

  test("password, then code, gives the pair and both cookies", async () => {
    const done = await verify({ temp_token: await tempToken(), code: totpCode(node, secret) });
    expect(done.status).toBe(200);
    expect(Object.keys(done.body).sort()).toEqual(["access_token", "refresh_token", "token_type", "user"]);
    expect(Object.keys(cookiesOf(done)).sort()).toEqual(["access_token", "refresh_token", "signed_in"]);
    expect(node.events.findLast(({ name }) => name === "auth.signed_in")?.data).toMatchObject({ method: "totp" });
  });

  test("a code is good once, also for another login", async () => {
    const code = totpCode(node, secret);
    const [one, two] = [await tempToken(), await tempToken()];
    expect((await verify({ temp_token: one, code })).status).toBe(200);
    expect((await verify({ temp_token: two, code })).body.code).toBe("totp_code_wrong");
    expect((await verify({ temp_token: two, code: totpCode(node, secret, 1) })).status).toBe(200);
  });

  test("fifty at once with one code and one temp token give one session", async () => {
    const temp_token = await tempToken();
    const code = totpCode(node, secret);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => verify({ temp_token, code }, `10.1.0.${i}`)),
    );
    expect(answers.filter(({ status: s }) => s === 200)).toHaveLength(1);
  });

  test.each([
    [-2, 401],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 401],
  ])("a code %d steps away answers %d", async (steps, expected) => {
    await node.clock.advance(300_000);
    expect((await verify({ temp_token: await tempToken(), code: totpCode(node, secret, steps) })).status).toBe(
      expected,
    );
  });

  test("an older code is not accepted after a newer one", async () => {
    expect((await verify({ temp_token: await tempToken(), code: totpCode(node, secret, 1) })).status).toBe(200);
    expect((await verify({ temp_token: await tempToken(), code: totpCode(node, secret) })).status).toBe(401);
  });

  test("a temp token is good once, for five minutes and five codes", async () => {
    const used = await tempToken();
    expect((await verify({ temp_token: used, code: totpCode(node, secret) })).status).toBe(200);
    expect((await verify({ temp_token: used, code: totpCode(node, secret, 1) })).body.code).toBe("temp_token_refused");

    const old = await tempToken();
    await node.clock.advance(300_000);
    expect((await verify({ temp_token: old, code: totpCode(node, secret) })).body.code).toBe("temp_token_refused");

    const guessed = await tempToken();
    for (let i = 0; i < 5; i++) await verify({ temp_token: guessed, code: "000000" }, `10.2.0.${i}`);
    expect((await verify({ temp_token: guessed, code: totpCode(node, secret) })).body.code).toBe("temp_token_refused");
  });

  test("a known password allows ten wrong codes in a quarter of an hour, from wherever", async () => {
    for (let i = 0; i < 10; i++) await verify({ temp_token: await tempToken(), code: "000000" }, `10.3.0.${i}`);
    const blocked = await verify({ temp_token: await tempToken(), code: totpCode(node, secret) }, "10.3.1.1");
    expect(blocked.body.code).toBe("temp_token_refused");
    await node.clock.advance(900_000);
    const later = await verify({ temp_token: await tempToken(), code: totpCode(node, secret) }, "10.3.1.1");
    expect(later.status).toBe(200);
  });

  test("wrong codes share the limit of wrong passwords", async () => {
    const temp_token = await tempToken();
    for (let i = 0; i < 5; i++) await verify({ temp_token, code: "000000" }, "10.4.0.1");
    const blocked = await node.call("POST /api/auth/login", {
      body: { username: "ada", password: PASSWORD },
      headers: from("10.4.0.1"),
    });
    expect([blocked.status, Number(blocked.headers.get("retry-after"))]).toEqual([429, 900]);
  });

  test("an account disabled in between stays out", async () => {
    const temp_token = await tempToken();
    node.ctx.db.raw.query("UPDATE users SET disabled_at = '2026-01-01' WHERE username = 'ada'").run();
    expect((await verify({ temp_token, code: totpCode(node, secret) })).status).toBe(401);
  });

  test.each([
    [{}, "code"],
    [{ code: "" }, "code"],
    [{ code: 123456 }, "code"],
    [{ code: "1".repeat(65) }, "code"],
    [{ code: "123456", temp_token: 1 }, "temp_token"],
    [{ code: "123456", extra: true }, "extra"],
  ])("%j is refused", async (body, field) => {
    const answer = await verify(body);
    expect([answer.status, answer.body.params?.field]).toEqual([400, field]);
  });
});

describe("recovery codes", () => {
  let secret: string;
  let codes: string[];
  beforeEach(async () => {
    secret = await turnTotpOn(node, token);
    codes = (await call("POST /api/auth/recovery-codes")).body.codes;
  });

  test("ten different ones, kept only as hashes", () => {
    expect(new Set(codes).size).toBe(10);
    expect(codes.every((code) => /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/.test(code))).toBe(true);
    const stored = JSON.stringify(node.ctx.db.raw.query("SELECT * FROM recovery_codes").all());
    for (const code of codes) expect(stored).not.toContain(code.replace("-", ""));
  });

  test("each signs in once, however it is typed", async () => {
    const [code = ""] = codes;
    const typed = code.toLowerCase().replace("-", " ").replaceAll("0", "o").replaceAll("1", "l");
    expect((await verify({ temp_token: await tempToken(), code: typed })).status).toBe(200);
    expect((await status()).recovery_codes_left).toBe(9);
    expect((await verify({ temp_token: await tempToken(), code })).status).toBe(401);
    expect(node.events.find(({ name }) => name === "totp.recovery_code_used")?.data).toMatchObject({ left: 9 });
  });

  test("new ones need a proof and replace the old ones", async () => {
    const [old = ""] = codes;
    const refused = await call("POST /api/auth/recovery-codes");
    expect([refused.status, refused.body.code]).toEqual([403, "proof_required"]);
    expect((await call("POST /api/auth/recovery-codes", { password: "wrong wrong" })).body.code).toBe("proof_wrong");
    expect((await call("POST /api/auth/recovery-codes", { code: totpCode(node, secret) })).status).toBe(200);
    expect((await verify({ temp_token: await tempToken(), code: old })).status).toBe(401);
  });

  test("turning TOTP off needs a proof, takes the codes with it and opens the password way", async () => {
    expect((await call("POST /api/auth/totp/disable", {})).body.code).toBe("proof_required");
    expect((await call("POST /api/auth/totp/disable", { code: "000000" })).body.code).toBe("proof_wrong");
    expect((await status()).enabled).toBe(true);
    expect((await call("POST /api/auth/totp/disable", { password: PASSWORD })).status).toBe(200);
    expect(await status()).toEqual({ enabled: false, enabled_at: null, recovery_codes_left: 0 });
    expect((await logIn(node, "ada")).body.access_token).toBeString();
    expect((await call("POST /api/auth/totp/disable", { password: PASSWORD })).body.code).toBe("totp_not_on");
  });

  test("there are none without TOTP", async () => {
    await call("POST /api/auth/totp/disable", { password: PASSWORD });
    expect((await call("POST /api/auth/recovery-codes")).body.code).toBe("totp_not_on");
  });
});

test("the secret is sealed in the database", async () => {
  const { body } = await call("POST /api/auth/totp/enable");
  expect(JSON.stringify(node.ctx.db.raw.query("SELECT * FROM totp").all())).not.toContain(body.secret);
});

test("the secret of one account opens no other, whoever writes to the database", async () => {
  await turnTotpOn(node, token);
  await addAccount(node, "eve");
  const eves = await turnTotpOn(node, (await logIn(node, "eve")).body.access_token);
  node.ctx.db.raw.run(
    "UPDATE totp SET secret = (SELECT e.secret FROM totp e JOIN users u ON u.id = e.user_id WHERE u.username = 'eve')",
  );
  await node.clock.advance(60_000);
  const entered = await verify({ temp_token: await tempToken(), code: totpCode(node, eves) });
  expect([entered.status, entered.body.access_token]).toEqual([500, undefined]);
});

describe("a login that waits for its code ends", () => {
  const change = (as: string, from: string, to: string) =>
    node.call("POST /api/auth/change-password", {
      headers: bearer(as),
      body: { current_password: from, new_password: to },
    });

  test("with the password that began it", async () => {
    const secret = await turnTotpOn(node, token);
    const temp_token = await tempToken();
    expect((await change(token, PASSWORD, "another long phrase")).status).toBe(200);
    const answer = await verify({ temp_token, code: totpCode(node, secret) });
    expect([answer.status, answer.body.code]).toEqual([401, "temp_token_refused"]);
  });
});

test("a recovery code is used up only together with the session it opens", async () => {
  await turnTotpOn(node, token);
  const { codes } = (await call("POST /api/auth/recovery-codes")).body;
  const temp_token = await tempToken();
  node.ctx.db.raw.run("CREATE TEMP TRIGGER no_room BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END");
  expect((await verify({ temp_token, code: codes[0] })).status).toBe(500);
  expect((await status()).recovery_codes_left).toBe(10);
});

test("codes that confirm something are counted for the account too, wherever they come from", async () => {
  const secret = await turnTotpOn(node, token);
  const disable = (code: string, ip: string) =>
    node.call("POST /api/auth/totp/disable", { headers: { ...bearer(token), ...from(ip) }, body: { code } });
  for (let n = 0; n < 10; n++) expect((await disable("000000", `10.9.0.${n}`)).body.code).toBe("proof_wrong");
  const answer = await disable(totpCode(node, secret), "10.9.0.99");
  expect([answer.status, answer.body.code]).toEqual([429, "too_many_requests"]);
  expect((await status()).enabled).toBe(true);
});
