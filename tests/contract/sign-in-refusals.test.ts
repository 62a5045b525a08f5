import { afterAll, expect, test } from "bun:test";
import { bearer, logIn, PASSWORD, totpCode } from "../kit/accounts.ts";
import {
  ada,
  adasDevice,
  adasKey,
  adasPasskey,
  adasSession,
  approval,
  type Case,
  cut,
  decide,
  eve,
  halfway,
  invite,
  later,
  locked,
  nextIp,
  node,
  ok,
  own,
  pairing,
  passkeyProof,
  poll,
  post,
  qr,
  refusal,
  registration,
  rows,
  stranger,
  tokenOf,
} from "./sign-in-states.ts";

/**
 * What opens something, on each route of the sign-in chapter that takes it: wrong, expired, foreign, replayed and cut off.
 * Malformed and oversized bodies are sent to every route of the node by `bad-input.test.ts`.
 */
afterAll(() => node.close());

const CHAPTER = /^\/api\/(auth|keys|paired-devices|users|profile|avatars)\b/;
/** Routes that take a token, code, id or secret, by a name in their path or body. */
const SECRETS = ["id", "session_id", "temp_token", "refresh_token", "code", "token", "sha256", "password", "passkey"];

const CASES: Record<string, Case[]> = {
  "POST /api/auth/login": [
    refusal("wrong", 401, "wrong_credentials", async () => ({ body: { username: "ada", password: "wrong wrong" } })),
    refusal("foreign", 401, "wrong_credentials", async () => ({ body: { username: "nobody", password: PASSWORD } })),
    refusal("cut", 401, "wrong_credentials", async () => ({ body: { username: "ada", password: cut(PASSWORD) } })),
  ],
  "POST /api/auth/setup": [
    refusal("replayed", 409, "setup_done", async () => ({ body: { username: "third", password: PASSWORD } })),
  ],
  "POST /api/auth/refresh": [
    refusal("wrong", 401, "refresh_refused", async () => ({ body: { refresh_token: "nonsense" } })),
    refusal("cut", 401, "refresh_refused", async () => ({
      body: { refresh_token: cut((await logIn(node, "ada", nextIp())).body.refresh_token) },
    })),
    refusal("expired", 401, "refresh_refused", async () => ({
      body: { refresh_token: await later((await logIn(node, "ada", nextIp())).body.refresh_token, 31 * 86_400_000) },
    })),
    refusal("foreign", 401, "refresh_refused", async () => ({ body: { refresh_token: await tokenOf("ada") } })),
    refusal("replayed", 401, "refresh_refused", async () => {
      const { refresh_token } = (await logIn(node, "ada", nextIp())).body;
      ok(await post("/api/auth/refresh", { refresh_token }));
      await node.clock.advance(11_000);
      // The first replay ends the session; the second finds nothing left to change.
      await post("/api/auth/refresh", { refresh_token });
      return { body: { refresh_token } };
    }),
  ],
  "POST /api/auth/logout": [
    { kind: "wrong", prepare: async () => ({ body: { refresh_token: "nonsense" } }), status: 200, code: null },
  ],
  "POST /api/auth/change-password": [
    refusal("wrong", 401, "wrong_credentials", async () => ({
      body: { current_password: "wrong wrong", new_password: "another fine phrase" },
      headers: await ada(),
    })),
    refusal("cut", 400, "password_unusable", async () => ({
      body: { current_password: PASSWORD, new_password: "short" },
      headers: await ada(),
    })),
  ],
  "POST /api/auth/totp/verify": [
    refusal("wrong", 401, "totp_code_wrong", async () => ({
      body: { temp_token: (await halfway()).temp_token, code: "abcdef" },
    })),
    refusal("foreign", 401, "temp_token_refused", async () => ({ body: { temp_token: "nonsense", code: "123456" } })),
    refusal("expired", 401, "temp_token_refused", async () => {
      const { temp_token, secret } = await later(await halfway(), 300_001);
      return { body: { temp_token, code: totpCode(node, secret) } };
    }),
    refusal("replayed", 401, "totp_code_wrong", async () => {
      const { temp_token, secret, name } = await halfway();
      const code = totpCode(node, secret);
      ok(await post("/api/auth/totp/verify", { temp_token, code }));
      return { body: { temp_token: (await logIn(node, name, nextIp())).body.temp_token, code } };
    }),
    refusal("cut", 401, "totp_code_wrong", async () => {
      const { temp_token, secret } = await halfway();
      return { body: { temp_token, code: cut(totpCode(node, secret)) } };
    }),
  ],
  "POST /api/auth/totp/disable": [
    refusal("wrong", 403, "proof_wrong", async () => {
      const { temp_token, secret } = await halfway();
      const { access_token } = ok(await post("/api/auth/totp/verify", { temp_token, code: totpCode(node, secret) }));
      return { body: { password: "wrong wrong" }, headers: bearer(access_token) };
    }),
  ],
  "POST /api/auth/recovery-codes": [
    refusal("wrong", 409, "totp_not_on", async () => ({ body: { password: PASSWORD }, headers: await ada() })),
  ],
  "POST /api/auth/unlock": [
    refusal("wrong", 401, "wrong_credentials", async () => ({
      body: { password: "wrong wrong" },
      headers: await locked(),
    })),
    refusal("foreign", 401, "passkey_refused", async () => ({
      body: { passkey: await passkeyProof(stranger) },
      headers: await locked(),
    })),
    refusal("replayed", 400, "passkey_challenge_gone", async () => {
      const passkey = await passkeyProof();
      ok(await post("/api/auth/unlock", { passkey }, await locked()));
      return { body: { passkey }, headers: await locked() };
    }),
    refusal("expired", 400, "passkey_challenge_gone", async () => ({
      body: { passkey: await later(await passkeyProof(), 300_001) },
      headers: await locked(),
    })),
  ],
  "POST /api/auth/passkeys/register/finish": [
    refusal("wrong", 400, "passkey_challenge_gone", async () => ({
      body: { ...(await registration(await ada())), session_id: "nonsense" },
      headers: await ada(),
    })),
    refusal("foreign", 400, "passkey_challenge_gone", async () => ({
      body: await registration(await eve()),
      headers: await ada(),
    })),
    refusal("expired", 400, "passkey_challenge_gone", async () => ({
      body: await later(await registration(await ada()), 300_001),
      headers: await ada(),
    })),
    refusal("replayed", 400, "passkey_challenge_gone", async () => {
      const headers = await ada();
      const body = await registration(headers);
      ok(await post("/api/auth/passkeys/register/finish", body, headers));
      return { body, headers };
    }),
  ],
  "POST /api/auth/passkeys/login/finish": [
    refusal("wrong", 400, "passkey_challenge_gone", async () => ({
      body: { ...(await passkeyProof()), session_id: "nonsense" },
    })),
    refusal("foreign", 401, "passkey_refused", async () => ({ body: await passkeyProof(stranger) })),
    refusal("expired", 400, "passkey_challenge_gone", async () => ({
      body: await later(await passkeyProof(), 300_001),
    })),
    refusal("replayed", 400, "passkey_challenge_gone", async () => {
      const body = await passkeyProof();
      ok(await post("/api/auth/passkeys/login/finish", body));
      return { body };
    }),
  ],
  "PATCH /api/auth/passkeys/{id}": [
    refusal("foreign", 404, "passkey_not_found", async () => ({
      ...(await own(`/api/auth/passkeys/${adasPasskey}`, eve)),
      body: { name: "Mine" },
    })),
    refusal("cut", 404, "passkey_not_found", async () => ({
      ...(await own(`/api/auth/passkeys/${cut(adasPasskey)}`, ada)),
      body: { name: "Mine" },
    })),
  ],
  "DELETE /api/auth/passkeys/{id}": [
    refusal("foreign", 404, "passkey_not_found", () => own(`/api/auth/passkeys/${adasPasskey}`, eve)),
    refusal("cut", 404, "passkey_not_found", () => own(`/api/auth/passkeys/${cut(adasPasskey)}`, ada)),
  ],
  "GET /api/auth/approve/{id}": [
    refusal("wrong", 404, "approval_not_found", async () => ({ path: "/api/auth/approve/nonsense" })),
    refusal("cut", 404, "approval_not_found", async () => ({
      path: `/api/auth/approve/${cut((await approval()).request_id)}`,
    })),
    poll("expired", "expired", async () => ({
      path: `/api/auth/approve/${(await later(await approval(), 120_001)).request_id}`,
    })),
    poll("replayed", "approved", async () => {
      const { request_id, code } = await approval();
      const { path, body, headers } = decide(request_id, code, await ada());
      ok(await post(path, body, headers));
      ok(await node.call(`GET /api/auth/approve/${request_id}`));
      return { path: `/api/auth/approve/${request_id}` };
    }),
  ],
  "GET /api/auth/approve/{id}/stream": [
    refusal("wrong", 404, "approval_not_found", async () => ({ path: "/api/auth/approve/nonsense/stream" })),
  ],
  "POST /api/auth/approve/{id}/decide": [
    refusal("wrong", 400, "approval_code_wrong", async () =>
      decide((await approval()).request_id, "000 000", await ada()),
    ),
    refusal("foreign", 404, "approval_not_found", async () => {
      const { request_id, code } = await approval();
      return decide(request_id, code, await eve());
    }),
    refusal("expired", 410, "approval_expired", async () => {
      const { request_id, code } = await later(await approval(), 120_001);
      return decide(request_id, code, await ada());
    }),
    refusal("replayed", 409, "approval_closed", async () => {
      const { request_id, code } = await approval();
      const first = decide(request_id, code, await ada());
      ok(await post(first.path, first.body, first.headers));
      return first;
    }),
    refusal("cut", 400, "approval_code_wrong", async () => {
      const { request_id, code } = await approval();
      return decide(request_id, cut(code), await ada());
    }),
  ],
  "GET /api/auth/qr/status/{session_id}": [
    refusal("wrong", 404, "qr_not_found", async () => ({ path: "/api/auth/qr/status/nonsense" })),
    refusal("cut", 404, "qr_not_found", async () => ({ path: `/api/auth/qr/status/${cut((await qr()).session_id)}` })),
    poll("expired", "expired", async () => ({
      path: `/api/auth/qr/status/${(await later(await qr(), 300_001)).session_id}`,
    })),
  ],
  "POST /api/auth/qr/exchange": [
    refusal("wrong", 401, "qr_invalid", async () => ({ body: { session_id: "nonsense", secret: "nonsense" } })),
    refusal("foreign", 401, "qr_invalid", async () => ({
      body: { session_id: (await qr()).session_id, secret: (await qr()).secret },
    })),
    refusal("cut", 401, "qr_invalid", async () => {
      const { session_id, secret } = await qr();
      ok(await post("/api/auth/qr/approve", { session_id }, await ada()));
      return { body: { session_id, secret: cut(secret) } };
    }),
    refusal("expired", 410, "qr_expired", async () => {
      const { session_id, secret } = await qr();
      ok(await post("/api/auth/qr/approve", { session_id }, await ada()));
      return later({ body: { session_id, secret } }, 60_001);
    }),
    refusal("replayed", 401, "qr_invalid", async () => {
      const { session_id, secret } = await qr();
      ok(await post("/api/auth/qr/approve", { session_id }, await ada()));
      ok(await post("/api/auth/qr/exchange", { session_id, secret }));
      return { body: { session_id, secret } };
    }),
  ],
  "POST /api/auth/invites/accept": [
    refusal("wrong", 401, "invite_refused", async () => ({ body: { token: "nonsense", password: PASSWORD } })),
    refusal("cut", 401, "invite_refused", async () => ({
      body: { token: cut((await invite("cut1")).token), password: PASSWORD },
    })),
    refusal("expired", 401, "invite_refused", async () => ({
      body: { token: (await later(await invite("late1"), 8 * 86_400_000)).token, password: PASSWORD },
    })),
    refusal("replayed", 401, "invite_refused", async () => {
      const { token } = await invite("twice");
      ok(await post("/api/auth/invites/accept", { token, password: PASSWORD }));
      return { body: { token, password: "another fine phrase" } };
    }),
  ],
  "POST /api/auth/invites/look": [
    { kind: "wrong", prepare: async () => ({ body: { token: "nonsense" } }), status: 401, code: "invite_refused" },
    refusal("expired", 401, "invite_refused", async () => ({
      body: { token: (await later(await invite("late2"), 8 * 86_400_000)).token },
    })),
  ],
  "POST /api/paired-devices/pair": [
    refusal("wrong", 401, "pairing_code_wrong", async () => ({ body: { code: "nonsense", name: "Phone" } })),
    refusal("cut", 401, "pairing_code_wrong", async () => ({
      body: { code: cut((await pairing()).code), name: "Phone" },
    })),
    refusal("expired", 401, "pairing_code_wrong", async () => ({
      body: { code: (await later(await pairing(), 600_001)).code, name: "Phone" },
    })),
    refusal("replayed", 401, "pairing_code_wrong", async () => {
      const body = { code: (await pairing()).code, name: "Phone" };
      ok(await post("/api/paired-devices/pair", body));
      return { body };
    }),
  ],
  "DELETE /api/paired-devices/{id}": [
    refusal("foreign", 404, "paired_device_not_found", async () =>
      own(`/api/paired-devices/${await adasDevice()}`, eve),
    ),
  ],
  "DELETE /api/keys/{id}": [
    refusal("foreign", 404, "key_not_found", async () => own(`/api/keys/${await adasKey()}`, eve)),
    refusal("cut", 404, "key_not_found", async () => own(`/api/keys/${cut(await adasKey())}`, ada)),
  ],
  "DELETE /api/auth/sessions/{id}": [
    refusal("foreign", 404, "session_not_found", async () => own(`/api/auth/sessions/${await adasSession()}`, eve)),
    refusal("replayed", 404, "session_not_found", async () => {
      const id = await adasSession();
      ok(await node.call(`DELETE /api/auth/sessions/${id}`, { headers: await ada() }));
      return own(`/api/auth/sessions/${id}`, ada);
    }),
  ],
  "POST /api/users": [
    refusal("replayed", 409, "username_taken", async () => ({
      body: { username: "ADA", password: PASSWORD, role: "viewer" },
      headers: await ada(),
    })),
    refusal("cut", 400, "password_unusable", async () => ({
      body: { username: "short", password: "1234567", role: "viewer" },
      headers: await ada(),
    })),
  ],
  "PATCH /api/users/{id}": [
    refusal("wrong", 404, "user_not_found", async () => ({
      ...(await own("/api/users/nobody", ada)),
      body: { role: "viewer" },
    })),
  ],
  "DELETE /api/users/{id}": [
    { kind: "wrong", prepare: () => own("/api/users/nobody", ada), status: 404, code: "user_not_found" },
  ],
  "DELETE /api/users/{id}/invite": [
    { kind: "wrong", prepare: () => own("/api/users/nobody/invite", ada), status: 404, code: "invite_not_found" },
    refusal("replayed", 404, "invite_not_found", async () => {
      const { token, user } = await invite("withdrawn");
      ok(await post("/api/auth/invites/accept", { token, password: PASSWORD }));
      return own(`/api/users/${user.id}/invite`, ada);
    }),
  ],
  "POST /api/users/{id}/invite": [
    { kind: "wrong", prepare: () => own("/api/users/nobody/invite", ada), status: 404, code: "user_not_found" },
  ],
  "PUT /api/profile/dashboard": [
    refusal("replayed", 409, "stale_version", async () => {
      const path = "/api/profile/dashboard?type=server";
      const first = { path, body: { version: 0, layout: [] }, headers: await ada() };
      ok(await node.call(`PUT ${path}`, first));
      return first;
    }),
  ],
  "GET /api/avatars/{sha256}.png": [
    refusal("wrong", 404, "not_found", async () => ({ path: `/api/avatars/${"0".repeat(64)}.png` })),
  ],
};
for (const name of ["approve", "authenticate"]) {
  const path = `/api/auth/qr/${name}`;
  CASES[`POST ${path}`] = [
    refusal("wrong", 404, "qr_not_found", async () => ({ body: { session_id: "nonsense" }, headers: await ada() })),
    refusal("cut", 404, "qr_not_found", async () => ({
      body: { session_id: cut((await qr()).session_id) },
      headers: await ada(),
    })),
    refusal("expired", 410, "qr_expired", async () => ({
      body: { session_id: (await later(await qr(), 300_001)).session_id },
      headers: await ada(),
    })),
    refusal("replayed", 409, "qr_closed", async () => {
      const { session_id } = await qr();
      ok(await post(path, { session_id }, await ada()));
      return { body: { session_id }, headers: await eve() };
    }),
  ];
}

for (const [route, cases] of Object.entries(CASES)) {
  const [method = "", template = ""] = route.split(" ");
  for (const { kind, prepare, status, code, state } of cases) {
    test(`${route}: ${kind} is ${status} ${code ?? state ?? "and nothing else"}, and nothing changes`, async () => {
      const { path = template, body, headers = nextIp() } = await prepare();
      await node.ctx.bus.idle();
      const before = rows();
      const answer = await node.call(`${method} ${path}`, { headers, ...(body === undefined ? {} : { body }) });
      expect([answer.status, answer.body?.code ?? null]).toEqual([status, code]);
      if (state !== undefined) expect(answer.body).toEqual({ status: state });
      await node.ctx.bus.idle();
      expect(rows()).toEqual(before);
      if (code !== null) expect(answer.headers.getSetCookie()).toEqual([]);
    });
  }
}

test("every route of the chapter that takes something secret or somebody's has its cases", () => {
  const names = (schema: unknown): string[] => JSON.stringify(schema ?? {}).match(/(?<=")\w+(?=":\{)/g) ?? [];
  const missing = node.routes
    .filter(({ path }) => CHAPTER.test(path))
    .filter(({ path, hooks }) => {
      const taken = [...(path.match(/(?<=\{)\w+/g) ?? []), ...names(hooks["body"])];
      return taken.some((name) => SECRETS.includes(name) || name.endsWith("_password"));
    })
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => CASES[route] === undefined);
  expect(missing).toEqual([]);
});

test("no case is for a route that does not exist", () => {
  const known = node.routes.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(CASES).filter((route) => !known.includes(route))).toEqual([]);
});
