import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import type { Listening } from "../../tests/kit/listening.ts";
import { createTestPanel, type Person, type TestPanel } from "../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../tests/kit/sql-databases.ts";
import { until } from "../../tests/kit/until.ts";

const databases = panelDatabases("sqlite");
let panel: TestPanel;
let listening: Listening;
let ada: Person;

beforeAll(async () => {
  // Asking anew must cost nobody their rate of requests.
  panel = await createTestPanel(await databases.open(), { session_rate: "10" });
  listening = panel.listen();
  ada = await panel.join("ada");
});
afterAll(() => listening.stop());

const url = (path: string) => `http://127.0.0.1:${listening.port}${path}`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Listens to the stream of changes; the clock stands still all the while. */
async function listen(token: string) {
  const stop = new AbortController();
  const { status, body } = await fetch(url("/api/changes"), { headers: bearer(token), signal: stop.signal });
  expect(status).toBe(200);
  const state = { isOpen: true, stop: () => stop.abort() };
  void (async () => {
    for await (const _ of body ?? []);
    state.isOpen = false;
  })().catch(() => {});
  return state;
}

let count = 0;
const someone = (role = "org_admin") => panel.invite(ada, `guest${++count}`, role);

test.each<[string, (guest: Person, token: string) => Promise<unknown>]>([
  ["signed out", (_, token) => panel.call("POST /api/auth/logout", { token })],
  ["signed out from elsewhere", ({ token }) => panel.call("DELETE /api/auth/sessions", { token })],
  [
    "one of a member who is removed",
    ({ member_id }) => panel.call(`DELETE /api/team/members/${member_id}`, { token: ada.token }),
  ],
  [
    "one of an account with a new password",
    async ({ account_id }) =>
      panel.system.tx((tx) => panel.ctx.sessions.endOtherSessions(tx, account_id, "", panel.clock.now())),
  ],
])("a stream ends at once when its session is %s, and nobody else's", async (_what, end) => {
  const guest = await someone();
  const token = await panel.signIn(guest);
  const [mine, other] = [await listen(token), await listen(ada.token)];
  await end(guest, token);
  await until(() => !mine.isOpen, { everyMs: 2, what: "the end of the stream" });
  expect(other.isOpen).toBe(true);
  other.stop();
});

test("all streams of a workspace end when it is suspended, and no others", async () => {
  const [eve, staff] = [await panel.join("eve"), await panel.join("staff")];
  const makeStaff = "UPDATE accounts SET global_role = 'admin', has_factor = 1 WHERE id = ?";
  await panel.system.run(makeStaff, [staff.account_id]);
  const [hers, other] = [await listen(eve.token), await listen(ada.token)];
  const suspending = { token: staff.token, body: { reason: "unpaid" } };
  expect((await panel.call(`POST /api/staff/workspaces/${eve.tenant_id}/suspend`, suspending)).status).toBe(200);
  await until(() => !hers.isOpen, { everyMs: 2, what: "the end of the stream" });
  expect(other.isOpen).toBe(true);
  other.stop();
});

test("who has another role, and a workspace that wants a second factor, are asked anew", async () => {
  const guest = await someone();
  const told = spyOn(panel.ctx.accessEnds, "ended");
  const { token } = ada;
  await panel.call(`PUT /api/team/members/${guest.member_id}/role`, { token, body: { role: "org_viewer" } });
  await panel.system.run("UPDATE accounts SET has_factor = 1 WHERE id = ?", [ada.account_id]);
  for (const require_2fa of [true, false])
    await panel.call("PUT /api/v1/workspace/settings", { token, body: { require_2fa } });
  await panel.call(`POST /api/workspaces/${ada.tenant_id}/leave`, { token: guest.token });
  expect(told.mock.calls.map(([, id]) => id)).toEqual([guest.member_id, ada.tenant_id, guest.member_id]);
  told.mockRestore();
});

test("asking anew takes nothing of anybody's rate of requests", async () => {
  const mine = await listen(ada.token);
  const asked = spyOn(panel.ctx.tenants, "findMembership");
  for (let round = 1; round <= 60; round++) {
    await panel.system.tx(async (tx) => panel.ctx.accessEnds.ended(tx, ada.tenant_id));
    await until(() => asked.mock.calls.length >= round, { everyMs: 1, what: "asking anew" });
  }
  await Promise.all(asked.mock.results.map(({ value }) => value));
  asked.mockRestore();
  expect((await panel.call("GET /api/auth/me", { token: ada.token })).status).toBe(200);
  expect(mine.isOpen).toBe(true);
  mine.stop();
});

test("a body that is sent slowly does nothing once its session has ended", async () => {
  const guest = await someone();
  const begun = new TransformStream<Uint8Array, Uint8Array>();
  const writer = begun.writable.getWriter();
  const headers = { ...bearer(guest.token), "content-type": "application/json" };
  const letIn = spyOn(panel.ctx.tenants, "findMembership");
  const answer = fetch(url("/api/fleet/tokens"), { method: "POST", headers, body: begun.readable });
  void writer.write(new TextEncoder().encode('{"name":'));
  await until(() => letIn.mock.results[0]?.value, { everyMs: 1, what: "the guard" });
  letIn.mockRestore();
  await panel.call("POST /api/auth/logout", { token: guest.token });
  void writer.write(new TextEncoder().encode('"late"}'));
  void writer.close();
  expect((await answer).status).toBe(401);
});
