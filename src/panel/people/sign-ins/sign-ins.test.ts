import { beforeAll, expect, spyOn, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { until } from "../../../../tests/kit/until.ts";
import { days, minutes } from "../../../lib/duration.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1";

onEachEngine("where somebody is signed in", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let count = 0;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open(), { trusted_proxies: "127.0.0.1" });
  });

  /** Somebody with an account, and how they sign in and ask with what that gave them. */
  async function register() {
    count += 1;
    const who = { email: `sam${count}@example.org`, password: "correct horse battery" };
    await panel.call("POST /api/auth/register", { body: { ...who, name: "Sam" } });
    const signIn = async (ip: string, agent: string): Promise<string> => {
      const headers = { "x-forwarded-for": ip, "user-agent": agent };
      const { body } = await panel.call("POST /api/auth/login", { body: who, headers });
      await panel.clock.advance(minutes(1));
      return body.token;
    };
    return { signIn, list: async (token: string) => (await panel.call("GET /api/auth/sessions", { token })).body };
  }
  /** The session that a token is of. */
  async function rowOf(token: string) {
    const { sid } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const sql = "SELECT tenant_id, id, member_id, family FROM sessions WHERE id = ?";
    const row = await panel.system.get<{ tenant_id: string; id: string; member_id: string; family: string }>(sql, [
      sid,
    ]);
    if (row === null) throw new Error("no such session");
    return row;
  }
  const isIn = async (token: string) => (await panel.call("GET /api/auth/me", { token })).status === 200;

  test("each place is listed with its browser and address, and one that is ended is out at once", async () => {
    const { signIn, list } = await register();
    const phone = await signIn("203.0.113.9", SAFARI);
    const desk = await signIn("2001:db8:1:2::7", FIREFOX);
    const rows = await list(desk);
    expect(rows.slice(0, 2)).toMatchObject([
      { device: "Firefox on Linux", ip: "2001:db8:1:2::/64", current: true },
      { device: "Safari on iPhone", ip: "203.0.113.9", current: false },
    ]);
    expect(await panel.call(`DELETE /api/auth/sessions/${rows[1].id}`, { token: desk })).toMatchObject({ status: 200 });
    expect([await isIn(phone), await isIn(desk)]).toEqual([false, true]);
    const again = await panel.call(`DELETE /api/auth/sessions/${rows[1].id}`, { token: desk });
    expect([again.status, again.body.code]).toEqual([404, "session_not_found"]);
  });

  test("one sign-in that went from workspace to workspace is one place and ends as one", async () => {
    const { signIn, list } = await register();
    const phone = await signIn("203.0.113.9", SAFARI);
    const desk = await signIn("203.0.113.9", FIREFOX);
    const made = await panel.call("POST /api/workspaces", { token: phone, body: { name: `Second ${count}` } });
    const { token: moved } = (await panel.call(`POST /api/workspaces/${made.body.id}/switch`, { token: phone })).body;
    const rows: { device: string; id: string; created_at: string }[] = await list(desk);
    const ofPhone = rows.filter(({ device }) => device === "Safari on iPhone");
    expect(ofPhone).toHaveLength(1);
    await panel.call(`DELETE /api/auth/sessions/${ofPhone[0]?.id}`, { token: desk });
    expect([await isIn(phone), await isIn(moved)]).toEqual([false, false]);
  });

  test("all others end together, and the one that asks stays", async () => {
    const { signIn, list } = await register();
    const others = [await signIn("203.0.113.9", SAFARI), await signIn("203.0.113.9", SAFARI)];
    const desk = await signIn("203.0.113.9", FIREFOX);
    const before = (await list(desk)).length;
    const ended = await panel.call("DELETE /api/auth/sessions", { token: desk });
    expect(ended.body).toMatchObject({ ended: before - 1 });
    expect(await Promise.all(others.map(isIn))).toEqual([false, false]);
    expect(await list(desk)).toMatchObject([{ current: true }]);
  });

  test.each([
    ["all others end", () => "DELETE /api/auth/sessions", undefined],
    ["that sign-in ends", (id: string) => `DELETE /api/auth/sessions/${id}`, undefined],
    [
      "the password changes",
      () => "POST /api/auth/change-password",
      { old_password: "correct horse battery", new_password: "another horse battery" },
    ],
  ])("a session that goes to another workspace while %s is out too", async (_what, routeOf, body) => {
    const { signIn, list } = await register();
    const stolen = await signIn("203.0.113.9", SAFARI);
    const desk = await signIn("203.0.113.9", FIREFOX);
    const from = await rowOf(stolen);
    const { sessions, tenants } = panel.ctx;
    const { promise: moved, resolve: noteMove } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const moving = panel.system.tx(async (tx) => {
      const member = await tenants.findMembership(from.tenant_id, from.member_id, tx);
      if (member) await sessions.moveSession(tx, { ...from, session_id: from.id, ip: "203.0.113.9" }, member);
      noteMove();
      await released;
    });
    await moved;
    const begins = [
      spyOn(sessions, "endOtherSessions"),
      spyOn(sessions, "endFamily"),
      spyOn(tenants, "lockAccount"),
    ] as const;
    const ended = panel.call(routeOf(from.family), { token: desk, body });
    // On SQLite the end cannot begin before the move is over.
    if (engine === "postgres")
      await until(() => begins.some(({ mock }) => mock.calls.length > 0), { everyMs: 5, what: "the end to begin" });
    release();
    await moving;
    expect((await ended).status).toBe(200);
    for (const begin of begins) begin.mockRestore();
    expect(await list(desk)).toMatchObject([{ current: true }]);
  });

  test("nobody ends what is another's, and what can go on no longer is not there", async () => {
    const { signIn, list } = await register();
    const desk = await signIn("203.0.113.9", FIREFOX);
    const other = await register();
    const stranger = await other.signIn("203.0.113.9", FIREFOX);
    const { id } = (await list(desk)).find(({ current }: { current: boolean }) => current);
    expect((await panel.call(`DELETE /api/auth/sessions/${id}`, { token: stranger })).status).toBe(404);
    expect(await isIn(desk)).toBe(true);
    await panel.clock.advance(days(15));
    expect(await list(await signIn("203.0.113.9", SAFARI))).toMatchObject([{ current: true }]);
  });
});
