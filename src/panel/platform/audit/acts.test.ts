import { expect, test } from "bun:test";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { until } from "../../../../tests/kit/until.ts";
import { seconds } from "../../../lib/duration.ts";
import { byMember } from "../../event-meaning.ts";

const databases = panelDatabases("sqlite");

test("what one account writes has a bound that its acts wait for, while it reads on and nobody else is held up", async () => {
  const panel = await createTestPanel(await databases.open());
  const owner = await panel.join("flood");
  const other = await panel.join("other");
  // Refused for what it says, unless for who sends it.
  const act = async ({ token }: { token: string }) =>
    (await panel.call("POST /api/chat-channels", { token, body: { name: "Ops" } })).status;
  const changeLines = (count: number, ip: string) =>
    panel.system.tx(async (tx) => {
      const by = byMember(owner, ip);
      for (let no = 0; no < count; no++)
        await panel.ctx.bus.emit(tx, "chat_channel.remove", { by, channel_id: `cht_${no}`, name: "Ops" });
    });
  // A job that goes on by itself writes as much as it does.
  await changeLines(500, "");
  await changeLines(1_900, "198.51.100.7");
  expect(await act(owner)).toBe(400);
  await changeLines(150, "198.51.100.7");
  const refused = await panel.call("POST /api/chat-channels", { token: owner.token, body: { name: "Ops" } });
  expect([refused.status, refused.body.code, Number(refused.headers.get("retry-after")) > 5]).toEqual([
    ...[429, "too_many_requests", true],
  ]);
  expect([(await panel.call("GET /api/audit/logs", { token: owner.token })).status, await act(other)]).toEqual([
    200, 400,
  ]);
  // Whoever finds that somebody else does this in their name still gets in, and gets them out.
  const again = await panel.signIn(owner);
  const token = (await panel.call("POST /api/auth/refresh", { token: again })).body.token;
  expect((await panel.call("DELETE /api/auth/sessions", { token })).body.ended).toBeGreaterThan(0);
  expect((await panel.call("POST /api/auth/logout", { token })).status).toBe(200);
  await changeLines(400, "198.51.100.7");
  expect(
    await panel.signIn(owner).then(
      () => "in",
      (error: unknown) => error,
    ),
  ).toBeInstanceOf(Error);
  await panel.clock.advance(seconds(5));
  const later = { token: await panel.signIn(owner) };
  expect(await act(later)).toBe(429);
  await panel.clock.advance(seconds(505));
  expect(await act(later)).toBe(400);
});

test("what is done through one workspace's own sign-in takes nothing of what the account may do elsewhere", async () => {
  const panel = await createTestPanel(await databases.open());
  const owner = await panel.join("shared");
  const member = await panel.ctx.tenants.findMembership(owner.tenant_id, owner.member_id);
  if (!member) throw new Error("nobody is there");
  const enter = () =>
    panel.system.tx((tx) => panel.ctx.sessions.startWorkspaceSignIn(tx, member, { ip: "198.51.100.7" }));
  const { token } = await panel.ctx.sessions.loginBody(await enter(), member);
  await panel.system.tx(async (tx) => {
    const by = byMember({ ...owner, is_wsl: true }, "198.51.100.7");
    for (let no = 0; no < 2_200; no++)
      await panel.ctx.bus.emit(tx, "chat_channel.remove", { by, channel_id: `cht_${no}`, name: "Ops" });
  });
  const act = async (as: string) =>
    (await panel.call("POST /api/chat-channels", { token: as, body: { name: "Ops" } })).status;
  expect([await act(token), await act(owner.token)]).toEqual([429, 400]);
  await expect(enter()).rejects.toMatchObject({ code: "too_many_requests" });
  expect(await act(await panel.signIn(owner))).toBe(400);
});

test("who is refused far more often than anybody errs waits with changes, and reads on and gets out", async () => {
  const panel = await createTestPanel(await databases.open());
  const owner = await panel.join("refused");
  const other = await panel.join("another");
  const act = async ({ token }: { token: string }, name = "") =>
    (await panel.call("POST /api/fleet/groups", { token, body: { name } })).status;
  const acts = await Promise.all(Array.from({ length: 1_000 }, () => act(owner)));
  expect(new Set(acts)).toEqual(new Set([400]));
  // An answer is counted once it has left.
  await until(async () => (await act(owner)) === 429, { everyMs: 1, what: "the last of them to count" });
  expect([await act(owner, "One"), await act(other)]).toEqual([429, 400]);
  expect((await panel.call("GET /api/fleet/groups", { token: owner.token })).status).toBe(200);
  await panel.clock.advance(seconds(2));
  expect([await act(owner, "Two"), await act(owner)]).toEqual([200, 400]);
  expect((await panel.call("POST /api/auth/logout", { token: owner.token })).status).toBe(200);
});
