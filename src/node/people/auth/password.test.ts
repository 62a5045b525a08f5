import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { checkScenario, dumpDatabase } from "../../../../tests/kit/scenario.ts";
import { listSessions } from "../sessions/logic.ts";
import { setUpOwner } from "./logic.ts";

const OLD = "correct horse battery";
const NEW = "another fine phrase";

let node: TestNode;
beforeEach(async () => {
  node = createTestNode({ anonymous_rate: "100000" });
  await setUpOwner(node.ctx, { username: "ada", password: OLD }, "127.0.0.1");
});
afterEach(() => node.close());

const login = (password: string) => node.call("POST /api/auth/login", { body: { username: "ada", password } });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test("a changed password counts at once, and only this session goes on", async () => {
  const here = (await login(OLD)).body;
  const there = (await login(OLD)).body;
  await checkScenario(node, "POST /api/auth/change-password", {
    headers: bearer(here.access_token),
    body: { current_password: OLD, new_password: NEW },
    status: 200,
    events: { "auth.password_changed": 1, "*": 1 },
  });
  expect([(await login(OLD)).status, (await login(NEW)).status]).toEqual([401, 200]);
  const refresh = async (refresh_token: string) =>
    (await node.call("POST /api/auth/refresh", { body: { refresh_token } })).status;
  expect([await refresh(here.refresh_token), await refresh(there.refresh_token)]).toEqual([200, 401]);
});

test.each([
  [{ current_password: OLD, new_password: OLD }, 400, "password_unusable", "new_password"],
  [{ current_password: OLD, new_password: "short" }, 400, "password_unusable", "new_password"],
  [{ current_password: OLD, new_password: "ADAADAada" }, 400, "password_unusable", "new_password"],
  [{ current_password: OLD }, 400, "invalid_request", "new_password"],
  [{ new_password: NEW }, 400, "invalid_request", "current_password"],
  [{ current_password: OLD, new_password: NEW, confirm: NEW }, 400, "invalid_request", "confirm"],
])("bad change %# is refused and changes nothing", async (body, status, code, field) => {
  const headers = bearer((await login(OLD)).body.access_token);
  const before = dumpDatabase(node);
  const row = { headers, body, status, code, events: { "*": 0 } };
  await checkScenario(node, "POST /api/auth/change-password", field === undefined ? row : { ...row, field });
  expect(dumpDatabase(node)).toEqual(before);
});

test("a wrong current password is refused and on record", async () => {
  await checkScenario(node, "POST /api/auth/change-password", {
    headers: bearer((await login(OLD)).body.access_token),
    body: { current_password: "wrong", new_password: NEW },
    status: 401,
    code: "wrong_credentials",
    field: "current_password",
    events: { "auth.password_change_failed": 1, "*": 1 },
  });
  expect([(await login(OLD)).status, (await login(NEW)).status]).toEqual([200, 401]);
});

test("of two changes at the same moment one counts", async () => {
  const headers = bearer((await login(OLD)).body.access_token);
  const change = (new_password: string) =>
    node.call("POST /api/auth/change-password", { headers, body: { current_password: OLD, new_password } });
  const answers = await Promise.all([change("first fine phrase"), change("second fine phrase")]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  const winner = answers[0]?.status === 200 ? "first fine phrase" : "second fine phrase";
  expect((await login(winner)).status).toBe(200);
});

test("the way back in from the host: new password, account active, every session ended", async () => {
  const { body } = await login(OLD);
  node.ctx.db.raw.query("UPDATE users SET disabled_at = '2026-01-01' WHERE username = 'ada'").run();
  await node.ctx.users.resetPassword("Ada", NEW, []);
  expect(listSessions(node.ctx, body.user.id, null)).toEqual([]);
  expect([(await login(OLD)).status, (await login(NEW)).status]).toEqual([401, 200]);
  await expect(node.ctx.users.resetPassword("nobody", NEW, [])).rejects.toThrow("There is no user nobody.");
  await expect(node.ctx.users.resetPassword("ada", "short", [])).rejects.toThrow("at least 8");
});
