import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { addAccount, bearer, logIn, MANY_ADDRESSES, PASSWORD, turnTotpOn } from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { checkChain } from "./chain.ts";
import { readAuditLog } from "./logic.ts";
import { pruneLog } from "./prune.ts";

let node: TestNode;
let token: string;
beforeEach(async () => {
  node = createTestNode(MANY_ADDRESSES);
  await addAccount(node, "ada");
  token = (await logIn(node, "ada")).body.access_token;
});
afterEach(() => node.close());

const call = (route: string, body?: unknown) => node.call(route, { headers: bearer(token), body });
const { log, check } = {
  log: async (query = "") => {
    await node.ctx.bus.idle();
    return (await call(`GET /api/audit/logs${query}`)).body;
  },
  check: async () => {
    await node.ctx.bus.idle();
    return (await call("GET /api/audit/check")).body;
  },
};
const raw = (sql: string) => node.ctx.db.raw.run(sql);

/** Changes the table behind the triggers' back, as somebody with the file would. */
function tamper(sql: string): void {
  raw("DROP TRIGGER audit_log_no_update");
  raw("DROP TRIGGER audit_log_no_delete");
  raw(sql);
}

test("an entry has the contract's fields", async () => {
  const [entry] = await log();
  expect(entry).toEqual({
    id: expect.stringMatching(/^aud_/),
    action: "auth.signed_in",
    resource: expect.stringMatching(/^session:ses_/),
    details: {
      user_id: expect.any(String),
      session_id: expect.any(String),
      device: "Unknown device",
      method: "password",
    },
    ip_address: "127.0.0.1",
    timestamp: "2026-01-01T00:00:00.000Z",
  });
});

test("every kind of security event arrives, newest first, without secrets", async () => {
  await node.call("POST /api/auth/login", { body: { username: "ada", password: "wrong wrong" } });
  await turnTotpOn(node, token);
  const { codes } = (await call("POST /api/auth/recovery-codes")).body;
  await call("POST /api/auth/totp/disable", { password: "wrong proof" });
  await call("POST /api/auth/totp/disable", { password: PASSWORD });
  await call("POST /api/auth/change-password", { current_password: "wrong now", new_password: "a fine new phrase" });
  const { key } = (await call("POST /api/keys", { name: "ci", scopes: "apps" })).body;
  await call("PUT /api/settings", { "auth.webauthn_rp_id": "home.example" });
  await call("DELETE /api/auth/sessions");
  await call("POST /api/auth/lock");
  const { body } = await node.call("POST /api/auth/unlock", { headers: bearer(token), body: { password: PASSWORD } });
  token = body.access_token;
  const entries = await log();
  expect(entries.map(({ action }: { action: string }) => action).toReversed()).toEqual([
    "auth.signed_in",
    "auth.sign_in_failed",
    "totp.enabled",
    "totp.recovery_codes_made",
    "totp.proof_failed",
    "totp.disabled",
    "auth.password_change_failed",
    "key.created",
    "settings.changed",
    "session.locked",
    "session.unlocked",
    "auth.signed_in",
  ]);
  const text = JSON.stringify(entries);
  for (const secret of [key, PASSWORD, "wrong wrong", "wrong proof", "wrong now", token, codes[0]])
    expect(text).not.toContain(secret);
});

test("what people do to apps is on record with who it was; what apps do by themselves is not", async () => {
  const app = { app_id: "app_1", name: "wiki", template: "dokuwiki", status: "running" } as const;
  node.ctx.bus.emit("app.started", app);
  node.ctx.bus.emit("app.started", { ...app, by: { user_id: "usr_1", ip: "10.0.0.7" } });
  node.ctx.bus.emit("app.data_deleted", { app_id: "app_1", name: "wiki", user_id: "usr_1", ip: "10.0.0.7" });
  expect(
    (await log("?action=app.")).map(({ id: _, timestamp: _at, ...entry }: Record<string, unknown>) => entry),
  ).toEqual([
    {
      action: "app.data_deleted",
      resource: "app:app_1",
      details: { app_id: "app_1", name: "wiki", user_id: "usr_1" },
      ip_address: "10.0.0.7",
    },
    { action: "app.started", resource: "app:app_1", details: { ...app, user_id: "usr_1" }, ip_address: "10.0.0.7" },
  ]);
});

test("reuse of a refresh token is on record", async () => {
  const { refresh_token } = (await logIn(node, "ada")).body;
  await node.call("POST /api/auth/refresh", { body: { refresh_token } });
  await node.clock.advance(10_001);
  expect((await node.call("POST /api/auth/refresh", { body: { refresh_token } })).status).toBe(401);
  expect((await log())[0].action).toBe("session.refresh_reused");
});

describe("reading", () => {
  beforeEach(async () => {
    for (let i = 0; i < 5; i++) await call("POST /api/keys", { name: `k${i}` });
  });

  test("pages by cursor without gaps", async () => {
    const all = await log();
    const first = await log("?limit=2");
    const second = await log(`?limit=3&cursor=${first[1].id}`);
    expect([...first, ...second]).toEqual(all.slice(0, 5));
    expect(await log("?action=auth.")).toHaveLength(1);
  });

  test("finds by text and time, through pieces of the log", async () => {
    await node.clock.advance(60_000);
    await call("POST /api/keys", { name: "Nightly Backup" });
    await node.ctx.bus.idle();
    expect(await log("?q=nightly")).toHaveLength(1);
    expect(await log("?q=127.0.0.1&action=key.")).toHaveLength(6);
    expect(await log("?q=100%25")).toEqual([]);
    expect(await log("?from=2026-01-01T00:01:00Z")).toHaveLength(1);
    expect(await log("?to=2026-01-01T00:01:00Z&action=key.")).toHaveLength(5);
    node.ctx.db.raw.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
       INSERT INTO audit_log (id, action, resource, details, ip_address, timestamp, hash)
       SELECT 'aud_' || i, 'x', 'x', '{}', '', '2027', '' FROM n`,
    );
    expect(await log("?q=nightly")).toHaveLength(1);
    expect((await log("?limit=7&action=key.")).map(({ action }: { action: string }) => action)).toHaveLength(6);
  });

  test.each(["?from=x", "?to=12", "?limit=0", "?limit=1001", "?limit=x", "?cursor=aud_none"])(
    "%s is refused",
    async (query) => {
      expect((await call(`GET /api/audit/logs${query}`)).status).toBe(400);
    },
  );

  test("is for admins", async () => {
    expect((await node.call("GET /api/audit/logs", { as: "member" })).status).toBe(403);
  });

  test("there is no way to write or delete through the API", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect((await call(`${method} /api/audit/logs`, method === "DELETE" ? undefined : {})).status).toBe(404);
    }
  });
});

describe("the chain", () => {
  beforeEach(async () => {
    for (let i = 0; i < 5; i++) await call("POST /api/keys", { name: `k${i}` });
  });

  test("is whole", async () => {
    expect(await check()).toEqual({ ok: true, entries: 6, broken_at: null });
  });

  test("rows can be neither changed nor deleted", async () => {
    await node.ctx.bus.idle();
    expect(() => raw("UPDATE audit_log SET action = 'x'")).toThrow("append-only");
    expect(() => raw("DELETE FROM audit_log")).toThrow("append-only");
    expect(() => raw("INSERT OR REPLACE INTO audit_log SELECT * FROM audit_log WHERE seq = 1")).toThrow("append-only");
  });

  test.each([
    "UPDATE audit_log SET details = '{}' WHERE seq = 3",
    "UPDATE audit_log SET ip_address = '1.2.3.4' WHERE seq = 3",
    "UPDATE audit_log SET timestamp = '2020-01-01T00:00:00.000Z' WHERE seq = 3",
    "DELETE FROM audit_log WHERE seq = 3",
    "DELETE FROM audit_log WHERE seq = 1",
  ])("shows what was done behind its back: %s", async (sql) => {
    await node.ctx.bus.idle();
    tamper(sql);
    const { ok, broken_at } = await check();
    expect([ok, typeof broken_at]).toEqual([false, "string"]);
  });

  test("goes on from where entries were forgotten for their age or their number, which only the key can move", async () => {
    const forget = (kept: number) => pruneLog(node.ctx, new AbortController().signal, { kept, least: kept });
    // Not through the API: nobody stays signed in for so long.
    const checked = () => checkChain(node.ctx, async () => {});
    await node.ctx.bus.idle();
    await forget(4);
    expect(await checked()).toEqual({ ok: true, entries: 4, broken_at: null });
    await node.clock.advance(399 * 86_400_000);
    await pruneLog(node.ctx, new AbortController().signal, { least: 1 });
    expect(await checked()).toMatchObject({ ok: true, entries: 4 });
    await node.clock.advance(86_400_000 + 1);
    await pruneLog(node.ctx, new AbortController().signal, { least: 3 });
    expect(await checked()).toMatchObject({ ok: true, entries: 3 });
    node.ctx.bus.emit("app.data_deleted", { app_id: "app_1", name: "wiki", user_id: "usr_1", ip: "10.0.0.7" });
    expect(await checked()).toMatchObject({ ok: true, entries: 4 });
    expect(() => raw("DELETE FROM audit_log WHERE seq = (SELECT min(seq) FROM audit_log)")).toThrow("append-only");
    raw(`INSERT OR REPLACE INTO audit_start SELECT 1, seq, hash, (SELECT mark FROM audit_start) FROM audit_log
         WHERE seq = (SELECT min(seq) FROM audit_log)`);
    raw("DELETE FROM audit_log WHERE seq = (SELECT min(seq) FROM audit_log)");
    expect(await checked()).toMatchObject({ ok: false });
  });

  test("forgets no more in one run than a clock that is wrong may cost, and never the newest", async () => {
    raw(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 7000)
         INSERT INTO audit_log (id, action, resource, details, ip_address, timestamp, hash)
         SELECT 'aud_' || i, 'x', 'x', '{}', '', '2026-01-01T00:00:00.000Z', 'h' FROM n`);
    await node.clock.advance(401 * 86_400_000);
    const count = () => node.ctx.db.raw.query<{ n: number }, []>("SELECT count(*) AS n FROM audit_log").get()?.n;
    const before = count() ?? 0;
    await node.ctx.jobs.run("audit.prune");
    expect(count()).toBe(before - 5_000);
    await node.ctx.jobs.run("audit.prune");
    expect(count()).toBe(1_000);
  });

  test("shows that its end was cut off", async () => {
    await node.ctx.bus.idle();
    tamper("DELETE FROM audit_log WHERE seq = 6");
    expect(await check()).toEqual({ ok: false, entries: 5, broken_at: null });
  });
});

test("who reads the log cannot fetch a session that was approved", async () => {
  const { request_id, code } = (await node.call("POST /api/auth/approve/request", { body: { email: "ada" } })).body;
  expect((await call(`POST /api/auth/approve/${request_id}/decide`, { approve: true, code })).status).toBe(204);
  const wrong = (await node.call("POST /api/auth/approve/request", { body: { email: "ada" } })).body;
  await call(`POST /api/auth/approve/${wrong.request_id}/decide`, { approve: true, code: "no" });
  const entries = await log("?action=approval.");
  expect(entries.map(({ action }: { action: string }) => action)).toEqual(["approval.code_wrong", "approval.decided"]);
  expect(JSON.stringify(entries)).not.toContain("apr_");
});

test("a search that finds nothing in a long log lets others go first now and then", async () => {
  raw(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
       INSERT INTO audit_log (id, action, resource, details, ip_address, timestamp, hash)
       SELECT 'aud_' || i, 'auth.signed_in', 'x', '{}', '::1', '2026-01-01T00:00:00.000Z', 'h' FROM n`);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(await readAuditLog(node.ctx, { action: "nothing." })).toEqual([]);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(3);
});
