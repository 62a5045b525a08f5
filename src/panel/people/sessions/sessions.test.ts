import { beforeAll, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createTokens } from "./tokens.ts";

const DAY = 86_400_000;

onEachEngine("sessions", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
  });
  const me = async (token: string) => (await panel.call("GET /api/auth/me", { token })).status;

  test("a session is good for nobody but the member whom it is of", async () => {
    const owner = await panel.join("keeper");
    const guest = await panel.invite(owner, "guest", "org_viewer");
    const sql = "SELECT id FROM sessions WHERE tenant_id = ? AND member_id = ?";
    const session = await panel.system.get<{ id: string }>(sql, [owner.tenant_id, owner.member_id]);
    const claims = { tid: owner.tenant_id, aid: owner.account_id, role: "org_owner", sid: session?.id ?? "" };
    const tokenOf = (uid: string) => createTokens(panel.ctx).sign({ ...claims, uid }, false);
    expect([await me(await tokenOf(owner.member_id)), await me(await tokenOf(guest.member_id))]).toEqual([200, 401]);
  });

  test("signing out ends every token of that sign-in, of the workspaces it came through too", async () => {
    const first = await panel.join("wanderer");
    const elsewhere = await panel.signIn(first);
    const second = (await panel.call("POST /api/workspaces", { token: first.token, body: { name: "Second" } })).body;
    const third = (await panel.call("POST /api/workspaces", { token: second.token, body: { name: "Third" } })).body;
    expect([await me(first.token), await me(second.token), await me(third.token)]).toEqual([200, 200, 200]);
    expect((await panel.call("POST /api/auth/logout", { token: third.token })).status).toBe(200);
    expect([await me(first.token), await me(second.token), await me(third.token)]).toEqual([401, 401, 401]);
    expect(await me(elsewhere)).toBe(200);
  });

  test("whoever signs out with a former token ends what it led to", async () => {
    const first = await panel.join("returner");
    const second = (await panel.call("POST /api/workspaces", { token: first.token, body: { name: "Other" } })).body;
    expect((await panel.call("POST /api/auth/logout", { token: first.token })).status).toBe(200);
    expect([await me(first.token), await me(second.token)]).toEqual([401, 401]);
    expect((await panel.call("POST /api/auth/refresh", { token: second.token })).status).toBe(401);
  });

  test("an account has at most a hundred sessions; the one unused for longest ends", async () => {
    const person = await panel.join("many");
    await panel.clock.advance(1000);
    const tokens: string[] = [];
    for (let count = 0; count < 99; count++) tokens.push(await panel.signIn(person));
    await panel.clock.advance(1000);
    expect((await panel.call("POST /api/auth/refresh", { token: person.token })).status).toBe(200);
    await panel.signIn(person);
    expect([await me(person.token), await me(tokens[0] ?? ""), await me(tokens[1] ?? "")]).toEqual([200, 401, 200]);
  });

  test("whoever goes from workspace to workspace all day stays signed in elsewhere", async () => {
    const first = await panel.join("commuter");
    const second = (await panel.call("POST /api/workspaces", { token: first.token, body: { name: "Second" } })).body;
    const phone = await panel.signIn(first);
    await panel.clock.advance(1000);
    let { token } = second;
    for (let count = 0; count < 101; count++) {
      const to = count % 2 === 0 ? first.tenant_id : second.user.tenant_id;
      token = (await panel.call(`POST /api/workspaces/${to}/switch`, { token })).body.token;
    }
    expect([await me(phone), await me(token)]).toEqual([200, 200]);
  });

  test("of those that have ended a hundred are remembered, and where a sign-in that goes on began", async () => {
    const first = await panel.join("restless");
    const begun = panel.clock.now();
    const { token } = (await panel.call("POST /api/workspaces", { token: first.token, body: { name: "Other" } })).body;
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 99; count++) await panel.signIn(first);
      await panel.clock.advance(1000);
      expect((await panel.call("POST /api/auth/refresh", { token })).status).toBe(200);
    }
    const rows = await panel.system.all("SELECT id FROM sessions WHERE account_id = ?", [first.account_id]);
    expect(rows.length).toBeLessThanOrEqual(201);
    const { body } = await panel.call("GET /api/auth/sessions", { token });
    const own = body.find(({ current }: { current: boolean }) => current);
    expect(own.created_at).toBe(new Date(begun).toISOString());
  });

  test("sessions that nobody can renew any more are forgotten, and no others", async () => {
    const [kept, gone] = [await panel.join("kept"), await panel.join("gone")];
    await panel.clock.advance(10 * DAY);
    const { token } = (await panel.call("POST /api/auth/refresh", { token: kept.token })).body;
    await panel.clock.advance(6 * DAY);
    await panel.runJob("sessions.forget");
    const rows = await panel.system.all("SELECT id FROM sessions WHERE account_id IN (?, ?)", [
      kept.account_id,
      gone.account_id,
    ]);
    expect(rows.length).toBe(1);
    expect((await panel.call("POST /api/auth/refresh", { token })).status).toBe(200);
  });
});
